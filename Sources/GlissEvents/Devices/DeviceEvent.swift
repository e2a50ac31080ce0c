/// A device was added or removed.
public struct DeviceEvent: Hashable, Sendable, BitwiseCopyable {
  /// Whether a device came or went.
  package enum Change: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// It was plugged in, or was there at the beginning.
    case added
    /// It was unplugged, or reading it failed. Nothing more comes from it.
    case removed

    /// The word in the event schema.
    package var name: String {
      switch self {
      case .added: "added"
      case .removed: "removed"
      }
    }
  }

  /// When the source noticed.
  public var time: EventTime
  /// The device, by its number in the session.
  public var device: DeviceID
  /// Whether it came or went.
  package var change: Change

  /// Whether it was plugged in, or was there at the beginning; otherwise it was unplugged, or reading
  /// it failed, and nothing more comes from it.
  public var isAdded: Bool { change == .added }

  /// The arrival or the end of a device.
  public init(time: EventTime, device: DeviceID, isAdded: Bool) {
    self.init(time: time, device: device, change: isAdded ? .added : .removed)
  }

  package init(time: EventTime, device: DeviceID, change: Change) {
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
  /// The device whose events were dropped.
  public var device: DeviceID
  /// The device's last touch, key or button before the loss; later ones are missing. `nil` if there
  /// was none, or if the receiver of this event may not know it.
  public var since: EventTime?
  /// The kinds of event that may be missing. The schema does not include it, so it is empty in
  /// decoded events.
  public var kinds: EventMask

  /// A loss on a device that lasted until `time`.
  public init(
    time: EventTime, device: DeviceID, since: EventTime? = nil, kinds: EventMask = []
  ) {
    self.time = time
    self.device = device
    self.since = since
    self.kinds = kinds
  }
}
