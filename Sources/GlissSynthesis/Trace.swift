public import GlissEvents

/// A stroke as a pad's driver reported it, and what it was.
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
    /// Which ways count as right, of the four; `nil` where there is no direction.
    public var directions: Set<Direction>?
    /// 1 where the fingers go apart, -1 where they come together.
    public var scaleSign: Int?
    /// 1 counter-clockwise as the user sees it, -1 clockwise.
    public var rotationSign: Int?
    /// How many taps in a row.
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
  /// Any one of these is right; none expected where it is empty.
  public var expected: [Expectation]
  /// Kinds that may come beside what is expected.
  public var tolerated: Set<GestureKind>
  /// When the first meant motion began: the minimum-jerk profile's start, or the landing where that is later.
  public var strokeStart: EventTime?
  /// When a finger had first come 0.1 mm from where it landed by its meant motion alone.
  public var onset: EventTime?
  /// When the last finger that takes part landed.
  public var landed: EventTime
  /// When the first finger that takes part lifted for the last time.
  public var lifted: EventTime
}
