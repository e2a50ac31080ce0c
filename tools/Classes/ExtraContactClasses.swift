import GlissEvents
import GlissSynthesis

extension TraceClass {
  /// Strokes with something else resting on the pad.
  static let withExtraContacts: [TraceClass] = [
    TraceClass(
      "thumb-drag",
      "a thumb rests low on the pad, there 250 to 800 ms before, while two fingers move",
      // With two slots, one finger is seen to move and three are counted, as on many older pads.
      pads: touchpads
    ) { pad, random in
      let earlier = random.uniform(250...800)
      return random.drag(on: pad).with { $0.extraContacts = [.thumb(earlierMilliseconds: earlier)] }
    },
    TraceClass(
      "thumb-pointing",
      "a thumb rests low on the pad, there 250 to 800 ms before, while one finger moves",
      pads: touchpads
    ) { pad, random in
      let earlier = random.uniform(250...800)
      return random.pointing(on: pad).with {
        $0.extraContacts = [.thumb(earlierMilliseconds: earlier)]
      }
    },
    TraceClass(
      "palm-drag", "a palm lies at a side edge while two fingers move", pads: touchpadsWithManySlots
    ) { pad, random in
      let edge: Edge = random.chance(0.5) ? .left : .right
      return random.drag(on: pad).with { $0.extraContacts = [.palm(edge)] }
    },
    TraceClass(
      "palm-pointing", "a palm lies at a side edge while one finger moves", pads: touchpads
    ) { pad, random in
      let edge: Edge = random.chance(0.5) ? .left : .right
      return random.pointing(on: pad).with { $0.extraContacts = [.palm(edge)] }
    },
    TraceClass(
      "rest-across",
      "a finger rests, there 250 to 700 ms before; another moves across the line between",
      pads: touchpads
    ) { pad, random in
      let side = random.sign()
      let off = random.uniform(-30...30)
      return random.besideResting(on: pad, degrees: side * 90 + off)
    },
    TraceClass(
      "rest-along",
      "a finger rests, there 250 to 700 ms before; another moves along the line between",
      pads: touchpads
    ) { pad, random in
      let side = random.chance(0.5) ? 0.0 : 180
      let off = random.uniform(-25...25)
      return random.besideResting(on: pad, degrees: side + off)
    },
  ]

  static let others: [TraceClass] = [
    TraceClass("pointing", "one finger moves") { pad, random in random.pointing(on: pad) },
    TraceClass("drum-roll", "two fingers tap in turn, overlapping by 10 to 60 ms") { pad, random in
      let touches = random.integer(4...10)
      let overlap = random.uniform(10...60)
      let contact = random.uniform(max(70, overlap * 1.6)...140)
      let separation = random.uniform(14...40)
      return Stroke.drumRoll(touches: touches, overlapMilliseconds: overlap).with {
        $0.durationMilliseconds = contact
        $0.separation = separation
      }
    },
    TraceClass("click-2", "two fingers press the pad's button", pads: touchpads) { pad, random in
      let held = random.uniform(60...200)
      let rest = random.uniform(60...200)
      let linger = random.uniform(20...120)
      let separation = random.uniform(14...40)
      return Stroke.click(fingers: 2).with {
        $0.durationMilliseconds = held
        $0.restMilliseconds = rest
        $0.lingerMilliseconds = linger
        $0.separation = separation
      }
    },
  ]
}

extension RandomSource {
  mutating func pointing(on pad: Pad) -> Stroke {
    let heading = uniform(0...360)
    let (motion, length) = motion(on: pad, heading: heading)
    let turn = normal(deviation: 15, limit: 40)
    return stroke(.point(by: motion), travel: length).with { $0.turn = turn }
  }

  /// One finger moves at `degrees` to the line towards the resting one.
  fileprivate mutating func besideResting(on pad: Pad, degrees: Double) -> Stroke {
    let distance = uniform(18...42)
    let line = uniform(-40...40) + (chance(0.5) ? 0 : 180)
    let offset = Vector2(angle: line.radians) * distance
    let unit = Vector2(angle: (line + degrees).radians)
    // There is limited room towards the resting finger.
    let towards = abs(degrees) < 90
    let room = towards ? min(distance - 10, 40) : min(40, pad.size.y * 0.8)
    let length = logUniform(7...max(9, room))
    let earlier = uniform(250...700)
    return stroke(.point(by: unit * length), travel: length).with {
      $0.extraContacts = [.finger(offset: offset, earlierMilliseconds: earlier)]
    }
  }
}
