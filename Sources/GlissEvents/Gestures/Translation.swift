/// How far the fingers have moved since a gesture began, in mm and in points.
///
/// Both are of the same instant. A point is 1/72 inch times the gain: `points` is `millimetres` times
/// 72 / 25.4 times the setting `drag.gain`, which is 1 unless it was changed.
/// Use `points` to move content, and `millimetres` to compare a motion with a length on the pad.
public struct Translation: Hashable, Codable, Sendable, BitwiseCopyable {
  /// In mm on the pad, whatever the gain.
  public var millimetres: Vector2
  /// In points, with the gain.
  public var points: Vector2

  /// No motion.
  public static let zero = Translation(millimetres: .zero, points: .zero)

  /// Creates a translation from both lengths.
  @inlinable public init(millimetres: Vector2, points: Vector2) {
    self.millimetres = millimetres
    self.points = points
  }

  /// Creates a translation whose points follow from `millimetres` and `gain`.
  public init(millimetres: Vector2, gain: Double = 1) {
    self.init(
      millimetres: millimetres, points: millimetres * (DeviceSize.pointsPerMillimetre * gain))
  }
}
