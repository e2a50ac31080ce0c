import GlissDevices
public import GlissEvents

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

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      ElementReader(
        capacity: Self.capacity, whenFull: .wait, begin: { [monitor] in monitor.read(into: $0) },
        stop: { [monitor] in monitor.stop() }))
  }

  /// Takes the events of one monitor, once.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: ElementReader<GlobalEvent, ClientError>

    init(_ reader: ElementReader<GlobalEvent, ClientError>) { self.reader = reader }

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

  /// Follows the events on another thread, to the end.
  fileprivate func read(into intake: ElementReader<GlobalEvent, ClientError>.Intake) {
    guard begin() else { return intake.end(.closed) }
    do throws(ClientError) {
      try ReaderThread.start { [self] in
        do throws(ClientError) {
          try follow { intake.offer($0) }
          intake.end(nil)
        } catch {
          intake.end(error)
        }
      }
    } catch {
      intake.end(error)
    }
  }
}

/// A separate thread for blocking work.
package enum ReaderThread {
  /// Runs `body` on a new thread that receives no signals.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(ClientError) {
    let code = BackgroundThread.start(body)
    guard code == 0 else { throw .system(code) }
  }
}
