/// The elementary functions the core needs, in arithmetic that IEEE 754 defines to the last bit.
///
/// libm differs between processors in the last place, and a golden recording must give the same
/// bytes on all of them, so these few functions are implemented here. Each is within 4 units in the
/// last place of the true value over the range the core uses (tested against libm).
package enum Elementary {
  /// Natural logarithm; NaN below 0, -infinity at 0.
  package static func log(_ value: Double) -> Double {
    guard value > 0 else { return value == 0 ? -.infinity : .nan }
    guard value.isFinite else { return value }
    var exponent = Double(value.exponent)
    var mantissa = value.significand
    if mantissa > 1.4142135623730951 {
      mantissa /= 2
      exponent += 1
    }
    // ln m = 2 atanh((m - 1) / (m + 1)), |argument| < 0.172
    let z = (mantissa - 1) / (mantissa + 1)
    let square = z * z
    var sum = 0.0
    var k = 21.0
    while k >= 3 {
      sum = (sum + 1 / k) * square
      k -= 2
    }
    return exponent * 0.6931471805599453 + 2 * z * (1 + sum)
  }

  /// The angle of (x, y) in radians, -π…π, as `atan2(y, x)`; 0 at the origin.
  package static func angle(y: Double, x: Double) -> Double {
    if x == 0 && y == 0 { return 0 }
    let (ax, ay) = (abs(x), abs(y))
    let first = ax >= ay ? arctangent(ay / ax) : .pi / 2 - arctangent(ax / ay)
    let half = x < 0 ? .pi - first : first
    return y < 0 ? -half : half
  }

  /// Sine and cosine of an angle in radians. Beyond a full turn the error grows with the angle: 6 ×
  /// 10^-14 at a thousand.
  package static func sineCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    let turns = (angle / (.pi / 2)).rounded()
    let rest = (angle - turns * 1.5707963267948966) - turns * 6.123233995736766e-17
    let square = rest * rest
    let (s, c) = (series(rest, from: 2, square), series(1, from: 1, square))
    switch Int64(saturating: turns) & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    case _: return (-c, s)
    }
  }

  /// e to the power of `value`; saturates to 0 and infinity.
  package static func exp(_ value: Double) -> Double {
    guard value > -700 else { return value.isNaN ? .nan : 0 }
    guard value < 700 else { return .infinity }
    let halvings = (value / 0.6931471805599453).rounded()
    let rest = value - halvings * 0.6931471805599453
    var sum = 1.0
    var k = 18.0
    while k >= 1 {
      sum = 1 + rest / k * sum
      k -= 1
    }
    return Double(sign: .plus, exponent: Int(halvings), significand: sum)
  }

  /// Arctangent of 0…1: two halvings of the angle, then the series.
  private static func arctangent(_ ratio: Double) -> Double {
    let once = ratio / (1 + (1 + ratio * ratio).squareRoot())
    let twice = once / (1 + (1 + once * once).squareRoot())
    let square = twice * twice
    var sum = 0.0
    var k = 23.0
    while k >= 3 {
      // -1/3, +1/5, -1/7 …
      sum = (Int(k) / 2).isMultiple(of: 2) ? 1 / k + sum * square : -1 / k + sum * square
      k -= 2
    }
    return 4 * twice * (1 + sum * square)
  }

  /// x - x³/3! + x⁵/5! … from `first` = x and `start` = 2; 1 - x²/2! + x⁴/4! … from both 1.
  private static func series(_ first: Double, from start: Double, _ square: Double) -> Double {
    var (term, sum, k) = (first, first, start)
    while k <= start + 16 {
      term *= -square / (k * (k + 1))
      sum += term
      k += 2
    }
    return sum
  }
}

/// A point or a displacement in the plane of a device: x to the right, y down.
///
/// Each use states its unit: `position` is in mm, `normalizedPosition` in shares of the device.
public struct Vector2: Hashable, Sendable, BitwiseCopyable {
  /// The horizontal part; to the right is positive.
  public var x: Double
  /// The vertical part; down is positive.
  public var y: Double

  /// No displacement, or the origin.
  public static let zero = Vector2(x: 0, y: 0)

  /// A vector of these parts.
  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The square of the length, which takes no root.
  @inlinable public var lengthSquared: Double { x * x + y * y }
  /// The length, in the unit of the parts.
  @inlinable public var length: Double { lengthSquared.squareRoot() }
  /// The same length, rotated by 90°: (x, y) to (-y, x).
  @inlinable public var perpendicular: Vector2 { Vector2(x: -y, y: x) }

  /// The scalar product.
  @inlinable public func dot(_ other: Vector2) -> Double { x * other.x + y * other.y }
  /// The z component of the cross product: positive if `other` lies clockwise as the user sees it
  /// (y points down).
  @inlinable public func cross(_ other: Vector2) -> Double { x * other.y - y * other.x }

  /// The sum.
  @inlinable public static func + (a: Vector2, b: Vector2) -> Vector2 {
    Vector2(x: a.x + b.x, y: a.y + b.y)
  }
  /// The difference.
  @inlinable public static func - (a: Vector2, b: Vector2) -> Vector2 {
    Vector2(x: a.x - b.x, y: a.y - b.y)
  }
  /// The vector, `factor` times as long.
  @inlinable public static func * (a: Vector2, factor: Double) -> Vector2 {
    Vector2(x: a.x * factor, y: a.y * factor)
  }
  /// Adds `b` to `a`.
  @inlinable public static func += (a: inout Vector2, b: Vector2) { a = a + b }
  /// The opposite vector.
  @inlinable public static prefix func - (a: Vector2) -> Vector2 { Vector2(x: -a.x, y: -a.y) }
}
