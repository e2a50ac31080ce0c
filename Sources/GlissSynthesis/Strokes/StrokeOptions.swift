public import GlissEvents

/// How a stroke is made: its timing, the position of the hand, deliberate faults, and what rests
/// beside it.
public struct StrokeOptions: Hashable, Sendable {
  /// Something that rests on the pad beside the stroke.
  public enum Company: Hashable, Sendable {
    /// A thumb low on the pad that lands this many ms before the first finger.
    case thumb(earlierMilliseconds: Double)
    /// A palm at a side edge; it may come and go at any time.
    case palm(Edge)
    /// A finger at `offset` mm from the stroke's first finger that lands this many ms before it.
    case finger(offset: Vector2, earlierMilliseconds: Double)
    /// A thumb `height` mm above the lower edge that lands this many ms before the first finger,
    /// and rolls by `roll` mm while the fingers move.
    case lowThumb(height: Double, earlierMilliseconds: Double, roll: Vector2)
    /// A thumb like ``lowThumb(height:earlierMilliseconds:roll:)`` that moves `share` of the
    /// fingers' distance with them: it takes part.
    case wakingThumb(height: Double, earlierMilliseconds: Double, share: Double)
    /// A finger that takes part by lying still, `height` mm above the lower edge and at `offset` mm
    /// from the stroke's first finger, landing this many ms before it.
    case stillFinger(height: Double, offset: Vector2, earlierMilliseconds: Double)
    /// A palm whose middle lies `inset` mm from a side edge and that lands this many ms before the
    /// first finger.
    case restingPalm(Edge, inset: Double, earlierMilliseconds: Double)
  }

  /// How long the motion takes, in ms; `nil` for a duration that suits its length. For taps, how
  /// long each touch lasts.
  public var durationMilliseconds: Double?
  /// From the last finger's landing to the beginning of the motion, in ms; below 0 the hand moves
  /// as it lands.
  public var restMilliseconds = 60.0
  /// From the end of the motion to the first finger's lifting, in ms.
  public var lingerMilliseconds = 40.0
  /// The share of the motion's time after which the fingers lift; below 1 for flicks.
  public var liftShare = 1.0
  /// From the lifting of one tap to the landing of the next, in ms.
  public var gapMilliseconds = 120.0
  /// Where the middle of the stroke should be, in mm; `nil` for anywhere it fits.
  public var centre: Vector2?
  /// Distance between neighbouring fingers, in mm, unless the stroke itself sets it.
  public var separation = 20.0
  /// Angle in degrees between the line of the fingers (for pinches and rotations: from thumb to
  /// finger) and the horizontal, counter-clockwise; `nil` for a natural angle.
  public var handAngle: Double?
  public var isLeftHanded = false

  /// Motion of all fingers in addition to the stroke's, in mm.
  public var drift = Vector2.zero
  /// How much the fingers come together on the way, as a share of their distance; below 0 they move
  /// apart.
  public var convergence = 0.0
  /// How far a drag's direction turns on its way, in degrees, clockwise.
  public var turn = 0.0
  /// The share of the way after which the direction begins to turn.
  public var turnAfter = 0.0
  /// The share of the way that the hand creeps before the main motion, and for how long, in ms.
  public var creepShare = 0.0
  public var creepMilliseconds = 0.0
  /// The last finger's travel as a share of the others'.
  public var lastFingerGain = 1.0
  /// The hand pivots around a wrist or elbow this many mm away instead of moving in parallel; the
  /// sign selects the side.
  public var pivotRadius: Double?
  /// How long before the last finger the others of a drag land, in ms.
  public var lateFingerMilliseconds: Double?
  /// The share of the motion's time after which one finger already lifts.
  public var earlyLiftShare: Double?
  /// How long after the others one finger begins to move, in ms.
  public var laggingFingerMilliseconds: Double?
  /// The share of the motion that a pinch's still finger makes with the others.
  public var anchorCoupling = 0.0
  /// The fixed point of a two-finger pinch on the line from thumb (0) to finger (1), or beyond
  /// them; `nil` for the middle, or the still finger.
  public var fixedPoint: Double?

  public var company: [Company] = []
  public var motor = MotorModel()

  public init() {}
}
