import GlissEvents
import GlissSynthesis

extension TraceClass {
  static let drags: [TraceClass] = [
    TraceClass("drag-plain", "two fingers move up, down, left or right") { pad, random in
      random.drag(on: pad)
    },
    TraceClass("drag-oblique", "two fingers move in any direction between the main ones") {
      pad, random in
      let heading = random.uniform(20...70) + 90 * Double(random.integer(0...3))
      return random.drag(on: pad, heading: heading)
    },
    TraceClass("drag-converging", "two fingers come together by 10 to 15 % as they move") {
      pad, random in random.drag(on: pad, convergence: random.uniform(0.10...0.15))
    },
    TraceClass("drag-diverging", "two fingers drift apart by 10 to 15 % as they move") {
      pad, random in random.drag(on: pad, convergence: -random.uniform(0.10...0.15))
    },
    TraceClass("drag-turning", "two fingers whose direction turns by 10 to 45° on the way") {
      pad, random in
      let turn = random.sign() * random.uniform(10...45)
      return random.drag(on: pad, turn: turn)
    },
    TraceClass(
      "drag-late-finger", "the second finger lands 30 to 150 ms after the first, as motion starts"
    ) { pad, random in
      let late = random.uniform(30...150)
      let rest = random.uniform(-min(40, late)...120)
      return random.drag(on: pad).with {
        $0.lateFingerMilliseconds = late
        $0.restMilliseconds = rest
      }
    },
    TraceClass("drag-early-lift", "one finger lifts after half to nine tenths of the time") {
      pad, random in
      let share = random.uniform(0.5...0.9)
      return random.drag(on: pad).with { $0.earlyLiftShare = share }
    },
    TraceClass("drag-lagging", "one finger begins to move 20 to 60 ms after the other") {
      pad, random in
      let lag = random.uniform(20...60)
      return random.drag(on: pad).with {
        // Fingers of one hand are coupled: none lags by more than a quarter of a short motion.
        $0.laggingFingerMilliseconds = min(lag, ($0.durationMilliseconds ?? 400) / 4)
      }
    },
    TraceClass("flick-2", "two fingers flick: 60 to 120 ms on the pad") { pad, random in
      random.flick(on: pad, fingers: 2)
    },
  ]

  static let swipes: [TraceClass] =
    (3...5).map { fingers in
      TraceClass("swipe-\(fingers)", "\(fingers) fingers move up, down, left or right") {
        pad, random in
        let (motion, length) = random.motion(on: pad, heading: nil)
        let spacing = random.uniform(14...21)
        let pivot = random.pivot()
        return random.stroke(Stroke(.swipe(by: motion, fingers: fingers)), travel: length)
          .with {
            $0.separation = spacing
            $0.pivotRadius = pivot
          }
      }
    } + [
      TraceClass("flick-3", "three fingers flick: 60 to 120 ms on the pad") { pad, random in
        random.flick(on: pad, fingers: 3)
      }
    ]
    + (1...3).map { fingers in
      TraceClass(
        "edge-swipe-\(fingers)",
        "\(fingers) finger\(fingers == 1 ? " comes" : "s come") in over an edge",
        pads: fingers < 3 ? Pad.all : manySlots
      ) { pad, random in
        // On a laptop's pad, several fingers side by side have no room at the top and bottom edges.
        let edge: Edge = random.pick(fingers == 1 ? Edge.allCases : [.left, .right])
        let length = random.uniform(12...40)
        let speed = random.logUniform(60...250)
        let spacing = random.uniform(12...20)
        return Stroke.edgeSwipe(edge, fingers: fingers, length: length).with {
          $0.durationMilliseconds = max(130, min(600, length / speed * 1000))
          $0.separation = spacing
          $0.lingerMilliseconds = 20
        }
      }
    }
}

extension RandomSource {
  /// A displacement in mm; within 15° of a main direction if no heading is given.
  mutating func motion(on pad: Pad, heading: Double?, room: Double = 0.6) -> (Vector2, Double) {
    let degrees = heading ?? 90 * Double(integer(0...3)) + uniform(-15...15)
    let unit = Vector2(angle: degrees.radians)
    let length = length(on: pad, vertically: abs(unit.y) > abs(unit.x), room: room)
    return (unit * length, length)
  }

  /// Half of all hands move in parallel; the others pivot around the wrist or the elbow.
  mutating func pivot() -> Double? { chance(0.5) ? nil : sign() * uniform(130...400) }

  /// Two fingers that move together.
  mutating func drag(
    on pad: Pad, heading: Double? = nil, turn: Double = 0, convergence: Double = 0
  ) -> Stroke {
    let (motion, length) = motion(on: pad, heading: heading)
    let separation = uniform(12...45)
    let pivot = pivot()
    return stroke(.drag(by: motion.turned(by: -turn.radians / 2)), travel: length).with {
      $0.separation = separation
      $0.pivotRadius = pivot
      $0.turn = turn
      $0.convergence = convergence
    }
  }

  /// Fingers that land moving, or nearly so, and leave before they come to rest.
  fileprivate mutating func flick(on pad: Pad, fingers: Int) -> Stroke {
    let (motion, _) = motion(on: pad, heading: nil, room: 0.45)
    let share = uniform(0.6...0.95)
    let contact = uniform(60...120)
    let separation = fingers == 2 ? uniform(14...35) : uniform(14...21)
    let rest = uniform(-10...10)
    return Stroke(
      fingers == 2 ? .drag(by: motion, fingers: 2) : .swipe(by: motion, fingers: fingers)
    )
    .with {
      $0.durationMilliseconds = (contact - rest) / share
      $0.restMilliseconds = rest
      $0.liftShare = share
      $0.separation = separation
      // The fingers of a flick land and leave almost at once.
      $0.motor.landingStaggerMilliseconds = 0...20
      $0.motor.liftingStaggerMilliseconds = 0...20
    }
  }
}
