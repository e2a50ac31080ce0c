import GlissEvents

/// Where a finger goes in one move, apart from when.
enum Route {
  /// Straight.
  case line(Vector2)
  /// Around a point, by radians, clockwise as the user sees it.
  case arc(centre: Vector2, angle: Double)
  /// Starts as `displacement` says and turns evenly by `turn` radians on its way.
  case curve(displacement: Vector2, turn: Double)

  /// How far a finger that started at `start` has come when `progress` (0…1) of the route is done, in mm.
  func displacement(from start: Vector2, progress: Double) -> Vector2 {
    switch self {
    case .line(let displacement): return displacement * progress
    case .arc(let centre, let angle):
      let arm = start - centre
      return arm.turned(by: angle * progress) - arm
    case .curve(let displacement, let turn):
      guard abs(turn) > 1e-6 else { return displacement * progress }
      let (sine, cosine) = Elementary.sineCosine(turn * progress)
      let along = displacement * (sine / turn)
      return along + displacement.perpendicular * ((1 - cosine) / turn)
    }
  }

  /// The same route, longer or shorter.
  func scaled(by gain: Double) -> Route {
    switch self {
    case .line(let displacement): .line(displacement * gain)
    case .arc(let centre, let angle): .arc(centre: centre, angle: angle * gain)
    case .curve(let displacement, let turn): .curve(displacement: displacement * gain, turn: turn)
    }
  }

  /// The route on a drawing `factor` times as large and then shifted.
  func fitted(factor: Double, shift: Vector2) -> Route {
    switch self {
    case .line(let displacement): .line(displacement * factor)
    case .arc(let centre, let angle): .arc(centre: centre * factor + shift, angle: angle)
    case .curve(let displacement, let turn): .curve(displacement: displacement * factor, turn: turn)
    }
  }
}

/// One minimum-jerk move along a route.
struct Move {
  /// When it begins and how long it takes, in s.
  var begin: Double
  var duration: Double
  var route: Route
  /// How far the path bows out sideways, as a share of its length.
  var bow = 0.0

  /// 0 before, 1 after; in between 10τ³ - 15τ⁴ + 6τ⁵, the profile of least jerk.
  func progress(at time: Double) -> Double {
    guard duration > 0 else { return time >= begin ? 1 : 0 }
    let share = max(0, min(1, (time - begin) / duration))
    return share * share * share * (10 + share * (6 * share - 15))
  }

  func displacement(from start: Vector2, at time: Double) -> Vector2 {
    let progress = progress(at: time)
    let straight = route.displacement(from: start, progress: progress)
    guard bow != 0 else { return straight }
    let whole = route.displacement(from: start, progress: 1)
    return straight + whole.perpendicular * (bow * 4 * progress * (1 - progress))
  }
}
