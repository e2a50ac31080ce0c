/// A mouse or trackpoint moved.
public struct MotionEvent: Hashable, Sendable, BitwiseCopyable {
  public var time: EventTime
  public var device: DeviceID
  /// Accelerated as libinput does it by default, in its unit: counts of a mouse with 1000 to the inch; y down.
  public var delta: Vector2

  public init(time: EventTime, device: DeviceID, delta: Vector2) {
    self.time = time
    self.device = device
    self.delta = delta
  }
}

/// A wheel turned, or a button was held and the device moved.
public struct ScrollEvent: Hashable, Sendable, BitwiseCopyable {
  /// What was moved.
  public enum Source: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// A wheel: its delta is in degrees, 15 to the notch of most mice.
    case wheel
    /// A finger on something that is no touchpad; its delta is in the unit of motion.
    case finger
    /// Anything else without notches, such as a trackpoint beside a held button; in the unit of motion.
    case continuous

    /// The word in the event schema.
    public var name: String {
      switch self {
      case .wheel: "wheel"
      case .finger: "finger"
      case .continuous: "continuous"
      }
    }
  }

  public var time: EventTime
  public var device: DeviceID
  public var source: Source
  /// How far: positive to the right and down.
  public var delta: Vector2

  public init(time: EventTime, device: DeviceID, source: Source, delta: Vector2) {
    self.time = time
    self.device = device
    self.source = source
    self.delta = delta
  }
}
