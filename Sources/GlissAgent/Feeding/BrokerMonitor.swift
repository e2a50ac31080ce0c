import GlissBroker
import GlissDevices
import GlissEvents
import GlissGate

/// Follows one scope of the broker's events on the agent's loop for as long as this object lives.
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
    // events that came with the first answer do not wake the loop
    take()
  }

  deinit { loop.unwatch(monitor.descriptor) }

  /// Which part of the request was not granted.
  var fault: String? { monitor.verdict.advice }

  private func take() {
    // a handler may release this object
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
