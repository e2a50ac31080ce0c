import Glibc

/// Elements between the thread that reads them and the task that takes them. Each waits for the
/// other. The error that ended the reader comes after all elements.
struct ElementBuffer<Element: Sendable, Failure: Error, Taker: Sendable>: Sendable {
  private enum State {
    /// Elements that nobody has taken yet, oldest first.
    case filled([Element], next: Int)
    /// A taker waits for the next element.
    case awaited(Taker)
    /// No more elements come, but some are still left.
    case ending([Element], next: Int, Failure?)
    case over
  }

  enum Taking {
    case element(Element)
    /// The taker waits.
    case wait
    case end(Failure?)
  }

  private var state = State.filled([], next: 0)

  /// Offers the next element.
  ///
  /// - Returns: the taker that waits for it.
  mutating func offer(_ element: Element) -> Taker? {
    switch state {
    case .filled(var elements, let next):
      // drop the other reference, so that the array grows in place
      state = .over
      elements.append(element)
      state = .filled(elements, next: next)
      return nil
    case .awaited(let taker):
      state = .filled([], next: 0)
      return taker
    case .ending, .over: return nil
    }
  }

  /// Ends the elements.
  ///
  /// - Returns: the taker that still waits.
  mutating func end(_ error: Failure?) -> Taker? {
    switch state {
    case .filled(let elements, let next):
      state = .ending(elements, next: next, error)
      return nil
    case .awaited(let taker):
      state = .over
      return taker
    case .ending, .over: return nil
    }
  }

  /// Takes the next element, or waits for it. A taker that was already waiting is dismissed.
  mutating func take(_ taker: Taker) -> (Taking, dismissed: Taker?) {
    switch state {
    case .filled(let elements, let next) where next < elements.count:
      state = Self.rest(elements, next + 1)
      return (.element(elements[next]), nil)
    case .filled:
      state = .awaited(taker)
      return (.wait, nil)
    case .awaited(let other):
      state = .awaited(taker)
      return (.wait, other)
    case .ending(let elements, let next, let error) where next < elements.count:
      state = .ending(elements, next: next + 1, error)
      return (.element(elements[next]), nil)
    case .ending(_, _, let error):
      state = .over
      return (.end(error), nil)
    case .over: return (.end(nil), nil)
    }
  }

  private static func rest(_ elements: [Element], _ next: Int) -> State {
    next == elements.count ? .filled([], next: 0) : .filled(elements, next: next)
  }
}

/// A counting semaphore: taking a place waits while none is free.
package final class Places: @unchecked Sendable {
  // sem_t is safe to share between threads, but its address must not change
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init(_ count: UInt32) { sem_init(semaphore, 0, count) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Waits for a place and takes it.
  package func take() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

  /// Takes a place if one is free.
  package func takeIfFree() -> Bool { sem_trywait(semaphore) == 0 }

  /// Gives a place back, from any thread and from a signal handler.
  package func giveBack() { sem_post(semaphore) }
}
