/// A device was added or removed.
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

/// The kernel has dropped events of a device because nobody read them in time (`SYN_DROPPED`).
///
/// If the session reads the kernel's own events (touchpads, keyboards with consumed hotkeys,
/// recordings), everything in progress on the device is cancelled and its keys are released. All
/// other devices are read through libinput, which asks the kernel for the current state and reports
/// what has changed: there, everything goes on. What happened in between is unknown.
public struct LossEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the loss was noticed; events not read by then may be lost as well.
  public var time: EventTime
  public var device: DeviceID
  /// The device's last touch, key or button before the loss; later ones are missing. `nil` if there
  /// was none, or if the receiver of this event may not know it.
  public var since: EventTime?
  /// The kinds of event that may be missing. The schema does not include it, so it is empty in
  /// decoded events.
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
