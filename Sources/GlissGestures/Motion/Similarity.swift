import GlissEvents

/// The least-squares similarity between the fingers at their baseline and now: how they moved together, apart and around.
struct Similarity {
  /// Of the centroid, in mm.
  var translation = Vector2.zero
  /// Size now by size at the baseline. Scales of one fit after the other multiply.
  var scale = 1.0
  /// Radians, clockwise positive as the user sees it (y is down).
  var turn = 0.0
  /// RMS distance of the fingers from their centroid at the baseline, in mm.
  var radius = 0.0

  /// How far the outermost finger lies from the centroid, as a multiple of the radius: 1 for two fingers.
  private(set) var reach = 1.0

  /// Finger travel in mm that each part of the motion stands for: like with like.
  var travelTogether: Double { translation.length }
  /// Not radius · |ln scale|, which is the same for small motion but more than the fingers' way when they close.
  var travelApart: Double { radius * abs(scale - 1) }
  var travelAround: Double { radius * abs(turn) }

  /// Fewer fingers than 0.5 mm apart have no scale and no rotation that mean anything.
  private static let smallestRadius = 0.5
  /// Twenty times the size: beyond it a scale is a measuring error.
  private static let scales = 0.05...20.0

  /// No motion at all.
  init() {}

  /// The fit over the fingers of `hand` that take part; without one it is the identity.
  ///
  /// - Parameters:
  ///   - left: a finger that is left out.
  ///   - isBox: the fingers are corners of a box around the hand: they never turn.
  init(of hand: borrowing Hand, without left: Int? = nil, isBox: Bool = false) {
    var (count, before, after) = (0.0, Vector2.zero, Vector2.zero)
    for index in hand.fingers.indices where hand.takesPart(index) && index != left {
      before += hand.fingers[index].baseline
      after += hand.fingers[index].position
      count += 1
    }
    guard count > 0 else { return }
    before = before * (1 / count)
    after = after * (1 / count)
    translation = after - before
    var (along, around, spread, outermost) = (0.0, 0.0, 0.0, 0.0)
    for index in hand.fingers.indices where hand.takesPart(index) && index != left {
      let q = hand.fingers[index].baseline - before
      let p = hand.fingers[index].position - after
      along += q.dot(p)
      around += q.cross(p)
      spread += q.lengthSquared
      outermost = max(outermost, q.lengthSquared)
    }
    radius = (spread / count).squareRoot()
    guard radius >= Self.smallestRadius else { return }
    reach = outermost.squareRoot() / radius
    let size = (along * along + around * around).squareRoot() / spread
    scale = min(max(size, Self.scales.lowerBound), Self.scales.upperBound)
    turn = isBox ? 0 : Elementary.angle(y: around, x: along)
  }
}
