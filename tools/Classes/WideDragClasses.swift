import GlissEvents
import GlissSynthesis

extension TraceClass {
  /// Drags whose two fingers move differently, or that are not straight.
  static let wideDrags: [TraceClass] = [
    TraceClass(
      "drag-gains", "two fingers move together, the second by 50 to 100 % of the first's way",
      variation: .any
    ) { pad, random in
      let gain = random.uniform(0.5...1)
      return random.drag(on: pad).with { $0.lastFingerGain = gain }
    },
    TraceClass(
      "drag-curved", "two fingers whose direction turns evenly by 20 to 60°", variation: .any
    ) { pad, random in
      let turn = random.sign() * random.uniform(20...60)
      return random.drag(on: pad, turn: turn)
    },
    TraceClass(
      "drag-hooked", "two fingers that turn by 20 to 60° after half to four fifths of their way",
      half: .heldOut, variation: .any
    ) { pad, random in
      let turn = random.sign() * random.uniform(20...60)
      let after = random.uniform(0.5...0.8)
      return random.drag(on: pad).with {
        $0.turn = turn
        $0.turnAfter = after
      }
    },
    TraceClass(
      "drag-creeping",
      "two fingers creep 5 to 20 % of their way for 150 to 400 ms before they move in earnest",
      half: .heldOut, variation: .any
    ) { pad, random in
      let share = random.uniform(0.05...0.2)
      let time = random.uniform(150...400)
      return random.drag(on: pad).with {
        $0.creepShare = share
        $0.creepMilliseconds = time
        $0.pivotRadius = nil
      }
    },
    TraceClass(
      "drag-trailing", "one of two fingers begins to move 0 to 70 ms after the other",
      half: .heldOut, variation: .any
    ) { pad, random in
      let lag = random.uniform(0...70)
      return random.drag(on: pad).with {
        // Fingers of one hand are coupled: none waits for half of a short motion.
        $0.laggingFingerMilliseconds = min(lag, ($0.durationMilliseconds ?? 400) / 2)
      }
    },
    TraceClass("drag-slow", "two fingers move at 8 to 30 mm a second", variation: .any) {
      pad, random in
      let speed = random.logUniform(8...30)
      return random.drag(on: pad).with {
        // Fingers that lie still for longer may be a hold.
        $0.restMilliseconds = min($0.restMilliseconds, 60)
      }.atMeanSpeed(speed, longest: 1.5)
    },
  ]

  /// A finger that takes part by lying still: the other finger's motion is a drag.
  static let stillFingers: [TraceClass] = [
    TraceClass(
      "still-finger-together",
      "two fingers land together; one lies still, 9.5 to 30 mm up, the other moves across their line",
      pads: sizedTouchpads, variation: .any
    ) { pad, random in
      let off = 90 + random.uniform(-30...30)
      let earlier = random.uniform(0...60)
      return random.besideStill(on: pad, heights: 9.5...30, off: off, earlier: earlier)
    },
    TraceClass(
      "still-finger-before",
      "a finger lies still, higher than thumbs and up to 30 mm, 250 to 1000 ms before; another moves",
      pads: sizedTouchpads, half: .heldOut, variation: .any
    ) { pad, random in
      let off = random.uniform(0...180)
      let earlier = random.uniform(250...1000)
      // If the pad reports contact size, a finger that happens to be large counts as a thumb up to
      // 18 mm.
      let least = pad.reportsMajor ? 18.5 : 10.5
      return random.besideStill(on: pad, heights: least...30, off: off, earlier: earlier)
    },
  ]

  /// Pads that report their scale, so that a reader knows the real mm.
  static let sizedTouchpads: [Pad] = [.small, .medium, .large]
}

extension Stroke {
  /// The same drag at a mean speed in mm/s, limited to the distance covered in `longest` s.
  fileprivate func atMeanSpeed(_ speed: Double, longest: Double) -> Stroke {
    guard case .drag(let displacement, let fingers) = shape else { return self }
    let length = min(displacement.length, speed * longest)
    let way = displacement * (length / max(displacement.length, 1e-9))
    var stroke = Stroke(.drag(by: way, fingers: fingers), options: options)
    stroke.options.durationMilliseconds = length / speed * 1000
    return stroke
  }
}

extension RandomSource {
  /// One finger moves at `off` degrees to the line towards a finger that lies still.
  fileprivate mutating func besideStill(
    on pad: Pad, heights: ClosedRange<Double>, off: Double, earlier: Double
  ) -> Stroke {
    let height = uniform(heights.lowerBound...min(heights.upperBound, pad.size.y * 0.4))
    // The still finger lies lower than the other one, or beside it; they share the room above it.
    let above = pad.size.y - height - 4
    let distance = uniform(18...min(42, pad.size.x * 0.45))
    let rise = uniform(0...min(above * 0.4, distance * 0.75))
    let beside = sign() * (distance * distance - rise * rise).squareRoot()
    let line = Elementary.angle(y: rise, x: beside)
    var unit = Vector2(angle: line + off.radians)
    let mirrored = Vector2(angle: line - off.radians)
    // There may be no room downwards.
    if mirrored.y < unit.y { unit = mirrored }
    let room = min(30, above * 0.6, off < 60 ? distance - 10 : 30)
    let length = logUniform(8...max(9, room))
    let offset = Vector2(x: beside, y: rise)
    return stroke(.point(by: unit * length), travel: length).with {
      $0.extraContacts = [
        .stillFinger(height: height, offset: offset, earlierMilliseconds: earlier)
      ]
    }
  }
}
