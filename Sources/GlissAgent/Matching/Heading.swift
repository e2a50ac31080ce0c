import GlissConfiguration
import GlissEvents

/// The direction of a gesture, whatever its kind.
enum Heading: UInt8, BitwiseCopyable, CaseIterable {
  case right, downRight, down, downLeft, left, upLeft, up, upRight
  case inward, outward
  case clockwise, counterclockwise

  init(_ direction: Direction) {
    switch direction {
    case .right: self = .right
    case .downRight: self = .downRight
    case .down: self = .down
    case .downLeft: self = .downLeft
    case .left: self = .left
    case .upLeft: self = .upLeft
    case .up: self = .up
    case .upRight: self = .upRight
    }
  }

  init(_ sense: GestureCondition.Sense) {
    switch sense {
    case .towards(let direction): self.init(direction)
    case .inward: self = .inward
    case .outward: self = .outward
    case .clockwise: self = .clockwise
    case .counterclockwise: self = .counterclockwise
    }
  }

  /// The heading of `event`; `nil` if it has none.
  ///
  /// - Parameter usesEight: judges directions by sectors of 45° instead of 90°.
  init?(of event: GestureEvent, usesEight: Bool) {
    switch event.kind {
    case .drag, .swipe, .edgeSwipe:
      let motion = event.translationInMillimetres
      let direction =
        usesEight
        ? event.direction8 ?? Direction.ofEight(motion)
        : event.direction ?? Direction.ofFour(motion)
      guard let direction else { return nil }
      self.init(direction)
    case .pinch:
      if event.scale == 1 { return nil }
      self = event.scale < 1 ? .inward : .outward
    case .rotate:
      if event.rotation == 0 { return nil }
      self = event.rotation < 0 ? .clockwise : .counterclockwise
    case .tap, .hold: return nil
    }
  }

  /// The unit vector, for headings that are directions.
  var unit: Vector2? {
    let slant = 0.7071067811865476
    return switch self {
    case .right: Vector2(x: 1, y: 0)
    case .downRight: Vector2(x: slant, y: slant)
    case .down: Vector2(x: 0, y: 1)
    case .downLeft: Vector2(x: -slant, y: slant)
    case .left: Vector2(x: -1, y: 0)
    case .upLeft: Vector2(x: -slant, y: -slant)
    case .up: Vector2(x: 0, y: -1)
    case .upRight: Vector2(x: slant, y: -slant)
    case .inward, .outward, .clockwise, .counterclockwise: nil
    }
  }

  /// Between two main directions.
  var isDiagonal: Bool {
    switch self {
    case .downRight, .downLeft, .upLeft, .upRight: true
    case .right, .down, .left, .up, .inward, .outward, .clockwise, .counterclockwise: false
    }
  }
}

extension Modifiers {
  /// With the right modifier of each pair replaced by the left.
  var eitherSide: Modifiers {
    var folded = self
    for (left, right) in [
      (Modifiers.leftShift, Modifiers.rightShift), (.leftControl, .rightControl),
      (.leftSuper, .rightSuper),
    ] where folded.contains(right) {
      folded.remove(right)
      folded.insert(left)
    }
    return folded
  }
}
