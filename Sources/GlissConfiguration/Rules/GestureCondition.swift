public import GlissEvents

/// Which gestures a rule is about: all that is named must hold.
///
/// A rule is *engaged* by a gesture at the first event at which everything holds but the upper bounds; it stays engaged
/// until the gesture ends. Upper bounds, and where the motion goes to in the end, count when the gesture has ended. What
/// is settled when the gesture begins is judged then and not again: mode, modifiers, device, rest, and what it is.
public struct GestureCondition: Hashable, Sendable {
  public var kind: GestureKind
  /// How many fingers; `nil` for any number.
  public var fingers: ClosedRange<Int>?
  /// Where it goes to; `nil` for anywhere.
  public var sense: Sense?
  /// Where an edge swipe comes in; `nil` for any edge.
  public var edge: Edge?
  /// Taps in a row; of taps only.
  public var count: Int?
  /// A drag of one finger right after a tap, or not.
  public var isAfterTap: Bool?
  /// How far the centroid has gone since the gesture began, in mm.
  public var travel: Bounds?
  /// How much wider a pinch is than when it began: 1.5 is half as wide again, 0.5 half as wide. Inward the upper bound is
  /// the one that must be reached, and the lower one counts when the gesture has ended.
  public var scale: Bounds?
  /// How far a rotation has turned either way, in degrees.
  public var turn: Bounds?
  /// How fast the fingers go, in mm/s: at `end` how fast they left.
  public var speed: Bounds?
  /// How long a hold has lasted, in ms.
  public var duration: Bounds?
  /// How long the device had no gesture before this one, in ms.
  public var rest: Bounds?
  /// What must be held on the keyboard, either side of each pair; other modifiers must be up. `nil` where none matters.
  public var modifiers: Modifiers?
  /// Recognizer settings that hold for this rule alone.
  public var settings: [SettingChange]

  /// Where a gesture goes to.
  public enum Sense: Hashable, Sendable {
    /// Of drags, swipes and edge swipes.
    case towards(Direction)
    /// Of pinches.
    case inward, outward
    /// Of rotations, as the user sees it.
    case clockwise, counterclockwise
  }

  public init(
    kind: GestureKind, fingers: ClosedRange<Int>? = nil, sense: Sense? = nil, edge: Edge? = nil,
    count: Int? = nil, isAfterTap: Bool? = nil, travel: Bounds? = nil, scale: Bounds? = nil,
    turn: Bounds? = nil, speed: Bounds? = nil, duration: Bounds? = nil, rest: Bounds? = nil,
    modifiers: Modifiers? = nil, settings: [SettingChange] = []
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
  }
}

/// From where to where a number may go, both ends included; an open end has no bound.
public struct Bounds: Hashable, Sendable, BitwiseCopyable {
  public var minimum: Double?
  public var maximum: Double?

  public init(from minimum: Double? = nil, to maximum: Double? = nil) {
    self.minimum = minimum
    self.maximum = maximum
  }

  public func contains(_ value: Double) -> Bool {
    if let minimum, !(value >= minimum) { return false }
    if let maximum, !(value <= maximum) { return false }
    return true
  }
}

extension GestureCondition {
  /// Whether it acts when it begins, where nothing else is said: a hold does, unless how long it lasts at most is asked
  /// for, which is known at its end.
  var actsAtBegin: Bool { kind == .hold && duration?.maximum == nil }
}

extension GestureCondition {
  /// What such a gesture fits and others do not: its kind, its fingers and where it went to.
  ///
  /// - Parameter gesture: one that is over.
  public init(fitting gesture: GestureEvent) {
    self.init(kind: gesture.kind)
    // a rule asks for no more than five
    if (1...5).contains(gesture.fingers) { fingers = gesture.fingers...gesture.fingers }
    switch gesture.kind {
    case .drag, .swipe:
      sense = Direction.ofFour(gesture.translationInMillimetres).map { .towards($0) }
      if gesture.isAfterTap { isAfterTap = true }
    case .edgeSwipe: edge = gesture.edge
    case .pinch: sense = gesture.scale < 1 ? .inward : .outward
    case .rotate: sense = gesture.rotation < 0 ? .clockwise : .counterclockwise
    case .tap: count = (1...9).contains(gesture.count) ? gesture.count : nil
    case .hold: break
    }
  }
}
