import Glibc
import GlissConfiguration
import GlissEvents

/// A gesture as rules see it: how it began, and where it is now.
struct MeasuredGesture: Sendable {
  /// Its first event. Kind, fingers, edge and taps count as they are here.
  let start: GestureEvent
  var now: GestureEvent
  /// The modifiers held when it began, with the left one standing for either of a pair.
  let modifiers: Modifiers
  /// The mode in which it began.
  let mode: String?
  /// The time since the device's previous gesture, in ms.
  let rest: Double
  /// The index in ``RuleTable/settingSets`` of the settings it was recognized with.
  let stream: Int
  /// `nil` if it is not known.
  let device: RuleDevice?
  /// What had the focus when it began.
  let focus: RuleFocus
  /// Directions are judged by sectors of 45°, not 90°.
  var usesEight = false

  /// The direction that a gesture of that kind would have; `nil` if it has none.
  func sense(as kind: GestureKind) -> GestureCondition.Sense? {
    switch kind {
    case .drag, .swipe, .edgeSwipe:
      let known = kind == now.kind ? (usesEight ? now.direction8 : now.direction) : nil
      let motion = now.translation.millimetres
      return (known ?? (usesEight ? Direction.ofEight(motion) : Direction.ofFour(motion)))
        .map { .towards($0) }
    case .pinch: return now.scale == 1 ? nil : now.scale < 1 ? .inward : .outward
    case .rotate: return now.rotation == 0 ? nil : now.rotation < 0 ? .clockwise : .counterclockwise
    case .tap, .hold: return nil
    }
  }
}

/// The conditions of a rule that a gesture does not meet.
struct Unmet: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// One condition. They are reported in this order.
  enum Condition: UInt16, CaseIterable {
    case gesture, fingers, direction, edge, count, afterTap, travel, scale, turn, speed, duration
    case rest, modifiers, mode, device, application
  }

  let rawValue: UInt16
  init(rawValue: UInt16) { self.rawValue = rawValue }
  init(_ condition: Condition) { rawValue = 1 << condition.rawValue }

  var conditions: [Condition] { Condition.allCases.filter { contains(Unmet($0)) } }
  var count: Int { rawValue.nonzeroBitCount }

  /// The conditions on what kind of stroke it is.
  static let motion = [.gesture, .fingers, .direction, .edge, .count, .afterTap].reduce(
    into: Unmet()
  ) { (unmet, condition: Condition) in unmet.insert(Unmet(condition)) }

  /// The numeric conditions that change during a gesture.
  fileprivate static let numeric: [Condition] = [.travel, .scale, .turn, .speed, .duration]
}

extension RuleTable {
  /// The conditions settled at a gesture's beginning that `gesture` does not meet.
  ///
  /// - Parameter ignoringDevice: whether the device, whose name is costly to compare, may be left
  ///   out if something else is not met.
  func unmetAtStart(
    _ rule: Int, _ condition: GestureCondition, by gesture: MeasuredGesture,
    ignoringDevice: Bool = false
  ) -> Unmet {
    var unmet: Unmet = []
    let start = gesture.start
    if condition.kind == start.kind {
      if let edge = condition.edge, edge != start.edge { unmet.insert(Unmet(.edge)) }
      if let count = condition.count, count != start.count { unmet.insert(Unmet(.count)) }
      if let isAfterTap = condition.isAfterTap, isAfterTap != start.isAfterTap {
        unmet.insert(Unmet(.afterTap))
      }
    } else {
      // edge, count and afterTap only apply to gestures of the rule's kind
      unmet.insert(Unmet(.gesture))
    }
    if let fingers = condition.fingers, !fingers.contains(start.fingers) {
      unmet.insert(Unmet(.fingers))
    }
    if let rest = condition.rest, !rest.contains(gesture.rest) { unmet.insert(Unmet(.rest)) }
    if let modifiers = condition.modifiers, modifiers.eitherSide != gesture.modifiers {
      unmet.insert(Unmet(.modifiers))
    }
    if configuration.rules[rule].mode != gesture.mode { unmet.insert(Unmet(.mode)) }
    if !gesture.focus.isMet[rule] { unmet.insert(Unmet(.application)) }
    if ignoringDevice, !unmet.isEmpty { return unmet }
    if !configuration.rules[rule].isFor(gesture.device) { unmet.insert(Unmet(.device)) }
    return unmet
  }
}

