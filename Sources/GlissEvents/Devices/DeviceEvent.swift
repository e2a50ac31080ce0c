/// A device came or went.
public struct DeviceEvent: Hashable, Sendable, BitwiseCopyable {
  public enum Change: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case added, removed

    /// The word in the event schema.
    public var name: String {
      switch self {
      case .added: "added"
      case .removed: "removed"
      }
    }
  }

  public var time: EventTime
  public var device: DeviceID
  public var change: Change

  public init(time: EventTime, device: DeviceID, change: Change) {
    self.time = time
    self.device = device
    self.change = change
  }
}

/// The kernel has dropped events of a device, because nobody read them in time (`SYN_DROPPED`).
///
/// Where the session reads the kernel's own events (touchpads, keyboards of which hotkeys are consumed, recordings), what
/// was under way on the device is cancelled and its keys are released. All other devices are read through libinput, which
/// asks the kernel what is down now and reports what has changed: there it goes on. What was done meanwhile is not known.
public struct LossEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the loss was noticed; what had not been read by then may be lost as well.
  public var time: EventTime
  public var device: DeviceID
  /// The device's last touch, key or button before the loss, after which they are missing; `nil` if there was none, or if
  /// it is not for whoever is told of the loss.
  public var since: EventTime?
  /// The kinds of event that may be missing. The schema does not carry it: where a loss is read it is empty.
  public var kinds: EventMask

  public init(
    time: EventTime, device: DeviceID, since: EventTime? = nil, kinds: EventMask = []
  ) {
    self.time = time
    self.device = device
    self.since = since
    self.kinds = kinds
  }
}
