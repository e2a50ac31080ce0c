import GlissEvents

/// One move along a route.
struct Move {
  /// When it begins and how long it takes, in s.
  var begin: Double
  var duration: Double
  var route: Route
  /// How far the path bows out sideways, as a share of its length.
  var bow = 0.0
  var speed = SpeedProfile.minimumJerk

  /// The share of the move that is done: 0 before, 1 after.
  func progress(at time: Double) -> Double {
    guard duration > 0 else { return time >= begin ? 1 : 0 }
    let share = max(0, min(1, (time - begin) / duration))
    return speed.progress(share)
  }

  func displacement(from start: Vector2, at time: Double) -> Vector2 {
    let progress = progress(at: time)
    let straight = route.displacement(from: start, progress: progress)
    guard bow != 0 else { return straight }
    let whole = route.displacement(from: start, progress: 1)
    return straight + whole.perpendicular * (bow * 4 * progress * (1 - progress))
  }
}