extension GestureCondition {
  /// The conditions that change during a gesture and that `gesture` does not meet now.
  ///
  /// - Parameter isOver: upper bounds count, as they do when a gesture has ended.
  func unmetNow(by gesture: MeasuredGesture, isOver: Bool) -> Unmet {
    var unmet: Unmet = []
    if !isMet(by: gesture.sense(as: kind)) { unmet.insert(Unmet(.direction)) }
    for condition in Unmet.numeric {
      guard let (asked, value) = measure(condition, of: gesture) else { continue }
      var bounds = asked
      if !isOver {
        // an inward pinch shrinks, so its lower bound is the one that counts only at the end
        if condition == .scale, sense == .inward {
          bounds.minimum = nil
        } else {
          bounds.maximum = nil
        }
      }
      if !bounds.contains(value) { unmet.insert(Unmet(condition)) }
    }
    return unmet
  }

  /// The bounds that a numeric condition sets, and the value they apply to; `nil` if it sets none,
  /// and for other conditions.
  func measure(
    _ condition: Unmet.Condition, of gesture: MeasuredGesture
  ) -> (bounds: Bounds, value: Double)? {
    let now = gesture.now
    return switch condition {
    case .travel: travel.map { ($0, now.translation.millimetres.length) }
    case .scale: scale.map { ($0, now.scale) }
    case .turn: turn.map { ($0, abs(now.rotation) * 180 / .pi) }
    case .speed: speed.map { ($0, now.velocity.length) }
    case .duration: duration.map { ($0, (now.time - gesture.start.time).milliseconds) }
    case .rest: rest.map { ($0, gesture.rest) }
    case .gesture, .fingers, .direction, .edge, .count, .afterTap, .modifiers, .mode, .device,
      .application:
      nil
    }
  }
}

extension Modifiers {
  /// With the right modifier of each pair replaced by the left, whose bit is the one below.
  var eitherSide: Modifiers {
    let right = intersection([.rightShift, .rightControl, .rightSuper])
    return subtracting(right).union(Modifiers(rawValue: right.rawValue >> 1))
  }
}

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
    if interval.unit == .milliseconds {
      due = gesture.now.time + .milliseconds(interval.length)
    } else if condition.isEngaged(byOthersThan: interval.unit) {
      decideAxis(gesture.now)
      origin = position(gesture.now)
    } else if let bound = condition.bound(in: interval.unit), bound > 0 {
      decideAxis(gesture.now)
      let position = position(gesture.now)
      origin = position < 0 ? max(position, -bound) : min(position, bound)
    }
  }

  /// The number of steps since the last call: positive forward, negative back. A repetition is one
  /// step, at the time that ``due`` names. Nothing repeats while the rule's conditions are not met.
  mutating func steps(to gesture: MeasuredGesture) -> Int {
    guard interval.span > 0 else { return 0 }
    if let due {
      guard gesture.now.time >= due else { return 0 }
      self.due = due + .milliseconds(interval.length)
      return condition.unmetNow(by: gesture, isOver: false).isEmpty ? 1 : 0
    }
    let intervals = (position(gesture.now) - origin) / interval.span
    // decimal intervals are not exact in binary: a scale of 1.2 is the second step of 10 %
    // counts must also add up for absurd intervals
    let whole = Int(Int64(saturating: intervals + (intervals < 0 ? -1e-9 : 1e-9)))
    let reached = max(-1 << 53, min(1 << 53, whole))
    if reached != 0 { decideAxis(gesture.now) }
    defer { count = reached }
    return reached &- count
  }

  private mutating func decideAxis(_ now: GestureEvent) {
    isVertical = isVertical ?? Self.isVertical(now.translation.millimetres)
  }

  private static func isVertical(_ motion: Vector2) -> Bool { !(abs(motion.x) >= abs(motion.y)) }

  private func position(_ now: GestureEvent) -> Double {
    switch interval.unit {
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
  /// The length on the scale on which positions are measured.
  fileprivate var span: Double {
    // each step multiplies, so there are as many on the way in as on the way out
    unit == .percent ? log(1 + length / 100) : length
  }
}

extension GestureCondition {
  /// The bound in that unit that engages the rule; `nil` without one.
  fileprivate func bound(in unit: Step.Interval.Unit) -> Double? {
    switch unit {
    case .millimetres: travel?.minimum
    case .percent: (sense == .inward ? scale?.maximum : scale?.minimum).map { abs(log($0)) }
    case .degrees: turn?.minimum
    case .milliseconds: nil
    }
  }

  /// Whether a bound in another unit may be what engages the rule.
  fileprivate func isEngaged(byOthersThan unit: Step.Interval.Unit) -> Bool {
    let others: [Step.Interval.Unit] = [.millimetres, .percent, .degrees]
    return speed?.minimum != nil || duration?.minimum != nil
      || others.contains { $0 != unit && bound(in: $0) != nil }
  }
}
