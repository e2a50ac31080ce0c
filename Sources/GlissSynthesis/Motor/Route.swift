import GlissEvents

/// The path of a finger in one move, without its timing.
enum Route {
  /// Straight.
  case line(Vector2)
  /// Around a point, by an angle in radians, clockwise as the user sees it.
  case arc(centre: Vector2, angle: Double)
  /// Starts in the direction of `displacement`. Once a share `after` is done, it turns evenly by
  /// `turn` radians over the rest of the way.
  case curve(displacement: Vector2, turn: Double, after: Double)

  /// The displacement of a finger that started at `start` when `progress` (0…1) of the route is
  /// done, in mm.
  func displacement(from start: Vector2, progress: Double) -> Vector2 {
    switch self {
    case .line(let displacement): return displacement * progress
    case .arc(let centre, let angle):
      let arm = start - centre
      return arm.turned(by: angle * progress) - arm
    case .curve(let displacement, let turn, let after):
      let left = 1 - after
      guard abs(turn) > 1e-6, left > 1e-6, progress > after else { return displacement * progress }
      let (sine, cosine) = Elementary.sineCosine(turn * ((progress - after) / left))
      let along = displacement * (after + left * (sine / turn))
      return along + displacement.perpendicular * (left * ((1 - cosine) / turn))
    }
  }

  /// The same route, longer or shorter.
  func scaled(by gain: Double) -> Route {
    switch self {
    case .line(let displacement): .line(displacement * gain)
    case .arc(let centre, let angle): .arc(centre: centre, angle: angle * gain)
    case .curve(let displacement, let turn, let after):
      .curve(displacement: displacement * gain, turn: turn, after: after)
    }
  }

  /// The route scaled by `factor` and then shifted.
  func fitted(factor: Double, shift: Vector2) -> Route {
    switch self {
    case .line(let displacement): .line(displacement * factor)
    case .arc(let centre, let angle): .arc(centre: centre * factor + shift, angle: angle)
    case .curve(let displacement, let turn, let after):
      .curve(displacement: displacement * factor, turn: turn, after: after)
    }
  }
}
