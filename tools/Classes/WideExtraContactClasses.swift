import GlissEvents
import GlissSynthesis

extension TraceClass {
  /// Thumbs from 1 to 20 mm above the lower edge. A thumb that lies still beside a pointing finger
  /// makes no gesture. No thumb is drawn that might as well be a finger.
  static let thumbs: [TraceClass] = [
    TraceClass(
      "thumb-still-drag", "a thumb lies 1 to 20 mm up, there 0 to 1 s before; two fingers move",
      pads: thumbPads, variation: .any
    ) { pad, random in
      random.drag(on: pad).with { $0.extraContacts = [random.lowThumb(rolls: false)] }
    },
    TraceClass(
      "thumb-rolling-drag", "as thumb-still-drag; the thumb rolls by 0.3 to 1 mm as they move",
      pads: thumbPads, half: .heldOut, variation: .any
    ) { pad, random in
      random.drag(on: pad).with { $0.extraContacts = [random.lowThumb(rolls: true)] }
    },
    TraceClass(
      "thumb-still-swipe", "a thumb lies 1 to 20 mm up, there 0 to 1 s before; three fingers move",
      pads: thumbPads, half: .heldOut, variation: .any
    ) { pad, random in
      random.swipe(on: pad).with { $0.extraContacts = [random.lowThumb(rolls: false)] }
    },
    TraceClass(
      "thumb-rolling-swipe", "as thumb-still-swipe; the thumb rolls by 0.3 to 1 mm as they move",
      pads: thumbPads, variation: .any
    ) { pad, random in
      random.swipe(on: pad).with { $0.extraContacts = [random.lowThumb(rolls: true)] }
    },
    TraceClass(
      "thumb-waking-drag",
      "a thumb lies 1 to 14 mm up, there 0 to 1 s before; it and one finger move together",
      pads: thumbPads, variation: .any
    ) { pad, random in
      let motion = random.unhindered(on: pad)
      return random.stroke(.point(by: motion), travel: motion.length)
        .with { $0.extraContacts = [random.wakingThumb()] }
    },
    TraceClass(
      "thumb-waking-swipe",
      "a thumb lies 1 to 14 mm up, there 0 to 1 s before; it and two fingers move together",
      pads: thumbPads, half: .heldOut, variation: .any
    ) { pad, random in
      let motion = random.unhindered(on: pad)
      let separation = random.uniform(14...30)
      return random.stroke(.drag(by: motion), travel: motion.length).with {
        $0.separation = separation
        $0.extraContacts = [random.wakingThumb()]
      }
    },
    TraceClass(
      "thumb-still-pointing",
      "a thumb lies 1 to 9 mm up, there 80 ms to 1 s before; one finger moves",
      pads: sizedTouchpads, variation: .any
    ) { pad, random in random.pointing(on: pad, besideThumbThatRolls: false) },
    TraceClass(
      "thumb-rolling-pointing",
      "as thumb-still-pointing; the thumb rolls by 0.3 to 1 mm as the finger moves",
      pads: sizedTouchpads, half: .heldOut, variation: .any
    ) { pad, random in random.pointing(on: pad, besideThumbThatRolls: true) },
  ]

  /// Palms at the sides.
  static let palms: [TraceClass] = [
    TraceClass(
      "palm-any-drag",
      "a palm lies 0 to 5 mm from a side, there up to 1 s before; two fingers move",
      pads: touchpadsWithManySlots, variation: .any
    ) { pad, random in random.drag(on: pad).with { $0.extraContacts = [random.palm(on: pad)] } },
    TraceClass(
      "palm-any-swipe", "a palm lies 0 to 5 mm from a side; three fingers move",
      pads: [.medium, .large], half: .heldOut, variation: .any
    ) { pad, random in random.swipe(on: pad).with { $0.extraContacts = [random.palm(on: pad)] } },
    TraceClass(
      "palm-any-pointing", "a palm lies 0 to 5 mm from a side; one finger moves",
      pads: touchpads, half: .heldOut, variation: .any
    ) { pad, random in random.pointing(on: pad).with { $0.extraContacts = [random.palm(on: pad)] }
    },
    TraceClass(
      "palm-both-drag", "palms lie 0 to 5 mm from both sides; two fingers move",
      pads: [.medium, .large], variation: .any
    ) { pad, random in
      random.drag(on: pad).with {
        $0.extraContacts = [random.palm(on: pad, edge: .left), random.palm(on: pad, edge: .right)]
      }
    },
  ]

