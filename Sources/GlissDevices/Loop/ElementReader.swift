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
    package var droppedCount: Int { dropped.load(ordering: .relaxed) }

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
