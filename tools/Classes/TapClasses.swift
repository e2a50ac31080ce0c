import GlissEvents
import GlissSynthesis

extension TraceClass {
  /// Contacts that leave without moving, or stay in place.
  static let taps: [TraceClass] =
    (1...5).map { fingers in
      TraceClass("tap-\(fingers)", "\(fingers) finger\(fingers == 1 ? "" : "s") tap once") {
        _, random in random.tap(fingers: fingers, count: 1)
      }
    } + [
      TraceClass("tap-double", "one to five fingers tap twice") { _, random in
        let fingers = random.integer(1...5)
        return random.tap(fingers: fingers, count: 2)
      },
      TraceClass("tap-triple", "one to five fingers tap three times") { _, random in
        let fingers = random.integer(1...5)
        return random.tap(fingers: fingers, count: 3)
      },
      TraceClass("tap-sliding", "two fingers tap and slide by up to 1 mm") { _, random in
        let slide = random.vector(length: random.uniform(0.3...1))
        return random.tap(fingers: 2, count: 1).with { $0.drift = slide }
      },
      TraceClass("tap-drag", "one finger taps, lands again within 60 to 180 ms, and moves") {
        pad, random in
        let heading = 90 * Double(random.integer(0...3)) + random.uniform(-20...20)
        let (motion, length) = random.motion(on: pad, heading: heading)
        let gap = random.uniform(60...180)
        let rest = random.uniform(0...150)
        return random.stroke(.tapAndDrag(by: motion), travel: length).with {
          $0.gapMilliseconds = gap
          $0.restMilliseconds = rest
        }
      },
    ]
    + (1...5).map { fingers in
      TraceClass("hold-\(fingers)", "\(fingers) finger\(fingers == 1 ? "" : "s") lie still") {
        _, random in
        let separation = fingers == 2 ? random.uniform(14...45) : random.uniform(14...21)
        return Stroke.hold(
          fingers: fingers, milliseconds: random.uniform((fingers == 1 ? 1050 : 700)...1600)
        ).with {
          $0.separation = separation
        }
      }
    }
}

extension RandomSource {
  mutating func tap(fingers: Int, count: Int) -> Stroke {
    let contact = uniform(40...(count == 1 ? 110 : 90))
    let gap = uniform(80...200)
    let separation = fingers == 2 ? uniform(14...45) : uniform(14...21)
    return Stroke.tap(fingers: fingers, count: count).with {
      $0.durationMilliseconds = contact
      $0.gapMilliseconds = gap
      $0.separation = separation
      // Tapping fingers leave within 20 ms of each other.
      $0.motor.landingStaggerMilliseconds = 0...(fingers == 1 ? 0 : 30)
      $0.motor.liftingStaggerMilliseconds = 0...(fingers == 1 ? 0 : 25)
    }
  }
}
