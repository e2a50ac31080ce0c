import GlissEvents
package import GlissSynthesis

/// A kind of stroke whose details are drawn at random from what hands do.
///
/// ```swift
/// let trace = TraceClass.named("drag-late-finger")?.trace(index: 0, seed: 1)
/// ```
package struct TraceClass: Sendable {
  /// Hyphenated words, such as `pinch-in-anchored`.
  package let name: String
  /// One line that says what is drawn.
  package let summary: String
  /// The pads it can be performed on.
  package let pads: [Pad]
  /// The half of the classes it belongs to.
  package let half: Half
  /// The properties of the pad that are drawn again for each trace.
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

  /// Trace number `index` of the class. Each is made by another hand, on the next of the class's
  /// pads.
  package func trace(
    index: Int, seed: UInt64, motor: MotorModel.Profile = .minimumJerk
  ) -> Trace {
    trace(on: pads[index % pads.count], index: index, seed: seed, motor: motor)
  }

  /// Trace number `index` of the class on the given pad, or on one of the same size that reports
  /// differently.
  package func trace(
    on pad: Pad, index: Int, seed: UInt64, motor: MotorModel.Profile = .minimumJerk
  ) -> Trace {
    let drawn = drawn(on: pad, index: index, seed: seed, motor: motor)
    return drawn.stroke.trace(on: drawn.pad, seed: drawn.seed, className: name)
  }

  /// The ingredients of trace number `index`.
  package func drawn(
    on pad: Pad, index: Int, seed: UInt64, motor: MotorModel.Profile = .minimumJerk
  ) -> (stroke: Stroke, pad: Pad, seed: UInt64) {
    var random = RandomSource(seed: seed, name: name, index: index)
    let varied = variation.drawn(from: pad, using: &random)
    var stroke = draw(varied, &random)
    stroke.options.motor.profile = motor
    // The hand's steadiness and the pad's precision are drawn independently.
    if variation != .none { stroke.options.motor.tremor = random.tremor() }
    return (stroke, varied, random.next())
  }

  /// The class called `name`.
  package static func named(_ name: String) -> TraceClass? { all.first { $0.name == name } }

  /// All classes, similar ones together.
  package static let all: [TraceClass] = plain + wide

  /// The strokes that most hands make on most pads; the recognizer was developed with them.
  package static let plain: [TraceClass] =
    pinches + rotations + drags + swipes + withExtraContacts + taps + others

  /// Strokes up to the limit where they can still be named, on pads of any speed and precision.
  package static let wide: [TraceClass] =
    widePinches + wideDrags + stillFingers + thumbs + palms + anyPads + slowPads

  /// Pads that see every finger: a pad with two slots does not report the motion of the rest of the
  /// hand.
  static let manySlots: [Pad] = [.medium, .large, .unsized, .touchscreen]
  static let touchpads: [Pad] = [.small, .medium, .large, .unsized]
  static let touchpadsWithManySlots: [Pad] = [.medium, .large, .unsized]
}

extension TraceClass {
  /// The half of the classes that a class belongs to. It never changes, so that settings tuned on
  /// one half can be measured on the other.
  package enum Half: String, Hashable, Sendable, CaseIterable {
    /// All plain classes and half of the wide ones.
    case tuning
    /// The other half of the wide ones. Do not look at them when choosing a setting.
    case heldOut = "held-out"
  }
}

/// Random draws that several classes share.
extension RandomSource {
  /// The time from the last finger's landing to the first motion, in ms: often none, up to 300.
  mutating func rest() -> Double { chance(0.5) ? uniform(0...40) : uniform(40...300) }

  /// Draws what every stroke needs: hand, rest, linger, and a duration from a speed.
  mutating func stroke(_ stroke: Stroke, travel: Double) -> Stroke {
    let milliseconds = travel / logUniform(45...250) * 1000
    return stroke.with {
      $0.durationMilliseconds = max(130, min(900, milliseconds))
      $0.restMilliseconds = rest()
      $0.lingerMilliseconds = uniform(0...120)
      $0.isLeftHanded = chance(0.2)
    }
  }

  /// A length of 8 to 60 mm, limited by the pad's room in that direction.
  mutating func length(on pad: Pad, vertically: Bool, room: Double = 0.6) -> Double {
    let side = vertically ? pad.size.y : pad.size.x
    return logUniform(8...max(12, min(60, side * room)))
  }
}
