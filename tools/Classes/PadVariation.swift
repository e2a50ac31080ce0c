import GlissEvents
import GlissSynthesis

/// The properties of a pad that are drawn again for each trace.
enum PadVariation: Hashable, Sendable {
  /// Nothing: the pad stays as it is.
  case none
  /// Reports per second, units per mm and noise, over the whole range of real pads.
  case any
  /// 40 to 60 reports per second; contacts closer than about 10 mm are merged into one for some of
  /// them.
  case merging
  /// 40 to 60 reports per second; slots swap contacts.
  case swapping

  func drawn(from pad: Pad, using random: inout RandomSource) -> Pad {
    var pad = pad
    switch self {
    case .none: return pad
    case .any: pad.draw(reports: 40...200, using: &random)
    case .merging:
      pad.draw(reports: 40...60, using: &random)
      pad.mergeDistance = random.uniform(9...11)
    case .swapping:
      pad.draw(reports: 40...60, using: &random)
      pad.swapRate = random.uniform(1...4)
    }
    return pad
  }
}

extension Pad {
  fileprivate mutating func draw(
    reports: ClosedRange<Double>, using random: inout RandomSource
  ) {
    let rate = random.logUniform(reports)
    reportRate = rate...rate
    let units = random.logUniform(10...100).rounded()
    unitsPerMillimetre = Vector2(x: units, y: units)
    noise = random.logUniform(0.005...0.04)
  }
}

extension RandomSource {
  /// One hand's tremor in mm, from the steadiest to the shakiest.
  mutating func tremor() -> ClosedRange<Double> {
    let amplitude = logUniform(0.005...0.1)
    return amplitude...amplitude
  }
}
