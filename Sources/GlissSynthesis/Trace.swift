public import GlissEvents

/// A stroke as a pad's driver reported it, and what it was meant to be.
public struct Trace: Sendable {
  public var device: Device
  /// In order of time; frames end with `SYN_REPORT`.
  public var events: [EvdevEvent]
  public var truth: Truth

  public init(device: Device, events: [EvdevEvent], truth: Truth) {
    self.device = device
    self.events = events
    self.truth = truth
  }
}

/// What a trace was meant to be, and when.
public struct Truth: Hashable, Sendable {
  /// A gesture that would be a right answer.
  public struct Expectation: Hashable, Sendable {
    public var kind: GestureKind
    public var fingers: Int
    /// The directions that count as right, of the four; `nil` if there is no direction.
    public var directions: Set<Direction>?
    /// 1 if the fingers move apart, -1 if they come together.
    public var scaleSign: Int?
    /// 1 counter-clockwise as the user sees it, -1 clockwise.
    public var rotationSign: Int?
    /// The number of consecutive taps.
    public var count: Int?
    public var edge: Edge?
    public var isAfterTap = false

    public init(_ kind: GestureKind, fingers: Int) {
      self.kind = kind
      self.fingers = fingers
    }
  }

  /// The class the trace was made for.
  public var className: String
  /// Any one of these is right; if it is empty, no gesture is expected.
  public var expected: [Expectation]
  /// Kinds that may occur in addition to the expected one.
  public var tolerated: Set<GestureKind>
  /// When the first intended motion began: the minimum-jerk profile's start, or the landing if that
  /// is later.
  public var strokeStart: EventTime?
  /// When a finger was first 0.1 mm from where it landed by its intended motion alone.
  public var onset: EventTime?
  /// When the last participating finger landed.
  public var landed: EventTime
  /// When the first participating finger lifted for the last time.
  public var lifted: EventTime
}
