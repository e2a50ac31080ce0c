/// Why fingers that touched and left were not a tap: the measured value and the limit.
public enum TapFault: Hashable, Sendable, BitwiseCopyable {
  /// A finger slid this many mm: `tap.movement`.
  case slid(Double, most: Double)
  /// The fingers landed this many ms apart: `tap.landingSpread`.
  case landedApart(Double, most: Double)
  /// The fingers shared only this part of their time on the pad: `tap.overlap`.
  case hardlyTogether(Double, least: Double)
  /// The time from the first finger down to the last one up, in ms: `tap.duration`.
  case lasted(Double, most: Double)
  /// The pad was clicked.
  case clicked
  /// They landed so soon after a gesture that they count as a bounce: `tap.quiet`.
  case bounced
  /// The user typed meanwhile: `typing.afterKey`.
  case typing
  /// They made a gesture.
  case gesture
}