  /// Pads high enough for fingers above a thumb, with enough slots for all of them.
  private static let thumbPads: [Pad] = [.medium, .large]
}

extension RandomSource {
  /// A thumb at least this high that lands with the fingers may be one of them, in mm.
  private static let doubtfulHeight = 14.0

  /// The time from a thumb's landing to the first finger's, in ms: together, or up to a second.
  private mutating func headStart() -> Double { chance(0.4) ? uniform(0...60) : uniform(60...1000) }

  private mutating func roll(_ rolls: Bool) -> Vector2 {
    rolls ? vector(length: uniform(0.3...1)) : .zero
  }

  fileprivate mutating func lowThumb(rolls: Bool) -> StrokeOptions.ExtraContact {
    let earlier = headStart()
    let height = uniform(1...(earlier < 120 ? Self.doubtfulHeight : 20))
    return .lowThumb(height: height, earlierMilliseconds: earlier, roll: roll(rolls))
  }

  fileprivate mutating func wakingThumb() -> StrokeOptions.ExtraContact {
    .wakingThumb(
      height: uniform(1...Self.doubtfulHeight), earlierMilliseconds: headStart(),
      share: uniform(0.75...1))
  }

  /// A direction to a side or up: a thumb that moves along has no room below.
  fileprivate mutating func unhindered(on pad: Pad) -> Vector2 {
    let heading = pick([0.0, 180, 270]) + uniform(-15...15)
    return motion(on: pad, heading: heading, room: 0.4).0
  }

  /// A swipe with three fingers.
  mutating func swipe(on pad: Pad) -> Stroke {
    let (motion, length) = motion(on: pad, heading: nil, room: 0.45)
    let spacing = uniform(14...21)
    return stroke(Stroke(.swipe(by: motion, fingers: 3)), travel: length)
      .with { $0.separation = spacing }
  }

  /// One finger above a thumb that was there before, because a thumb that lands with the finger may
  /// be the still finger of a drag. If the thumb lands shortly before, the finger moves sideways:
  /// along the line between them it would be a pinch.
  fileprivate mutating func pointing(on pad: Pad, besideThumbThatRolls rolls: Bool) -> Stroke {
    let earlier = chance(0.4) ? uniform(80...140) : uniform(140...1000)
    // On a low pad fingers already lie at 9 mm.
    let height = uniform(1...min(9, pad.size.y * 0.15))
    let sideways = (chance(0.5) ? 0.0 : 180) + uniform(-20...20)
    let heading = earlier < 250 ? sideways : uniform(0...360)
    let (motion, length) = motion(on: pad, heading: heading, room: 0.4)
    let roll = roll(rolls)
    return stroke(.point(by: motion), travel: length).with {
      $0.extraContacts = [.lowThumb(height: height, earlierMilliseconds: earlier, roll: roll)]
    }
  }

  /// If the pad does not mark palms, a palm that lands together with the fingers may be a finger.
  fileprivate mutating func palm(on pad: Pad, edge: Edge? = nil) -> StrokeOptions.ExtraContact {
    let drawn: Edge = chance(0.5) ? .left : .right
    let earlier = uniform((pad.reportsPalms ? 0 : 150)...1000)
    return .restingPalm(edge ?? drawn, inset: uniform(0...5), earlierMilliseconds: earlier)
  }
}
