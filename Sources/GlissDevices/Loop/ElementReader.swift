import Glibc
import Synchronization

/// Reads elements on a thread of its own for the task that takes them, from the first request for an
/// element to the last element.
package final class ElementReader<Element: Sendable, Failure: Error>: Sendable {
  fileprivate typealias Taker = CheckedContinuation<Result<Element?, Failure>, Never>

  /// What happens to an element for which there is no room.
  package enum Overflow: Sendable {
    /// The thread waits until one was taken.
    case wait
    /// It is dropped and counted.
    case drop
  }

  /// The state that the thread also holds, without keeping the reader alive.
  package final class Intake: Sendable {
    fileprivate let buffer = Mutex(ElementBuffer<Element, Failure, Taker>())
    fileprivate let places: Places
    fileprivate let abandoned = Atomic<Bool>(false)
    private let overflow: Overflow
    private let dropped = Atomic<Int>(0)

    fileprivate init(_ capacity: Int, _ overflow: Overflow) {
      places = Places(UInt32(capacity))
      self.overflow = overflow
    }

    /// How many elements were dropped.
    package var missedCount: Int { dropped.load(ordering: .relaxed) }

    /// Nobody takes elements any more.
    package var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

    package func offer(_ element: Element) {
      switch overflow {
      case .wait: places.take()
      case .drop:
        guard places.takeIfFree() else {
          dropped.add(1, ordering: .relaxed)
          return
        }
      }
      // the thread may have more to offer before it ends
      guard !isAbandoned else { return places.giveBack() }
      guard let taker = buffer.withLock({ $0.offer(element) }) else { return }
      places.giveBack()
      taker.resume(returning: .success(element))
    }

    /// No more elements come, because of `error` if there is one.
    package func end(_ error: Failure?) {
      guard let taker = buffer.withLock({ $0.end(error) }) else { return }
      taker.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
  }

  package let intake: Intake
  private let hasBegun = Atomic<Bool>(false)
  private let begin: @Sendable (Intake) -> Void
  private let stop: @Sendable () -> Void

  /// - Parameters:
  ///   - capacity: the most elements that wait to be taken.
  ///   - begin: starts the thread; it offers elements to the intake and ends it.
  ///   - stop: makes the thread end, from any thread; also called if it never began.
  package init(
    capacity: Int, whenFull overflow: Overflow, begin: @escaping @Sendable (Intake) -> Void,
    stop: @escaping @Sendable () -> Void
  ) {
    intake = Intake(capacity, overflow)
    self.begin = begin
    self.stop = stop
  }

  deinit { abandon() }

  /// Ends the thread when nobody takes elements any more.
  private func abandon() {
    intake.abandoned.store(true, ordering: .releasing)
    stop()
    intake.places.giveBack()
  }

  /// The next element; `nil` at the end, and if the task is cancelled.
  ///
  /// - Throws: the reason for any other end, once.
  package func next(
    isolation actor: isolated (any Actor)?
  ) async throws(Failure) -> Element? {
    if !hasBegun.exchange(true, ordering: .relaxed) { begin(intake) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { (taker: Taker) in take(taker) }
    } onCancel: {
      abandon()
    }
    return try result.get()
  }

  private func take(_ taker: Taker) {
    let (taking, dismissed) = intake.buffer.withLock { $0.take(taker) }
    dismissed?.resume(returning: .success(nil))
    switch taking {
    case .element(let element):
      intake.places.giveBack()
      taker.resume(returning: .success(element))
    case .wait: break
    case .end(let error): taker.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
  }
}

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
