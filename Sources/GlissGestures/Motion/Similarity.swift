import GlissEvents

/// The least-squares similarity transform from the fingers' baselines to their positions now:
/// translation, scale and rotation.
struct Similarity {
  /// Translation of the centroid, in mm.
  var translation = Vector2.zero
  /// Size now divided by size at the baseline. Multiply the scales of successive fits.
  var scale = 1.0
  /// Radians, clockwise positive as the user sees it (y points down).
  var turn = 0.0
  /// RMS distance of the fingers from their centroid at the baseline, in mm.
  var radius = 0.0

  /// Distance of the outermost finger from the centroid, as a multiple of the radius: 1 for two
  /// fingers.
  private(set) var reach = 1.0

  /// Each part of the motion as finger travel in mm, so that the parts can be compared.
  var travelTogether: Double { translation.length }
  /// Not radius · |ln scale|: that is the same for small motion, but exceeds the fingers' travel
  /// when they close.
  var travelApart: Double { radius * abs(scale - 1) }
  var travelAround: Double { radius * abs(turn) }

  /// If the fingers are less than 0.5 mm apart, scale and rotation mean nothing.
  private static let smallestRadius = 0.5
  /// A scale beyond a factor of twenty is a measuring error.
  private static let scales = 0.05...20.0

  /// The identity: no motion.
  init() {}

  /// The fit over the participating fingers of `hand`; the identity if there are none.
  ///
  /// - Parameters:
  ///   - left: a finger to leave out.
  ///   - isBox: the fingers are corners of a box around the hand, which never rotates.
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
