import Glibc
import GlissConfiguration
import GlissEvents

/// Counts the steps of one ``Step`` along a gesture: how many intervals it has moved since its rule
/// was engaged.
///
/// The count depends only on where the gesture is, not on how often it is examined, so no step is
/// lost or doubled. If a bound in the steps' own unit engages the rule, steps count from that
/// bound, even though the event that reported it was slightly beyond.
struct StepCounter: Sendable {
  private let interval: Step.Interval
  private let condition: GestureCondition
  /// The coordinate that counts, for rules without a direction; `nil` while it is not decided.
  private var isVertical: Bool?
  private var origin = 0.0
  private var count = 0
  /// When the next repetition is due; `nil` unless steps are counted by time.
  private(set) var due: EventTime?

  init(_ interval: Step.Interval, of condition: GestureCondition, from gesture: MeasuredGesture) {
    self.interval = interval
    self.condition = condition
    if case .milliseconds(let period) = interval {
      due = gesture.now.time + .milliseconds(period)
    } else if condition.isEngaged(byOthersThan: interval) {
      decideAxis(gesture.now)
      origin = position(gesture.now)
    } else if let bound = condition.bound(for: interval), bound > 0 {
      decideAxis(gesture.now)
      let position = position(gesture.now)
      origin = position < 0 ? max(position, -bound) : min(position, bound)
    }
  }

  /// The number of steps since the last call: positive forward, negative back. A repetition is one
  /// step, at the time that ``due`` names. Nothing repeats while the rule's conditions are not met.
  mutating func steps(to gesture: MeasuredGesture) -> Int {
    guard interval.length > 0 else { return 0 }
    if let due {
      guard gesture.now.time >= due else { return 0 }
      self.due = due + .milliseconds(interval.length)
      return condition.unmetNow(by: gesture, isOver: false).isEmpty ? 1 : 0
    }
    let intervals = (position(gesture.now) - origin) / interval.length
    // decimal intervals are not exact in binary: a scale of 1.2 is the second step of 10 %
    let reached = Int(
      Int64(clamping: (intervals + (intervals < 0 ? -1e-9 : 1e-9)).rounded(.towardZero)))
    if reached != 0 { decideAxis(gesture.now) }
    defer { count = reached }
    return reached &- count
  }

  private mutating func decideAxis(_ now: GestureEvent) {
    isVertical = isVertical ?? Self.isVertical(now.translation.millimetres)
  }

  private static func isVertical(_ motion: Vector2) -> Bool { !(abs(motion.x) >= abs(motion.y)) }

  private func position(_ now: GestureEvent) -> Double {
    switch interval {
    case .percent: return log(now.scale) * (condition.sense == .inward ? -1 : 1)
    case .milliseconds: return 0
    case .degrees: return now.rotation * 180 / .pi * (condition.sense == .clockwise ? -1 : 1)
    case .millimetres:
      let motion = now.translation.millimetres
      switch condition.sense {
      case .towards(let direction): return motion.dot(direction.unit)
      case .horizontal: return motion.x
      case .vertical: return motion.y
      case nil, .inward, .outward, .clockwise, .counterclockwise: break
      }
      return isVertical ?? Self.isVertical(motion) ? motion.y : motion.x
    }
  }
}

extension Step.Interval {
  fileprivate var length: Double {
    switch self {
    case .millimetres(let length), .degrees(let length), .milliseconds(let length): length
    // each step multiplies, so there are as many on the way in as on the way out
    case .percent(let share): log(1 + share / 100)
    }
  }
}

extension GestureCondition {
  /// The scale that must be reached.
  private var nearScale: Double? { sense == .inward ? scale?.maximum : scale?.minimum }

  /// The bound in the unit of `interval` that engages the rule; `nil` without one.
  fileprivate func bound(for interval: Step.Interval) -> Double? {
    switch interval {
    case .millimetres: travel?.minimum
    case .percent: nearScale.map { abs(log($0)) }
    case .degrees: turn?.minimum
    case .milliseconds: nil
    }
  }

  /// Whether a bound in another unit may be what engages the rule.
  fileprivate func isEngaged(byOthersThan interval: Step.Interval) -> Bool {
    if speed?.minimum != nil || duration?.minimum != nil { return true }
    return switch interval {
    case .millimetres: nearScale != nil || turn?.minimum != nil
    case .percent: travel?.minimum != nil || turn?.minimum != nil
    case .degrees: travel?.minimum != nil || nearScale != nil
    case .milliseconds: false
    }
  }
}

extension Int64 {
  /// The nearest integer in range; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.max(-9e15, Swift.min(9e15, value)))
  }
}
