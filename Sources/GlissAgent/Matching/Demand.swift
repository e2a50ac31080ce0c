import GlissConfiguration
import GlissEvents

/// A rule's gesture condition in a form suited to matching. Nothing in it is on the heap.
struct Demand: BitwiseCopyable, Sendable {
  var kind: GestureKind
  var fewestFingers: Int
  var mostFingers: Int
  var heading: Heading?
  var edge: Edge?
  var count: Int?
  var isAfterTap: Bool?
  /// The left modifier of each pair stands for either side.
  var modifiers: Modifiers?
  var travel: Bounds?
  var scale: Bounds?
  var turn: Bounds?
  var speed: Bounds?
  var duration: Bounds?
  var rest: Bounds?
  /// The number of the rule's mode; 0 for none.
  var mode: Int
  /// The number of the rule's device match; `nil` for any device.
  var match: Int?

  init(_ condition: GestureCondition, mode: Int, match: Int?) {
    kind = condition.kind
    fewestFingers = condition.fingers?.lowerBound ?? 0
    mostFingers = condition.fingers?.upperBound ?? .max
    heading = condition.sense.map { Heading($0) }
    edge = condition.edge
    count = condition.count
    isAfterTap = condition.isAfterTap
    modifiers = condition.modifiers?.eitherSide
    travel = condition.travel
    scale = condition.scale
    turn = condition.turn
    speed = condition.speed
    duration = condition.duration
    rest = condition.rest
    self.mode = mode
    self.match = match
  }

  /// The scale bound that must be reached: the upper one for inward pinches. The other one must not
  /// be passed.
  var nearScale: Double? { heading == .inward ? scale?.maximum : scale?.minimum }

  /// What a gesture of this kind must reach first, in the unit of ``Measures/progress(towards:)``.
  var threshold: Double {
    let bound: Double? =
      switch kind {
      case .drag, .swipe, .edgeSwipe: travel?.minimum
      case .pinch: nearScale.map { heading == .inward ? 1 / $0 : $0 }
      case .rotate: turn?.minimum
      case .hold: duration?.minimum
      case .tap: nil
      }
    guard let bound else { return -.infinity }
    return bound.isNaN ? .infinity : bound
  }

  // MARK: Judging

  /// The unmet conditions among those that are settled when a gesture begins. The gesture must be
  /// of the rule's kind. Mode and device are judged elsewhere.
  func unmetAtStart(_ start: GestureEvent, modifiers held: Modifiers, rest: Double) -> Unmet {
    var unmet: Unmet = []
    if start.fingers < fewestFingers || start.fingers > mostFingers { unmet.insert(.fingers) }
    if let edge, edge != start.edge { unmet.insert(.edge) }
    if let count, count != start.count { unmet.insert(.count) }
    if let isAfterTap, isAfterTap != start.isAfterTap { unmet.insert(.afterTap) }
    if let modifiers, modifiers != held { unmet.insert(.modifiers) }
    if let bounds = self.rest, !bounds.contains(rest) { unmet.insert(.rest) }
    return unmet
  }

  /// The currently unmet conditions among those that change during a gesture.
  func unmet(_ now: Measures) -> Unmet {
    var unmet: Unmet = []
    if let heading, heading != now.heading { unmet.insert(.heading) }
    Self.judge(now.travel, travel, below: .tooShort, above: .tooFar, &unmet)
    Self.judge(now.turn, turn, below: .tooLittleTurned, above: .tooMuchTurned, &unmet)
    Self.judge(now.speed, speed, below: .tooSlow, above: .tooFast, &unmet)
    Self.judge(now.duration, duration, below: .tooBrief, above: .tooLong, &unmet)
    if heading == .inward {
      Self.judge(now.event.scale, scale, below: .tooMuchScaled, above: .tooLittleScaled, &unmet)
    } else {
      Self.judge(now.event.scale, scale, below: .tooLittleScaled, above: .tooMuchScaled, &unmet)
    }
    return unmet
  }

  private static func judge(
    _ value: Double, _ bounds: Bounds?, below: Unmet, above: Unmet, _ unmet: inout Unmet
  ) {
    guard let bounds else { return }
    if let minimum = bounds.minimum, !(value >= minimum) { unmet.insert(below) }
    if let maximum = bounds.maximum, !(value <= maximum) { unmet.insert(above) }
  }
}

extension Measures {
  /// The value to compare with ``Demand/threshold``, for rules with that heading.
  func progress(towards heading: Heading?) -> Double {
    switch event.kind {
    case .drag, .swipe, .edgeSwipe: travel
    case .pinch: heading == .inward ? 1 / event.scale : event.scale
    case .rotate: turn
    case .hold: duration
    case .tap: 0
    }
  }
}
