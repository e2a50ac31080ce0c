import GlissEvents
import GlissSynthesis

extension TraceClass {
  /// Common strokes on pads with 40 to 200 reports a second and 10 to 100 units per mm.
  static let anyPads: [TraceClass] = [
    TraceClass("any-pad-drag", "two fingers move, on any pad", variation: .any) { pad, random in
      random.drag(on: pad)
    },
    TraceClass("any-pad-swipe", "three fingers move, on any pad", half: .heldOut, variation: .any) {
      pad, random in random.swipe(on: pad)
    },
    TraceClass("any-pad-pinch-in", "two fingers move together, on any pad", variation: .any) {
      pad, random in random.pinch(-1, on: pad, fingers: 2)
    },
    TraceClass(
      "any-pad-pinch-out", "two fingers move apart, on any pad", half: .heldOut, variation: .any
    ) { pad, random in random.pinch(1, on: pad, fingers: 2) },
    TraceClass("any-pad-rotate-cw", "two fingers turn clockwise, on any pad", variation: .any) {
      pad, random in random.rotation(-1, on: pad, fingers: 2)
    },
    TraceClass(
      "any-pad-rotate-ccw", "two fingers turn counter-clockwise, on any pad", half: .heldOut,
      variation: .any
    ) { pad, random in random.rotation(1, on: pad, fingers: 2) },
    TraceClass("any-pad-tap-2", "two fingers tap once, on any pad", variation: .any) { _, random in
      random.tap(fingers: 2, count: 1)
    },
    TraceClass(
      "any-pad-pointing", "one finger moves, on any pad", half: .heldOut, variation: .any
    ) { pad, random in random.pointing(on: pad) },
  ]

  /// Strokes on pads with 40 to 60 reports a second that confuse the fingers.
  static let slowPads: [TraceClass] = [
    TraceClass(
      "merged-drag", "two fingers 7 to 10 mm apart move; the pad takes them for one now and then",
      pads: touchpads, variation: .merging
    ) { pad, random in
      let separation = random.uniform(7...10)
      return random.drag(on: pad).with { $0.separation = separation }
    },
    TraceClass(
      "merged-pinch-in",
      "two fingers come as close as 6 to 10 mm, where the pad takes them for one",
      pads: touchpads, variation: .merging
    ) { pad, random in random.closePinch(-1, on: pad) },
    TraceClass(
      "merged-pinch-out", "two fingers part from 6 to 10 mm, where the pad takes them for one",
      pads: touchpads, half: .heldOut, variation: .merging
    ) { pad, random in random.closePinch(1, on: pad) },
    TraceClass(
      "swapped-drag", "two fingers move; their slots change places", pads: touchpads,
      half: .heldOut, variation: .swapping
    ) { pad, random in random.drag(on: pad) },
    TraceClass(
      "swapped-pinch-in", "two fingers move together; their slots change places", pads: touchpads,
      half: .heldOut, variation: .swapping
    ) { pad, random in random.pinch(-1, on: pad, fingers: 2) },
    TraceClass(
      "swapped-pinch-out", "two fingers move apart; their slots change places", pads: touchpads,
      variation: .swapping
    ) { pad, random in random.pinch(1, on: pad, fingers: 2) },
  ]
}

extension RandomSource {
  /// Two fingers that come so close together, or start so close, that a pad may merge them.
  fileprivate mutating func closePinch(_ sign: Int, on pad: Pad) -> Stroke {
    let close = uniform(6...10)
    let wide = close + logUniform(12...min(45, pad.size.y * 0.7))
    let angle = uniform(-10...80)
    return stroke(
      .pinch(from: sign < 0 ? wide : close, to: sign < 0 ? close : wide), travel: (wide - close) / 2
    ).with { $0.handAngle = angle }
  }
}
