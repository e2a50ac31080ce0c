import GlissBroker
import GlissDevices
import GlissEvents

/// Runs the agent's event loop, with an alarm.
protocol AgentHost: BrokerHost {
  /// Runs the loop until it is told to stop.
  func turn() throws(DeviceError)
  /// Makes ``turn()`` return.
  func stop()
}

/// A loop of the agent's own, for when another process reads the devices.
final class LoopHost: AgentHost {
  let loop: EventLoop
  var alarm: EventTime?
  var didRing: (() -> Void)?

  init() throws(DeviceError) { loop = try EventLoop() }

  func stop() { loop.stop() }

  func turn() throws(DeviceError) {
    while !loop.isStopping {
      try loop.wait(until: alarm)
      guard let due = alarm, due <= EventLoop.now else { continue }
      alarm = nil
      didRing?()
    }
  }
}
