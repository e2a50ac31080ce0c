import GlissEvents
import GlissSynthesis

extension TraceClass {
  static let pinches: [TraceClass] = [-1, 1].flatMap { sign -> [TraceClass] in
    let way = sign < 0 ? "pinch-in" : "pinch-out"
    let words = sign < 0 ? "together" : "apart"
    return [
      TraceClass("\(way)-symmetric", "two fingers move \(words) alike") { pad, random in
        random.pinch(sign, on: pad, fingers: 2)
      },
      TraceClass("\(way)-anchored", "two fingers move \(words), thumb or index lies still") {
        pad, random in
        let anchor: Stroke.Anchor = random.chance(0.5) ? .thumb : .finger
        let coupling = random.uniform(0...0.04)
        return random.pinch(sign, on: pad, fingers: 2, anchor: anchor)
          .with { $0.anchorCoupling = coupling }
      },
      TraceClass(
        "\(way)-drifting",
        "two fingers move \(words) while their middle drifts by 30 to 60 % of their travel"
      ) { pad, random in random.pinch(sign, on: pad, fingers: 2, drifts: true) },
      TraceClass(
        "\(way)-many", "three to five fingers move \(words), alike or drifting", pads: manySlots
      ) { pad, random in
        let fingers = random.integer(3...5)
        let drifts = random.chance(0.4)
        return random.pinch(sign, on: pad, fingers: fingers, drifts: drifts)
      },
      TraceClass(
        "\(way)-many-anchored", "three to five fingers move \(words), the thumb lies still",
        pads: manySlots
      ) { pad, random in
        let fingers = random.integer(3...5)
        return random.pinch(sign, on: pad, fingers: fingers, anchor: .thumb)
      },
    ]
  }

  static let rotations: [TraceClass] = [-1.0, 1.0].flatMap { sign -> [TraceClass] in
    let way = sign < 0 ? "rotate-cw" : "rotate-ccw"
    let words = sign < 0 ? "clockwise" : "counter-clockwise"
    return [
      TraceClass(way, "two fingers turn \(words)") { pad, random in
        random.rotation(sign, on: pad, fingers: 2)
      },
      TraceClass("\(way)-many", "three to five fingers turn \(words)", pads: manySlots) {
        pad, random in
        let fingers = random.integer(3...5)
        return random.rotation(sign, on: pad, fingers: fingers)
      },
    ]
  }
}

extension RandomSource {
  mutating func pinch(
    _ sign: Int, on pad: Pad, fingers: Int, anchor: Stroke.Anchor? = nil, drifts: Bool = false
  ) -> Stroke {
    // Several fingers cannot come as close together as two.
    let smallest = fingers == 2 ? 12.0...26.0 : 28.0...36.0
    let room = min(pad.size.x, pad.size.y * 1.3) * 0.75
    let close = min(uniform(smallest), room * 0.5)
    let growth = anchor == nil ? 12.0...60.0 : 9.0...40.0
    let wide = min(close + logUniform(growth), max(room, close + 10))
    let (from, to) = sign < 0 ? (wide, close) : (close, wide)
    let travel = (wide - close) * (anchor == nil ? 0.5 : 1)
    let drift = drifts ? vector(length: travel * uniform(0.3...0.6)) : .zero
    let angle = uniform(-10...80)
    return stroke(
      .pinch(from: from, to: to, fingers: fingers, anchor: anchor), travel: travel
    ).with {
      $0.drift = drift
      $0.handAngle = angle
    }
  }

  mutating func rotation(_ sign: Double, on pad: Pad, fingers: Int) -> Stroke {
    let room = min(pad.size.x, pad.size.y) * 0.8
    let diameter =
      fingers == 2 ? uniform(18...min(50, room)) : uniform(min(34, room)...min(62, room))
    // At least 5 mm of travel at the fingertip.
    let least = max(18, 5 / (diameter / 2) * 180 / .pi)
    let degrees = uniform(least...max(least + 10, 85))
    let travel = diameter / 2 * degrees.radians
    let drift = vector(length: travel * uniform(0...0.15))
    let growth = uniform(-0.08...0.08)
    let angle = uniform(-30...100)
    return stroke(.rotate(by: sign * degrees, fingers: fingers), travel: travel).with {
      $0.separation = diameter
      $0.drift = drift
      $0.convergence = growth
      $0.handAngle = angle
    }
  }
}
