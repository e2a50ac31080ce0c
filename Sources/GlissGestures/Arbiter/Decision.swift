package import GlissEvents

/// The rule behind a decision: why the fingers were given the meaning they were given.
package enum DecisionRule: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// One meaning leaves less motion unexplained than the others, by more than noise.
  case lead
  /// As ``lead``, for the case that one of two fingers lies still while the other moves.
  case still
  /// No meaning has the lead it needs, but the fingers have moved too far to wait.
  case patience
  /// The fingers left before any meaning had the lead it needed.
  case lift
  /// Within the correction window, a decided gesture turned out to be another kind.
  case correction
  /// One finger only rests. The others are weighed without it; a single other one points.
  case resting
  /// The fingers came in over an edge.
  case edge
  /// One finger moved right after a tap.
  case afterTap
  /// The fingers left within the time and motion of a tap.
  case tap
  /// The fingers lay still for the duration of a hold.
  case hold
  /// The fingers left without making a gesture.
  case nothing

  /// The name used in tables and JSON.
  package var name: String { rawValue }
}

/// The last reason why a decision had to wait although its numbers were clear.
package enum DecisionWait: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// More fingers may land or lift, or the pad was clicked (`grace` of `landing`, `lift`, `click`).
  case grace
  /// The fingers may still be a tap (`tap.slide`).
  case tap
  /// The pad was clicked, and the fingers have not moved far since (`click.travel`).
  case click
  /// A resting finger begins to move with the others, and may join them (`thumb.wakeTravel`).
  case thumb
  /// The pad reports the two fingers as one contact, which moves whatever they do.
  case merged
  /// A contact made a sudden step, and may come back in the next frame.
  case jump
}

/// A measured time and its limit, in ms: stillness for a hold, contact for a tap.
package struct TimedEvidence: Hashable, Sendable, BitwiseCopyable {
  /// What was measured, in ms.
  package var measured: Double
  /// What is needed at least, or allowed at most, in ms.
  package var required: Double
  /// Whether ``measured`` must not exceed ``required``, as for a tap.
  package var isLimit = false

  package var isMet: Bool { isLimit ? measured <= required : measured >= required }
}

/// One decision of the recognizer, with the numbers it was based on.
@dynamicMemberLookup
package struct Decision: Sendable, BitwiseCopyable {
  /// When it was taken, on the source's clock, and how the meanings compared then.
  package let evidence: Evidence
  /// When the fingers last changed; for `tap`, `hold` and `nothing`, when the first one landed.
  package var landed: EventTime
  /// When motion first exceeded the noise; `nil` if it never did.
  package var onset: EventTime?
  /// How many other contacts were left out: resting thumbs, palms.
  package var resting: Int
  /// Which of the fingers only rests, counted from 1 in order of landing, for the rule `resting`.
  package var rested: Int?
  /// The touch of that finger.
  package var restedTouch: TouchID?
  /// What was decided; `nil` if there was no gesture (pointing, a resting hand, drumming).
  package var outcome: GestureKind?
  /// The rule behind it.
  package var rule: DecisionRule
  /// Speed of the farthest finger then, in mm/s: slow ones need a larger lead. 0 if not relevant.
  package var speed: Double
  /// What the decision waited for besides its lead; `nil` if nothing.
  package var waited: DecisionWait?
  /// The time or stillness measured, for `tap`, `hold` and `nothing`.
  package var timed: TimedEvidence?
  /// Why the fingers were not a tap, if they left without a decision.
  package var tapFault: TapFault?
  /// How far each of the first 5 fingers moved, in mm, in order of landing: from the baseline; from
  /// where it was when their number changed for `lift` and `hold`; from landing for `edge`, and at
  /// most for `tap` and `nothing`. NaN for fingers that had left or are not shown.
  package var travel: InlineArray<5, Double>
  /// Which fingers ``travel`` is of.
  package var touches: InlineArray<5, TouchID?>
  /// The fitted parts of the fingers' motion, in mm of finger travel: together, apart and around.
  package let together: Double
  package let apart: Double
  package let around: Double
  /// Distance of the outermost finger from the middle, as a multiple of the fingers' RMS distance.
  package let reach: Double
  /// Frame-to-frame noise of the measured position, in mm (standard deviation).
  package var jitter: Double

  init(
    _ evidence: Evidence, _ weighing: Weighing, _ outcome: GestureKind?, _ rule: DecisionRule,
    _ hand: borrowing Hand, landed: EventTime, from origin: KeyPath<Finger, Vector2>
  ) {
    self.evidence = evidence
    self.landed = landed
    self.outcome = outcome
    self.rule = rule
    speed = weighing.speed
    together = weighing.fit.travelTogether
    apart = weighing.fit.travelApart
    around = weighing.fit.travelAround
    reach = weighing.fit.reach
    let isWhole = rule == .tap || rule == .nothing
    travel = hand.ofFirst(none: .nan) {
      isWhole ? $0.squaredWay.squareRoot() : ($0.position - $0[keyPath: origin]).length
    }
    touches = hand.ofFirst(none: nil) { $0.id }
    jitter = hand.jitter
    resting = hand.fingers.count - hand.tracked
  }

  package subscript<Value>(dynamicMember member: KeyPath<Evidence, Value>) -> Value {
    evidence[keyPath: member]
  }
}

/// How the possible meanings of the fingers compare after a frame.
package struct Evidence: Sendable, BitwiseCopyable {
  package var time: EventTime
  package var device: DeviceID
  /// How many fingers take part.
  package var fingers: Int
  /// What each meaning leaves unexplained, in mm.
  package var costs: Costs
  /// By how much the cheapest meaning leads, and the lead it needs, in mm.
  package var lead: Double
  package var needed: Double

  /// The cost of the cheapest meaning.
  package var least: Double { min(costs.drag, costs.still, costs.pinch, costs.rotate, costs.rest) }
}
