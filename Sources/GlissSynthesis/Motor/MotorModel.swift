/// How a hand deviates from the intended stroke: everything the model adds to ideal motion.
///
/// The numbers below are drawn anew for every finger of every trace.
public struct MotorModel: Hashable, Sendable {
  /// The speed of a finger over the course of a move.
  public enum Profile: String, Hashable, Sendable, CaseIterable {
    /// The smoothest motion from rest to rest (Flash and Hogan 1985): slow, fast, slow, symmetric.
    case minimumJerk = "minimum-jerk"
    /// A log-normal impulse, as in Plamondon's kinematic theory (1995): a steep rise and a long tail.
    case lognormal
  }

  public var profile = Profile.minimumJerk
  /// The log-normal profile's sigma, nearly the same for all fingers of a hand: the larger, the
  /// earlier the peak.
  public var skew = 0.15...0.45
  /// How much a finger's travel differs from the others', as a share (standard deviation).
  public var gainSpread = 0.06
  /// How late a finger follows, in ms.
  public var lagMilliseconds = 0.0...20.0
  /// How far a path bows out sideways, as a share of its length (standard deviation).
  public var bow = 0.02
  /// How long before the last finger the others land, in ms.
  public var landingStaggerMilliseconds = 0.0...40.0
  /// How long after the first finger the others lift, in ms.
  public var liftingStaggerMilliseconds = 0.0...40.0
  /// How far the contact's middle shifts while the fingertip flattens or peels off, in mm (standard
  /// deviation; never more than 1 mm).
  public var contactShift = 0.35
  /// How far other fingers are pushed when one lands or lifts, in mm (standard deviation).
  public var neighbourShift = 0.08
  /// How fast a shift settles: the exponential's time constant in ms.
  public var settlingMilliseconds = 15.0...30.0
  /// Amplitude of the physiological tremor in mm.
  public var tremor = 0.02...0.1
  /// Frequency of the tremor in Hz.
  public var tremorRate = 8.0...12.0
  /// How far a still hand sways, in mm, and how often, in Hz. Resting fingers on real pads stray by
  /// 0.4 to 0.8 mm in half a second and more.
  public var sway = 0.03...0.15
  public var swayRate = 0.2...0.8

  public init() {}

  /// A machine's hand, without any deviation.
  public static let ideal: MotorModel = {
    var model = MotorModel()
    model.gainSpread = 0
    model.lagMilliseconds = 0...0
    model.bow = 0
    model.landingStaggerMilliseconds = 0...0
    model.liftingStaggerMilliseconds = 0...0
    model.contactShift = 0
    model.neighbourShift = 0
    model.tremor = 0...0
    model.sway = 0...0
    return model
  }()
}
