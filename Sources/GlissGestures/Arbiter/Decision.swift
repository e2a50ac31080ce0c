public import GlissEvents

/// The rule that ended a wait: why the fingers were taken for what they were taken for.
public enum DecisionRule: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// One kind's evidence beat all others by the dominance asked for.
  case dominance
  /// No kind beat the others by the dominance asked for, but the fingers have gone too far to wait: the longest travel
  /// won.
  case patience
  /// The fingers left before the evidence was complete; the longest travel won.
  case lift
  /// One finger lay still while another moved along the line between them.
  case anchoredAlong
  /// One finger lay still while another moved across the line between them, or lay there long before.
  case anchoredAcross
  /// A decided gesture turned out to be another kind within the correction window.
  case correction
  /// A thumb rested while one other finger moved: pointing.
  case restingThumb
  /// The fingers came in over an edge.
  case edge
  /// One finger moved right after a tap.
  case afterTap
  /// The fingers left within a tap's time and motion.
  case tap
  /// The fingers lay still for a hold's time.
  case hold
  /// Nothing reached its floor before the fingers left.
  case nothing

  /// A word for tables and JSON.
  public var name: String {
    switch self {
    case .dominance: "dominance"
    case .patience: "patience"
    case .lift: "lift"
    case .anchoredAlong: "anchoredAlong"
    case .anchoredAcross: "anchoredAcross"
    case .correction: "correction"
    case .restingThumb: "restingThumb"
    case .edge: "edge"
    case .afterTap: "afterTap"
    case .tap: "tap"
    case .hold: "hold"
    case .nothing: "nothing"
    }
  }
}

/// What speaks for one kind of gesture, as the arbiter weighed it.
public struct Evidence: Hashable, Sendable, BitwiseCopyable {
  public var kind: GestureKind
  /// Finger travel that speaks for the kind, in mm; for a hold, ms of stillness; for a tap, ms of contact.
  public var measured: Double
  /// What the kind needed at that moment, in the same unit: its floor plus what its rivals had.
  public var required: Double
  /// True where ``measured`` must stay *below* ``required`` (a tap's time and motion).
  public var isLimit: Bool

  public init(kind: GestureKind, measured: Double, required: Double, isLimit: Bool = false) {
    self.kind = kind
    self.measured = measured
    self.required = required
    self.isLimit = isLimit
  }

  /// Whether the requirement was met.
  public var isMet: Bool { isLimit ? measured <= required : measured >= required }
}

/// One decision of the arbiter, with the very numbers it decided on.
public struct Decision: Hashable, Sendable, BitwiseCopyable {
  public var time: EventTime
  public var device: DeviceID
  /// Since when these fingers are the ones: the last landing or lifting; for taps, holds and nothing the first landing.
  public var landed: EventTime
  /// When motion left the noise; `nil` where it never did.
  public var onset: EventTime?
  public var fingers: Int
  /// What was decided; `nil` where the fingers were taken for nothing (pointing, a resting hand, drumming).
  public var outcome: GestureKind?
  public var rule: DecisionRule
  public var drag: Evidence
  public var pinch: Evidence
  public var rotate: Evidence
  /// Time or stillness, for taps, holds and nothing.
  public var still: Evidence?
  /// Why it was no tap, where fingers left without a decision.
  public var tapFault: TapFault?
  /// Millimetres each finger had moved since motion was measured, or since it landed for taps, holds and nothing; in
  /// order of landing, the first 5. Zero for fingers that had gone before.
  public var travel: InlineArray<5, Double>
  /// How far the measured position trembles from frame to frame, in mm (standard deviation).
  public var jitter: Double

  public static func == (a: Self, b: Self) -> Bool {
    a.time == b.time && a.device == b.device && a.landed == b.landed && a.onset == b.onset
      && a.fingers == b.fingers && a.outcome == b.outcome && a.rule == b.rule && a.drag == b.drag
      && a.pinch == b.pinch && a.rotate == b.rotate && a.still == b.still
      && a.tapFault == b.tapFault && a.jitter == b.jitter
      && (0..<5).allSatisfy { a.travel[$0] == b.travel[$0] }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(device)
    hasher.combine(outcome)
    hasher.combine(rule)
  }
}
