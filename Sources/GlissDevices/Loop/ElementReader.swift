import Glibc
import Synchronization

/// Reads elements on its own thread for the task that takes them, from the first request to the
/// last element.
package final class ElementReader<Element: Sendable, Failure: Error>: AsyncIteratorProtocol {
  private typealias Elements = AsyncStream<Result<Element, Failure>>

  /// The state that the thread also holds, without keeping the reader alive.
  package final class Intake: Sendable {
    fileprivate let elements: AsyncStream<Result<Element, Failure>>.Continuation
    fileprivate let places: Places
    private let abandoned = Atomic<Bool>(false)

    fileprivate init(
      _ elements: AsyncStream<Result<Element, Failure>>.Continuation, _ capacity: Int
    ) {
      self.elements = elements
      places = Places(UInt32(capacity))
    }

    /// Nobody takes elements any more.
    package var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

    /// Adds an element. Without room it waits until one was taken.
    package func offer(_ element: Element) {
      places.take()
      add(element)
    }

    /// Adds an element if there is room for it. Returns whether there is.
    package func offerIfFree(_ element: Element) -> Bool {
      guard places.takeIfFree() else { return false }
      add(element)
      return true
    }

    private func add(_ element: Element) {
      // the thread may have more to offer before it ends
      if isAbandoned { places.giveBack() } else { elements.yield(.success(element)) }
    }

    /// No more elements come, because of `error` if there is one.
    package func end(_ error: Failure?) {
      if let error { elements.yield(.failure(error)) }
      elements.finish()
    }

    /// - Returns: whether it was not abandoned before.
    fileprivate func abandon() -> Bool {
      if abandoned.exchange(true, ordering: .acquiringAndReleasing) { return false }
      places.giveBack()
      return true
    }
  }

  package let intake: Intake
  private var elements: Elements.AsyncIterator
  private var hasBegun = false
  private let begin: @Sendable (Intake) -> Void
  private let abandon: @Sendable () -> Void

  /// - Parameters:
  ///   - capacity: the most elements that wait to be taken.
  ///   - begin: starts the thread; it offers elements to the intake and ends it.
  ///   - stop: makes the thread end, from any thread; also called if it never began.
  package init(
    capacity: Int, begin: @escaping @Sendable (Intake) -> Void,
    stop: @escaping @Sendable () -> Void
  ) {
    // unbounded, because the intake's places limit how many elements wait
    let (stream, continuation) = Elements.makeStream(bufferingPolicy: .unbounded)
    elements = stream.makeAsyncIterator()
    let intake = Intake(continuation, capacity)
    self.intake = intake
    self.begin = begin
    abandon = { [weak intake] in
      // once, although the stream ends both when its task is cancelled and when it is released
      if intake?.abandon() == true { stop() }
    }
    continuation.onTermination = { [abandon] reason in
      if case .cancelled = reason { abandon() }
    }
  }

  deinit { abandon() }

  /// The next element; `nil` at the end, and if the task is cancelled.
  ///
  /// - Throws: the reason for any other end, once.
  package func next(
    isolation actor: isolated (any Actor)?
  ) async throws(Failure) -> Element? {
    if !hasBegun {
      hasBegun = true
      begin(intake)
    }
    guard let result = await elements.next(isolation: actor) else { return nil }
    intake.places.giveBack()
    return try result.get()
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

  package func take() { while sem_wait(semaphore) != 0 && errno == EINTR {} }

  package func takeIfFree() -> Bool { sem_trywait(semaphore) == 0 }

  /// Gives a place back, from any thread and from a signal handler.
  package func giveBack() { sem_post(semaphore) }
}
