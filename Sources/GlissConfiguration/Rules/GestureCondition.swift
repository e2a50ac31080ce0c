package import GlissEvents

/// The gestures that a rule applies to. All conditions that are set must hold.
///
/// A gesture *engages* a rule at the first event at which all conditions except the upper bounds
/// hold, and the rule stays engaged until the gesture ends. Upper bounds and the final direction
/// are checked at the end. Conditions that cannot change during the gesture are checked only at its
/// beginning: mode, modifiers, device, rest, kind, fingers, edge and taps.
package struct GestureCondition: Hashable, Sendable {
  package var kind: GestureKind
  package var fingers: ClosedRange<Int>?
  package var sense: Sense?
  package var edge: Edge?
  package var count: Int?
  /// Whether a drag with one finger comes right after a tap.
  package var isAfterTap: Bool?
  /// The distance of the centroid from where the gesture began, in mm.
  package var travel: Bounds?
  /// The width of a pinch relative to its beginning: 1.5 is half as wide again, 0.5 half as wide.
  /// Inward pinches must reach the upper bound; their lower bound is checked at the end.
  package var scale: Bounds?
  /// The angle a rotation has turned either way, in degrees.
  package var turn: Bounds?
  /// The speed of the fingers, in mm/s. At `end` it is their speed when they lifted.
  package var speed: Bounds?
  /// The duration of a hold, in ms.
  package var duration: Bounds?
  /// The time since the device's previous gesture, in ms.
  package var rest: Bounds?
  /// The modifiers that must be held, on either side; all others must be up. `nil` if none matter.
  package var modifiers: Modifiers?
  package var settings: [SettingChange]
  package var consumes: Bool

  package enum Sense: Hashable, Sendable {
    case towards(Direction)
    case horizontal, vertical
    case inward, outward
    /// For rotations, as the user sees them.
    case clockwise, counterclockwise

    package var word: String {
      switch self {
      case .towards(let direction): direction.name
      case .horizontal: "horizontal"
      case .vertical: "vertical"
      case .inward: "in"
      case .outward: "out"
      case .clockwise: "clockwise"
      case .counterclockwise: "counterclockwise"
      }
    }
  }

  /// Whether a gesture in that direction has the direction of the rule.
  package func isMet(by other: Sense?) -> Bool {
    switch sense {
    case nil: true
    case .horizontal: other == .towards(.left) || other == .towards(.right)
    case .vertical: other == .towards(.up) || other == .towards(.down)
    case .towards, .inward, .outward, .clockwise, .counterclockwise: other == sense
    }
  }

  package init(
    kind: GestureKind, fingers: ClosedRange<Int>? = nil, sense: Sense? = nil, edge: Edge? = nil,
    count: Int? = nil, isAfterTap: Bool? = nil, travel: Bounds? = nil, scale: Bounds? = nil,
    turn: Bounds? = nil, speed: Bounds? = nil, duration: Bounds? = nil, rest: Bounds? = nil,
    modifiers: Modifiers? = nil, settings: [SettingChange] = [], consumes: Bool = false
  ) {
    self.kind = kind
    self.fingers = fingers
    self.sense = sense
    self.edge = edge
    self.count = count
    self.isAfterTap = isAfterTap
    self.travel = travel
    self.scale = scale
    self.turn = turn
    self.speed = speed
    self.duration = duration
    self.rest = rest
    self.modifiers = modifiers
    self.settings = settings
    self.consumes = consumes
  }
}

/// A range of numbers that includes both ends. `nil` means no bound.
package struct Bounds: Hashable, Sendable, BitwiseCopyable {
  package var minimum: Double?
  package var maximum: Double?

  package init(from minimum: Double? = nil, to maximum: Double? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }

  package func contains(_ value: Double) -> Bool { missed(by: value) == nil }

  /// The bound that `value` is beyond.
  package func missed(by value: Double) -> Double? {
    if let minimum, !(value >= minimum) { return minimum }
    if let maximum, !(value <= maximum) { return maximum }
    return nil
  }
}

extension GestureCondition {
  /// Whether `do` acts when the gesture begins. It does for holds, except those with an upper bound
  /// on their duration, which is only known at the end.
  var actsAtBegin: Bool { kind == .hold && duration?.maximum == nil }

  /// The condition that fits such a gesture and excludes others: its kind, fingers and direction.
  ///
  /// - Parameter gesture: a gesture that is over.
  package init(fitting gesture: GestureEvent) {
    self.init(kind: gesture.kind)
    // rules allow at most five
    if (1...5).contains(gesture.fingers) { fingers = gesture.fingers...gesture.fingers }
    switch gesture.kind {
    case .drag, .swipe:
      sense = Direction.ofFour(gesture.translation.millimetres).map { .towards($0) }
      if gesture.isAfterTap { isAfterTap = true }
    case .edgeSwipe: edge = gesture.edge
    case .pinch: sense = gesture.scale < 1 ? .inward : .outward
    case .rotate: sense = gesture.rotation < 0 ? .clockwise : .counterclockwise
    case .tap: count = (1...9).contains(gesture.count) ? gesture.count : nil
    case .hold: break
    }
  }
}

extension Direction {
  package var unit: Vector2 {
    let slant = 0.5.squareRoot()
    return switch self {
    case .right: Vector2(x: 1, y: 0)
    case .downRight: Vector2(x: slant, y: slant)
    case .down: Vector2(x: 0, y: 1)
    case .downLeft: Vector2(x: -slant, y: slant)
    case .left: Vector2(x: -1, y: 0)
    case .upLeft: Vector2(x: -slant, y: -slant)
    case .up: Vector2(x: 0, y: -1)
    case .upRight: Vector2(x: slant, y: -slant)
    }
  }
}
