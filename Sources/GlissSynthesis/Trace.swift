public import GlissEvents
public import GlissSession

/// A stroke as a pad's driver reported it, and what it was meant to be.
public struct Trace: Sendable {
  /// The pad's description of itself.
  public var device: Device
  /// In order of time; frames end with `SYN_REPORT`.
  public var events: [EvdevEvent]
  /// What the stroke was meant to be.
  package var truth: Truth

  /// A trace of events in order of time.
  package init(device: Device, events: [EvdevEvent], truth: Truth) {
    self.device = device
    self.events = events
    self.truth = truth
  }
}

/// What a trace was meant to be, and when.
package struct Truth: Hashable, Sendable {
  /// A gesture that would be a right answer.
  package struct Expectation: Hashable, Sendable {
    /// The kind of gesture.
    package var kind: GestureKind
    /// How many fingers make it.
    package var fingers: Int
    /// The directions that count as right, of the four; `nil` if there is no direction.
    package var directions: Set<Direction>?
    /// 1 if the fingers move apart, -1 if they come together.
    package var scaleSign: Int?
    /// 1 counter-clockwise as the user sees it, -1 clockwise.
    package var rotationSign: Int?
    /// The number of consecutive taps.
    package var count: Int?
    /// The edge that an edge swipe comes over.
    package var edge: Edge?
    /// Whether it is a drag of one finger right after a tap.
    package var isAfterTap = false

    /// An expectation about the kind and the fingers only.
    package init(_ kind: GestureKind, fingers: Int) {
      self.kind = kind
      self.fingers = fingers
    }
  }

  /// The class the trace was made for.
  package var className: String
  /// Any one of these is right; if it is empty, no gesture is expected.
  package var expected: [Expectation]
  /// Kinds that may occur in addition to the expected one.
  package var tolerated: Set<GestureKind>
  /// When the first intended motion began: the minimum-jerk profile's start, or the landing if that
  /// is later.
  package var strokeStart: EventTime?
  /// When a finger was first 0.1 mm from where it landed by its intended motion alone.
  package var onset: EventTime?
  /// When the last participating finger landed.
  package var landed: EventTime
  /// When the first participating finger lifted for the last time.
  package var lifted: EventTime
}

/// Plays a synthesized stroke into a session like a recording.
extension Trace: Source {
  public func run(into session: Session) {
    let id = session.add(device)
    for event in events { session.process(event, from: id) }
    session.finish()
  }
}
