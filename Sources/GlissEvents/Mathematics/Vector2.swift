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
