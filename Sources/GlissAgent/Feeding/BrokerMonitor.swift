import GlissBroker
import GlissDevices
import GlissEvents
import GlissGate

/// Follows one scope of the broker's events on the agent's loop, until it is let go of.
final class BrokerMonitor {
  private let monitor: GlobalEventMonitor
  private let loop: EventLoop
  private let didHear: (GlobalEvent) -> Void
  private let didFail: (ClientError) -> Void
  private var decoder = EventDecoder()
  private var isOver = false

  /// - Throws: ``ClientError/notGranted(_:advice:)`` and others.
  init(
    _ scope: Scope, _ path: String, _ loop: EventLoop,
    didHear: @escaping (GlobalEvent) -> Void, didFail: @escaping (ClientError) -> Void
  ) throws(ClientError) {
    monitor = try GlobalEventMonitor(scope, path: path)
    self.loop = loop
    self.didHear = didHear
    self.didFail = didFail
    do {
      try loop.watch(monitor.descriptor) { [weak self] in self?.take() }
    } catch {
      throw .system(error.code)
    }
    // what came with the first answer wakes no loop
    take()
  }

  deinit { loop.unwatch(monitor.descriptor) }

  /// What is missing of what was asked for.
  var fault: String? { monitor.verdict.advice }

  private func take() {
    // a handler may let go of this
    withExtendedLifetime(self) {
      do throws(ClientError) {
        try monitor.take(with: &decoder) { didHear($0) }
      } catch {
        guard !isOver else { return }
        isOver = true
        loop.unwatch(monitor.descriptor)
        didFail(error)
      }
    }
  }
}
