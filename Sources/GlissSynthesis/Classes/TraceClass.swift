import GlissEvents

/// A kind of stroke with everything about it drawn at random from what hands do.
///
/// ```swift
/// let trace = TraceClass.named("drag-late-finger")?.trace(index: 0, seed: 1)
/// ```
public struct TraceClass: Sendable {
  /// Words with hyphens, as `pinch-in-anchored`.
  public let name: String
  /// One line: what is drawn.
  public let summary: String
  /// The pads it can be made on.
  public let pads: [Pad]
  /// Which half of the classes it belongs to.
  public let half: Half
  /// What of the pad is drawn anew for each trace.
  let variation: PadVariation
  let draw: @Sendable (Pad, inout RandomSource) -> Stroke

  init(
    _ name: String, _ summary: String, pads: [Pad] = Pad.all, half: Half = .tuning,
    variation: PadVariation = .none,
    draw: @escaping @Sendable (Pad, inout RandomSource) -> Stroke
  ) {
    self.name = name
    self.summary = summary
    self.pads = pads
    self.half = half
    self.variation = variation
    self.draw = draw
  }

  /// Trace number `index` of the class; each is another hand on the next of the class' pads.
  public func trace(
    index: Int, seed: UInt64, motor: MotorModel.Profile = .minimumJerk
  ) -> Trace {
    trace(on: pads[index % pads.count], index: index, seed: seed, motor: motor)
  }

  /// Trace number `index` of the class on a pad of choice, or one as large with other reports.
  public func trace(
    on pad: Pad, index: Int, seed: UInt64, motor: MotorModel.Profile = .minimumJerk
  ) -> Trace {
    let drawn = drawn(on: pad, index: index, seed: seed, motor: motor)
    return drawn.stroke.trace(on: drawn.pad, seed: drawn.seed, className: name)
  }

  /// What trace number `index` is made from.
  package func drawn(
    on pad: Pad, index: Int, seed: UInt64, motor: MotorModel.Profile = .minimumJerk
  ) -> (stroke: Stroke, pad: Pad, seed: UInt64) {
    var random = RandomSource(seed: seed, name: name, index: index)
    let varied = variation.drawn(from: pad, using: &random)
    var stroke = draw(varied, &random)
    stroke.options.motor.profile = motor
    // a hand as calm or as shaky as the pad is precise or not: each of its own
    if variation != .none { stroke.options.motor.tremor = random.tremor() }
    return (stroke, varied, random.next())
  }

  /// The class of that name.
  public static func named(_ name: String) -> TraceClass? { all.first { $0.name == name } }

  /// All classes, like ones together.
  public static let all: [TraceClass] = plain + wide

  /// The strokes most hands make on most pads: what the recognizer was made with.
  public static let plain: [TraceClass] =
    pinches + rotations + drags + swipes + company + taps + others

  /// Strokes out to where they can still be named, on pads of any speed and precision.
  public static let wide: [TraceClass] =
    widePinches + wideDrags + stillFingers + thumbs + palms + anyPads + slowPads

  /// Pads that see every finger: on a pad with two slots the rest of the hand's motion is not reported.
  static let manySlots: [Pad] = [.medium, .large, .unsized, .touchscreen]
  static let touchpads: [Pad] = [.small, .medium, .large, .unsized]
  static let touchpadsWithManySlots: [Pad] = [.medium, .large, .unsized]
}

extension TraceClass {
  /// Which half of the classes a class belongs to. It never changes, so that what is tuned on the one half can be
  /// measured on the other.
  public enum Half: String, Hashable, Sendable, CaseIterable {
    /// All plain classes and half of the wide ones.
    case tuning
    /// The other half of the wide ones: no setting may be chosen by looking at them.
    case heldOut = "held-out"
  }
}

/// Draws that several classes share.
extension RandomSource {
  /// From the last finger's landing to the first motion, in ms: often none, up to 300.
  mutating func rest() -> Double { chance(0.5) ? uniform(0...40) : uniform(40...300) }

  /// Sets what every stroke draws: hand, rest, linger, and a duration from a speed.
  mutating func stroke(_ stroke: Stroke, travel: Double) -> Stroke {
    let milliseconds = travel / logUniform(45...250) * 1000
    return stroke.with {
      $0.durationMilliseconds = max(130, min(900, milliseconds))
      $0.restMilliseconds = rest()
      $0.lingerMilliseconds = uniform(0...120)
      $0.isLeftHanded = chance(0.2)
    }
  }

  /// 8 to 60 mm, and no more than the pad has room for that way.
  mutating func length(on pad: Pad, vertically: Bool, room: Double = 0.6) -> Double {
    let side = vertically ? pad.size.y : pad.size.x
    return logUniform(8...max(12, min(60, side * room)))
  }
}
