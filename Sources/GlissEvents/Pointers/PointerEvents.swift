/// A mouse or trackpoint moved.
public struct MotionEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// The mouse.
  public var device: DeviceID
  /// Accelerated with libinput's default, in libinput's unit: counts of a mouse with 1000 counts
  /// per inch; y points down.
  public var delta: Vector2

  /// A motion by `delta`.
  public init(time: EventTime, device: DeviceID, delta: Vector2) {
    self.time = time
    self.device = device
    self.delta = delta
  }
}

/// A wheel turned, or a button was held and the device moved.
public struct ScrollEvent: Hashable, Sendable, BitwiseCopyable {
  /// What was moved.
  public enum Source: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// A wheel: its delta is in degrees of a wheel with 24 notches, so 15 is a notch of any wheel.
    case wheel
    /// A finger on something other than a touchpad; its delta is in the unit of motion.
    case finger
    /// Any other source without notches, such as a trackpoint with a button held; in the unit of
    /// motion.
    case continuous
  }

  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// The device that scrolls.
  public var device: DeviceID
  /// What scrolls.
  public var source: Source
  /// The amount: positive to the right and down.
  public var delta: Vector2

  /// A step of scrolling by `delta`.
  public init(time: EventTime, device: DeviceID, source: Source, delta: Vector2) {
    self.time = time
    self.device = device
    self.source = source
    self.delta = delta
  }
}
