/// Why fingers that touched and left were no tap: what was measured, and what the limit was.
public enum TapFault: Hashable, Sendable, BitwiseCopyable {
  /// A finger slid, in mm: `tap.movement`.
  case slid(Double, most: Double)
  /// The fingers landed so many ms apart: `tap.landingSpread`.
  case landedApart(Double, most: Double)
  /// They shared this part of their time on the pad: `tap.overlap`.
  case hardlyTogether(Double, least: Double)
  /// From the first finger down to the last one up, in ms: `tap.duration`.
  case lasted(Double, most: Double)
  /// The pad was clicked.
  case clicked
  /// They came so soon after a gesture that they bounced: `tap.quiet`.
  case bounced
  /// Somebody typed meanwhile: `typing.afterKey`.
  case typing
  /// They made a gesture.
  case gesture
}
