import GlissConfiguration
import GlissEvents

/// Counts the steps of one ``Step`` along a gesture: how many intervals it has gone on from where its rule was engaged.
///
/// The count is a function of where the gesture is, not of how often it was looked at, so no step is lost or doubled.
/// Where a bound that is measured like the steps engages the rule, they count from that bound, though the event that told
/// of it was a little beyond.
struct StepCounter: BitwiseCopyable {
  /// Which of two coordinates counts, for rules that do not say where to.
  private enum Axis: BitwiseCopyable {
    case undecided, horizontal, vertical
  }

  /// What is counted, and how.
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

  /// Counts from where a rule that asks for `demand` is engaged.
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

  /// How many steps it has gone since it was asked last: on where positive, back where negative.
  mutating func steps(to now: Measures) -> Int {
    guard measure.interval > 0 else { return 0 }
    let intervals = (position(now) - origin) / measure.interval
    // decimal intervals are no binary numbers: 1.2 is the second step of 10 %
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
  /// The bound that engages the rule, as far as it is measured in that unit; `nil` where there is none.
  fileprivate func bound(in unit: StepCounter.Measure.Unit) -> Double? {
    switch unit {
    case .millimetres: travel?.minimum
    case .percent: nearScale.map { (heading == .inward ? 1 - $0 : $0 - 1) * 100 }
    case .degrees: turn?.minimum
    }
  }

  /// Bounds that are measured otherwise may engage the rule.
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
  /// The nearest integer that exists; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.max(-9e15, Swift.min(9e15, value)))
  }
}
