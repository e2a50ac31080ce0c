import GlissEvents

/// The least-squares similarity between the fingers at their baseline and now: how they moved together, apart and around.
struct Similarity {
  /// Of the centroid, in mm.
  var translation = Vector2.zero
  /// Size now by size at the baseline.
  private(set) var scale = 1.0
  /// Its natural logarithm: scales of one fit after the other add up.
  var logScale = 0.0
  /// Radians, clockwise positive as the user sees it (y is down).
  var turn = 0.0
  /// RMS distance of the fingers from their centroid at the baseline, in mm.
  var radius = 0.0

  /// Finger travel in mm that each part of the motion stands for: like with like.
  var travelTogether: Double { translation.length }
  /// Not r·|ln s|, which is the same for small motion but more than the fingers' way when they close.
  var travelApart: Double { radius * abs(scale - 1) }
  var travelAround: Double { radius * abs(turn) }

  /// Fewer fingers than 0.5 mm apart have no scale and no rotation that mean anything.
  private static let smallestRadius = 0.5
  /// e³, twenty times the size: beyond it a scale is a measuring error.
  private static let largestLogScale = 3.0

  /// No motion at all.
  init() {}

  /// The fit over the fingers of `hand` that take part; without one it is the identity.
  init(of hand: Hand) {
    var (count, before, after) = (0.0, Vector2.zero, Vector2.zero)
    for index in hand.fingers.indices where hand.takesPart(index) {
      before += hand.fingers[index].baseline
      after += hand.fingers[index].position
      count += 1
    }
    guard count > 0 else { return }
    before = before * (1 / count)
    after = after * (1 / count)
    translation = after - before
    var (along, around, spread) = (0.0, 0.0, 0.0)
    for index in hand.fingers.indices where hand.takesPart(index) {
      let q = hand.fingers[index].baseline - before
      let p = hand.fingers[index].position - after
      along += q.dot(p)
      around += q.cross(p)
      spread += q.lengthSquared
    }
    radius = (spread / count).squareRoot()
    guard radius >= Self.smallestRadius else { return }
    scale = (along * along + around * around).squareRoot() / spread
    let logarithm = scale > 0 ? Elementary.log(scale) : -Self.largestLogScale
    logScale = min(max(logarithm, -Self.largestLogScale), Self.largestLogScale)
    turn = Elementary.angle(y: around, x: along)
  }
}
