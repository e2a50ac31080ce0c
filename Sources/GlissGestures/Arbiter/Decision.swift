public import GlissEvents

/// The rule that ended a wait: why the fingers were taken for what they were taken for.
public enum DecisionRule: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// One meaning left so much less unexplained than all others that the noise cannot have done it.
  case lead
  /// The same, and the meaning is that one of two fingers lies still beside one that moves.
  case still
  /// No meaning had the lead it needed, but the fingers have gone too far to wait: the cheapest won.
  case patience
  /// The fingers left before any meaning had the lead it needed; the cheapest won.
  case lift
  /// A decided gesture turned out to be another kind within the correction window.
  case correction
  /// A finger rests, and a single other one moves: pointing.
  case resting
  /// The fingers came in over an edge.
  case edge
  /// One finger moved right after a tap.
  case afterTap
  /// The fingers left within a tap's time and motion.
  case tap
  /// The fingers lay still for a hold's time.
  case hold
  /// The fingers left and were nothing.
  case nothing

  /// A word for tables and JSON.
  public var name: String { rawValue }
}

/// What kept a decision that was clear by its numbers from being taken, the last time it did.
public enum DecisionWait: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// More fingers may land, or the ones that are left may lift (`landing.grace`, `lift.grace`), or the pad was clicked
  /// (`click.grace`).
  case grace
  /// The fingers may still tap (`tap.slide`).
  case tap
  /// The pad was clicked, and the fingers have not gone far since (`click.travel`).
  case click
}

/// A time that decided, and the time it was held against, in ms: for a hold stillness, for a tap contact.
public struct TimedEvidence: Hashable, Sendable, BitwiseCopyable {
  public var measured: Double
  public var required: Double
  /// Whether ``measured`` must stay below ``required``, as a tap's time must.
  public var isLimit: Bool

  public init(measured: Double, required: Double, isLimit: Bool = false) {
    self.measured = measured
    self.required = required
    self.isLimit = isLimit
  }

  /// Whether the requirement was met.
  public var isMet: Bool { isLimit ? measured <= required : measured >= required }
}

/// One decision of the recognizer, with the very numbers it was taken on.
public struct Decision: Sendable, BitwiseCopyable {
  public var time: EventTime
  public var device: DeviceID
  /// When the number of these fingers last changed; for taps, holds and nothing the first landing.
  public var landed: EventTime
  /// When motion left the noise; `nil` if it never did.
  public var onset: EventTime?
  public var fingers: Int
  /// What was decided; `nil` if the fingers were nothing (pointing, a resting hand, drumming).
  public var outcome: GestureKind?
  public var rule: DecisionRule
  /// What each meaning of the motion left unexplained, in mm.
  public var costs: Costs
  /// By how much the cheapest meaning led, in mm.
  public var lead: Double
  /// The lead it needed at that moment, in mm.
  public var needed: Double
  /// What the decision had to wait for beside its lead; `nil` if nothing.
  public var waited: DecisionWait?
  /// Time or stillness, for taps, holds and nothing.
  public var timed: TimedEvidence?
  /// Why it was no tap, if fingers left without a decision.
  public var tapFault: TapFault?
  /// Millimetres each finger had moved since motion was measured, or since it landed for taps, holds and nothing; in
  /// order of landing, the first 5. Zero for fingers that had gone before.
  public var travel: InlineArray<5, Double>
  /// How far the measured position trembles from frame to frame, in mm (standard deviation).
  public var jitter: Double

  init(
    time: EventTime, device: DeviceID, landed: EventTime, fingers: Int, outcome: GestureKind?,
    rule: DecisionRule, weighing: Weighing, _ configuration: GestureConfiguration, jitter: Double,
    travel: InlineArray<5, Double>
  ) {
    self.time = time
    self.device = device
    self.landed = landed
    self.fingers = fingers
    self.outcome = outcome
    self.rule = rule
    let best = weighing.cheapest
    costs = weighing.costs
    lead = best.lead
    needed = weighing.needed(best, configuration)
    self.travel = travel
    self.jitter = jitter
  }
}
