import GlissConfiguration
import GlissEvents

/// Counts the steps of one ``Step`` along a gesture: how many intervals it has moved since its rule
/// was engaged.
///
/// The count depends only on where the gesture is, not on how often it is examined, so no step is
/// lost or doubled. If a bound in the steps' own unit engages the rule, steps count from that
/// bound, even though the event that reported it was slightly beyond.
struct StepCounter: BitwiseCopyable {
  /// The coordinate that counts, for rules without a heading.
  private enum Axis: BitwiseCopyable {
    case undecided, horizontal, vertical
  }

  /// What is counted, and in which intervals.
  struct Measure: BitwiseCopyable, Sendable {
    enum Unit: BitwiseCopyable {
      case millimetres, percent, degrees
    }

    var unit: Unit
    var interval: Double

    init(_ interval: Step.Interval) {
      switch interval {
      case .millimetres(let length): (unit, self.interval) = (.millimetres, length)
      case .percent(let share): (unit, self.interval) = (.percent, share)
      case .degrees(let angle): (unit, self.interval) = (.degrees, angle)
      }
    }
  }

  private let measure: Measure
  private let heading: Heading?
  private var axis = Axis.undecided
  private var origin = 0.0
  private var count = 0

  /// Starts counting where a rule with this `demand` is engaged.
  init(_ measure: Measure, of demand: Demand, from start: Measures) {
    self.measure = measure
    heading = demand.heading
    if demand.isEngaged(byOthersThan: measure.unit) {
      decideAxis(start)
      origin = position(start)
    } else if let bound = demand.bound(in: measure.unit), bound > 0 {
      decideAxis(start)
      let position = position(start)
      origin = position < 0 ? max(position, -bound) : min(position, bound)
    }
  }

  /// The number of steps since the last call: positive forward, negative back.
  mutating func steps(to now: Measures) -> Int {
    guard measure.interval > 0 else { return 0 }
    let intervals = (position(now) - origin) / measure.interval
    // decimal intervals are not exact in binary: a scale of 1.2 is the second step of 10 %
    let reached = Int(
      Int64(clamping: (intervals + (intervals < 0 ? -1e-9 : 1e-9)).rounded(.towardZero)))
    if reached != 0 { decideAxis(now) }
    defer { count = reached }
    return reached &- count
  }

  private mutating func decideAxis(_ now: Measures) {
    if case .undecided = axis { axis = Self.mainAxis(of: now.event.translationInMillimetres) }
  }

  private static func mainAxis(of motion: Vector2) -> Axis {
    abs(motion.x) >= abs(motion.y) ? .horizontal : .vertical
  }

  private func position(_ now: Measures) -> Double {
    switch measure.unit {
    case .percent: return (heading == .inward ? 1 - now.event.scale : now.event.scale - 1) * 100
    case .degrees:
      return now.event.rotation * 180 / .pi * (heading == .clockwise ? -1 : 1)
    case .millimetres:
      let motion = now.event.translationInMillimetres
      if let unit = heading?.unit { return motion.dot(unit) }
      var axis = axis
      if case .undecided = axis { axis = Self.mainAxis(of: motion) }
      return axis == .vertical ? motion.y : motion.x
    }
  }
}

extension Demand {
  /// The bound in that unit that engages the rule; `nil` if there is none.
  fileprivate func bound(in unit: StepCounter.Measure.Unit) -> Double? {
    switch unit {
    case .millimetres: travel?.minimum
    case .percent: nearScale.map { (heading == .inward ? 1 - $0 : $0 - 1) * 100 }
    case .degrees: turn?.minimum
    }
  }

  /// Whether a bound in another unit may be what engages the rule.
  fileprivate func isEngaged(byOthersThan unit: StepCounter.Measure.Unit) -> Bool {
    if speed?.minimum != nil || duration?.minimum != nil { return true }
    return switch unit {
    case .millimetres: nearScale != nil || turn?.minimum != nil
    case .percent: travel?.minimum != nil || turn?.minimum != nil
    case .degrees: travel?.minimum != nil || nearScale != nil
    }
  }
}

extension Int64 {
  /// The nearest integer in range; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.max(-9e15, Swift.min(9e15, value)))
  }
}
