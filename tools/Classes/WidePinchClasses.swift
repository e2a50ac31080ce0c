import GlissEvents
import GlissSynthesis

extension TraceClass {
  /// Pinches of two fingers: how they share the travel, and how far their middle drifts.
  static let widePinches: [TraceClass] = [-1, 1].flatMap { sign -> [TraceClass] in
    let way = sign < 0 ? "pinch-in" : "pinch-out"
    let words = sign < 0 ? "together" : "apart"
    return [
      TraceClass(
        "\(way)-shared", "two fingers move \(words), one by 0 to 100 % of the other's way",
        variation: .any
      ) { pad, random in
        let share = -random.unit()
        return random.pinch(sign, on: pad, share: share)
      },
      TraceClass(
        "\(way)-uneven", "two fingers move \(words), one of them 40 to 95 % of the whole way",
        half: .heldOut, variation: .any
      ) { pad, random in
        let part = random.uniform(0.4...0.95)
        return random.pinch(sign, on: pad, share: 1 - 1 / part)
      },
      TraceClass(
        "\(way)-following",
        "two fingers land together and move \(words); one follows the other by up to 15 % of its way",
        variation: .any
      ) { pad, random in
        let share = random.uniform(0...0.15)
        return random.pinch(sign, on: pad, share: share)
      },
      TraceClass(
        "\(way)-about", "two fingers move \(words) about any point of their line, or 15 % beyond",
        half: .heldOut, variation: .any
      ) { pad, random in
        // From -0.15 to 1.15 along the line.
        let fixed = random.uniform(0.5...1.15)
        return random.pinch(sign, on: pad, share: 1 - 1 / fixed)
      },
      TraceClass(
        "\(way)-drifting-any",
        "two fingers move \(words), their middle by 0 to 90 % of their travel",
        variation: .any
      ) { pad, random in
        let share = random.uniform(0...0.9)
        return random.pinch(sign, on: pad, share: -1).drifting { $0 * share }(&random)
      },
      TraceClass(
        "\(way)-drifting-far",
        "two fingers move \(words), their middle by 3 to 6 mm and at most 90 % of their travel",
        pads: manySlots, half: .heldOut, variation: .any
      ) { pad, random in
        let drift = random.uniform(3...6)
        let least = 2 * drift / 0.9
        return random.pinch(sign, on: pad, share: -1, growth: least...max(least, 45))
          .drifting { _ in drift }(&random)
      },
    ]
  }
}

extension Stroke {
  /// The same pinch with a middle that drifts in any direction, by `length` of a finger's travel.
  fileprivate func drifting(
    _ length: @escaping (Double) -> Double
  ) -> (inout RandomSource) -> Stroke {
    { random in
      guard case .pinch(let from, let to, _, _) = shape else { return self }
      let drift = random.vector(length: length(abs(to - from) / 2))
      return with { $0.drift = drift }
    }
  }
}

extension RandomSource {
  /// Two fingers, one of which covers `share` of the other's travel: below 0 it moves the opposite
  /// way, above 0 it follows.
  fileprivate mutating func pinch(
    _ sign: Int, on pad: Pad, share: Double, growth: ClosedRange<Double> = 9...45
  ) -> Stroke {
    let room = min(pad.size.x, pad.size.y * 1.3) * 0.65
    let close = min(uniform(12...26), room * 0.4)
    let wide = min(close + logUniform(growth), max(room, close + growth.lowerBound))
    let (from, to) = sign < 0 ? (wide, close) : (close, wide)
    // The fixed point divides the line in the ratio of the fingers' travel.
    let fixed = 1 / (1 - share)
    let isThumbFirst = chance(0.5)
    let angle = uniform(-10...80)
    let travel = (wide - close) * max(fixed, 1 - fixed)
    return stroke(.pinch(from: from, to: to), travel: travel).with {
      $0.fixedPoint = isThumbFirst ? 1 - fixed : fixed
      $0.handAngle = angle
      // A finger that lands later than this beside a still finger may make a drag.
      $0.motor.landingStaggerMilliseconds = 0...30
    }
  }
}
