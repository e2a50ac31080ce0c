import GlissEvents

/// How the distance of one move is distributed over its time. Speed has one peak, and is zero or
/// almost zero at both ends.
enum SpeedProfile: Hashable, Sendable {
  case minimumJerk
  /// A log-normal impulse, from three standard deviations before its median to three after.
  case lognormal(sigma: Double)

  /// The share of the distance covered after a share 0…1 of the time.
  func progress(_ share: Double) -> Double {
    switch self {
    case .minimumJerk: share * share * share * (10 + share * (6 * share - 15))
    case .lognormal(let sigma): Self.lognormal(share, sigma: max(sigma, 0.01))
    }
  }

  /// How many standard deviations of log time the move includes on either side.
  private static let reach = 3.0

  private static func lognormal(_ share: Double, sigma: Double) -> Double {
    if share <= 0 { return 0 }
    if share >= 1 { return 1 }
    // Time in units of the median.
    let (first, last) = (Elementary.exp(-reach * sigma), Elementary.exp(reach * sigma))
    let z = Elementary.log(first + (last - first) * share) / sigma
    return max(0, min(1, 0.5 + area(to: z) / (2 * area(to: reach))))
  }

  /// The integral of the normal density from 0 to `z`: φ(z) · (z + z³/3 + z⁵/15 + z⁷/105 …), |z| ≤
  /// 3.
  private static func area(to z: Double) -> Double {
    var (term, sum, k) = (z, z, 3.0)
    while abs(term) > 1e-16 {
      term *= z * z / k
      sum += term
      k += 2
    }
    return sum * Elementary.exp(-z * z / 2) * 0.3989422804014327
  }
}
