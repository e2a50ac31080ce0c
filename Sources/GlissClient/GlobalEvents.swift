public import GlissEvents
import Synchronization

/// The events of a ``GlobalEventMonitor``, as they come. A separate thread reads them. It holds at
/// most ``capacity`` events and leaves the rest to the broker, which counts the events it leaves
/// out.
///
/// Cancelling the task that takes them ends the monitor.
public struct GlobalEvents: AsyncSequence, Sendable {
  public typealias Element = GlobalEvent
  public typealias Failure = ClientError

  /// The most events that wait to be taken.
  public static let capacity = 1024

  private let monitor: GlobalEventMonitor

  init(_ monitor: GlobalEventMonitor) { self.monitor = monitor }

  public func makeAsyncIterator() -> Iterator { Iterator(GlobalEventReader(monitor)) }

  public struct Iterator: AsyncIteratorProtocol {
    private let reader: GlobalEventReader

    init(_ reader: GlobalEventReader) { self.reader = reader }

    /// The next event; `nil` if the monitor was stopped.
    ///
    /// - Throws: any other reason for the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ClientError) -> GlobalEvent? {
      try await reader.next(isolation: actor)
    }
  }
}

extension GlobalEventMonitor {
  /// Its events. They can be taken once.
  public var events: GlobalEvents { GlobalEvents(self) }
}

/// Reads a monitor on its own thread, from the first request for an event to the last event.
final class GlobalEventReader: Sendable {
  private typealias Taker = CheckedContinuation<Result<GlobalEvent?, ClientError>, Never>

  private let monitor: GlobalEventMonitor
  /// The state that the thread also holds, without keeping this reader alive.
  private let shared = Shared()
  private let hasBegun = Atomic<Bool>(false)

  private final class Shared: Sendable {
    let buffer = Mutex(EventBuffer<Taker>())
    let places = Places(UInt32(GlobalEvents.capacity))
    let isAbandoned = Atomic<Bool>(false)

    func offer(_ event: GlobalEvent) {
      places.take()
      guard !isAbandoned.load(ordering: .acquiring) else { return }
      guard let taker = buffer.withLock({ $0.offer(event) }) else { return }
      places.giveBack()
      taker.resume(returning: .success(event))
    }

    func end(_ error: ClientError?) {
      guard let taker = buffer.withLock({ $0.end(error) }) else { return }
      taker.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
  }

  init(_ monitor: GlobalEventMonitor) { self.monitor = monitor }

  deinit { abandon() }

  /// Ends the thread when nobody takes events any more.
  private func abandon() {
    shared.isAbandoned.store(true, ordering: .releasing)
    monitor.stop()
    shared.places.giveBack()
  }

  private func begin() {
    guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
    guard monitor.begin() else { return shared.end(.closed) }
    do throws(ClientError) {
      try ReaderThread.start { [monitor, shared] in
        do throws(ClientError) {
          try monitor.follow { shared.offer($0) }
          shared.end(nil)
        } catch {
          shared.end(error)
        }
      }
    } catch {
      shared.end(error)
    }
  }

  func next(
    isolation actor: isolated (any Actor)?
  ) async throws(ClientError) -> GlobalEvent? {
    begin()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { (taker: Taker) in take(taker) }
    } onCancel: {
      abandon()
    }
    return try result.get()
  }

  private func take(_ taker: Taker) {
    let (taking, dismissed) = shared.buffer.withLock { $0.take(taker) }
    dismissed?.resume(returning: .success(nil))
    switch taking {
    case .event(let event):
      shared.places.giveBack()
      taker.resume(returning: .success(event))
    case .wait: break
    case .end(let error): taker.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
  }
}
