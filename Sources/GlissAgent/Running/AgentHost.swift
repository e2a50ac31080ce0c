import GlissBroker
import GlissDevices
import GlissEvents

/// What turns the agent: a loop to wait on, and an alarm.
protocol AgentHost: BrokerHost {
  /// Turns until it is told to stop.
  func turn() throws(DeviceError)
  /// Makes ``turn()`` return.
  func stop()
}

/// A loop of the agent's own, where others have the devices.
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
