import CLinux
import Glibc
import GlissEvents

extension EvdevReader {
  enum Grab {
    /// Nobody else has read events from later than this.
    case taken(since: EventTime)
    /// Others may or may not have read the events at that moment. Try again once everybody has.
    case tooEarly
    /// The error number; EBUSY if another process has grabbed it.
    case refused(Int32)
  }

  /// Grabs the device for this reader.
  ///
  /// - Parameter asking: Asks the device anything, through another descriptor. The kernel replies only
  ///   after it has delivered the events in progress.
  func grab(asking: () -> Void) -> Grab {
    guard gliss_evdev_grab(descriptor, 1) == 0 else { return .refused(errno) }
    let now = InputLoop.now
    asking()
    _ = read()
    guard hasEvent(upTo: now) else { return .taken(since: now) }
    _ = gliss_evdev_grab(descriptor, 0)
    return .tooEarly
  }
}
