package import GlissEvents

/// What one finger does: it lands, lies still, goes its way without noise and lifts. Times are in ms, places in mm.
package struct PlannedFinger: Hashable, Sendable {
  package var landing: Double
  package var lifting: Double
  package var place: Vector2
  /// When it begins to move.
  package var onset: Double
  /// How long it moves.
  package var duration: Double
  /// From where it lands to where it lifts.
  package var way: Vector2

  package init(
    landing: Double, lifting: Double, place: Vector2, onset: Double, duration: Double, way: Vector2
  ) {
    self.landing = landing
    self.lifting = lifting
    self.place = place
    self.onset = onset
    self.duration = duration
    self.way = way
  }

  /// The share of its way that it has gone: the profile of least jerk, 10τ³ - 15τ⁴ + 6τ⁵.
  package func progress(at time: Double) -> Double {
    let tau = max(0, min(1, (min(time, lifting) - onset) / duration))
    return tau * tau * tau * (10 - 15 * tau + 6 * tau * tau)
  }

  package func position(at time: Double) -> Vector2 { place + way * progress(at: time) }

  /// How far it is from where it landed.
  package func travel(at time: Double) -> Double { way.length * progress(at: time) }
}
