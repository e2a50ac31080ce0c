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
  let draw: @Sendable (Pad, inout RandomSource) -> Stroke

  init(
    _ name: String, _ summary: String, pads: [Pad] = Pad.all,
    draw: @escaping @Sendable (Pad, inout RandomSource) -> Stroke
  ) {
    self.name = name
    self.summary = summary
    self.pads = pads
    self.draw = draw
  }

  /// Trace number `index` of the class; each is another hand on the next of the class' pads.
  public func trace(index: Int, seed: UInt64) -> Trace {
    trace(on: pads[index % pads.count], index: index, seed: seed)
  }

  /// Trace number `index` of the class on a pad of choice.
  public func trace(on pad: Pad, index: Int, seed: UInt64) -> Trace {
    var random = RandomSource(seed: seed, name: name, index: index)
    let stroke = draw(pad, &random)
    return stroke.trace(on: pad, seed: random.next(), className: name)
  }

  /// The class of that name.
  public static func named(_ name: String) -> TraceClass? { all.first { $0.name == name } }

  /// All classes, like ones together.
  public static let all: [TraceClass] =
    pinches + rotations + drags + swipes + company + taps + others

  /// Pads that see every finger: on a pad with two slots the rest of the hand's motion is not reported.
  static let manySlots: [Pad] = [.medium, .large, .unsized, .touchscreen]
  static let touchpads: [Pad] = [.small, .medium, .large, .unsized]
  static let touchpadsWithManySlots: [Pad] = [.medium, .large, .unsized]
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
