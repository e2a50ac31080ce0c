import GlissDevices
public import GlissEvents

/// The events of a ``GlobalEventMonitor``, as a separate thread reads them.
struct GlobalEvents: AsyncSequence, Sendable {
  /// The most events that wait to be taken.
  static let capacity = 1024

  private let monitor: GlobalEventMonitor

  init(_ monitor: GlobalEventMonitor) { self.monitor = monitor }

  func makeAsyncIterator() -> Iterator {
    Iterator(
      ElementReader(
        capacity: Self.capacity, whenFull: .wait, begin: { [monitor] in monitor.read(into: $0) },
        stop: { [monitor] in monitor.stop() }))
  }

  /// Takes the events of one monitor, once.
  struct Iterator: AsyncIteratorProtocol {
    private let reader: ElementReader<GlobalEvent, ClientError>

    init(_ reader: ElementReader<GlobalEvent, ClientError>) { self.reader = reader }

    /// The next event; `nil` if the monitor was stopped.
    ///
    /// - Throws: any other reason for the end.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(ClientError) -> GlobalEvent? {
      try await reader.next(isolation: actor)
    }
  }
}

extension GlobalEventMonitor {
  /// Its events, for `for try await`. They can be taken once.
  ///
  /// A separate thread reads them. At most 1,024 wait to be taken; the broker leaves out the rest, and
  /// counts them. Cancelling the task that takes them ends the monitor.
  public var events: some AsyncSequence<GlobalEvent, ClientError> & Sendable { GlobalEvents(self) }

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
