import GlissEvents
import Testing

@testable import GlissSynthesis
@testable import StrokeClasses

/// What wide classes say of themselves, measured on what their hands mean to do.
@Suite struct WideClassTests {
  @Test(arguments: [-1.0, 1.0]) func aPinchsFingersShareTheWayAsItsClassSays(sign: Double) throws {
    let ranges: [(name: String, shares: ClosedRange<Double>)] = [
      ("shared", -1...0), ("uneven", -1.5 ... -0.05), ("following", 0...0.15), ("about", -1...0.14),
      ("drifting-any", -1 ... -1), ("drifting-far", -1 ... -1),
    ]
    for (name, shares) in ranges {
      let whole = (sign < 0 ? "pinch-in-" : "pinch-out-") + name
      for meant in try Meant.some(of: whole) {
        let ways = try meant.waysApart()
        // either finger may be the one that goes farther; the class says it of the other
        let (less, more) = abs(ways.0) < abs(ways.1) ? ways : (ways.1, ways.0)
        let share = less / more
        let inverse = 1 / share
        #expect(
          shares.widened.contains(share) || shares.widened.contains(inverse), "\(whole) \(share)")
        #expect(meant.truth.expected.first?.scaleSign == Int(sign), "\(whole)")
        #expect(meant.truth.expected.map(\.kind) == [.pinch])
      }
    }
  }

  @Test(arguments: ["in", "out"]) func aPinchsMiddleDriftsAsFarAsItsClassSays(way: String) throws {
    for meant in try Meant.some(of: "pinch-\(way)-drifting-any") {
      let (drift, travel) = (try meant.drift(), try meant.travel())
      #expect(drift <= 0.9 * travel + 1e-6)
    }
    for meant in try Meant.some(of: "pinch-\(way)-drifting-far") {
      let (drift, travel) = (try meant.drift(), try meant.travel())
      #expect((2.9...6.001).contains(drift) && drift <= 0.9 * travel + 1e-6)
    }
  }

  @Test func fingersThatPinchLandTogether() throws {
    for name in ["pinch-in-following", "pinch-out-about"] {
      for meant in try Meant.some(of: name) {
        let landings = meant.performed.fingers.map(\.landing)
        #expect((landings.max() ?? 1) - (landings.min() ?? 0) <= 0.0301)
      }
    }
  }

  @Test func aDragsFingersAreAsUnlikeAsItsClassSays() throws {
    for meant in try Meant.some(of: "drag-gains") {
      let ways = meant.ways.map(\.length)
      // around a wrist the outer finger goes a little farther
      #expect((0.47...1.06).contains(ways[1] / ways[0]))
    }
    for meant in try Meant.some(of: "drag-trailing") {
      let begins = meant.plan.fingers.compactMap(\.moves.first?.begin)
      #expect((0...0.0701).contains(begins[1] - begins[0]))
    }
    for meant in try Meant.some(of: "drag-slow") {
      let duration = try #require(meant.plan.fingers[0].moves.first?.duration)
      // no faster, though a small pad may make the way shorter; the arc of a pivot is longer than its chord
      #expect(meant.ways[0].length / duration < 31 && duration <= 1.501)
    }
  }

  @Test(arguments: ["drag-curved", "drag-hooked"])
  func aDragTurnsByTwentyToSixtyDegrees(name: String) throws {
    for meant in try Meant.some(of: name) {
      let finger = meant.plan.fingers[0]
      let move = try #require(finger.moves.first)
      func heading(_ time: Double) -> Vector2 {
        finger.position(at: time + 0.001) - finger.position(at: time - 0.001)
      }
      let (before, after) = (
        heading(move.begin + 0.1 * move.duration), heading(move.begin + 0.97 * move.duration)
      )
      let turned = abs(Elementary.angle(y: before.cross(after), x: before.dot(after))) * 180 / .pi
      #expect((19...60.1).contains(turned), "\(turned)")
      guard name == "drag-hooked" else { continue }
      // at 45 % of the time 41 % of the way is done: still straight
      let straight = heading(move.begin + 0.45 * move.duration)
      #expect(abs(Elementary.angle(y: before.cross(straight), x: before.dot(straight))) < 1e-3)
    }
  }

  @Test func thumbsLieAsHighAndAsLongAsTheirClassesSay() throws {
    for kind in TraceClass.thumbs {
      let highest = kind.name.hasSuffix("pointing") ? 9.0 : kind.name.contains("waking") ? 14 : 20
      for meant in try Meant.some(of: kind.name) {
        let thumb = try #require(meant.plan.fingers.first { $0.contact == .thumb })
        let first = try #require(
          meant.plan.fingers.filter { $0.contact == .finger }.map(\.landing).min())
        #expect((0...1.0001).contains(first - thumb.landing), "\(kind.name)")
        let height = meant.pad.size.y - thumb.start.y
        #expect((1...highest).widened.contains(height), "\(kind.name) \(height)")
        if first - thumb.landing < 0.12 { #expect(height <= 14.01) }
        let way = thumb.position(at: thumb.lifting) - thumb.start
        if kind.name.contains("rolling") { #expect((0.29...1.001).contains(way.length)) }
        if kind.name.contains("still") { #expect(way == .zero) }
        let answers: [GestureKind] =
          kind.name.hasSuffix("drag") ? [.drag] : kind.name.hasSuffix("swipe") ? [.swipe] : []
        #expect(meant.truth.expected.map(\.kind) == answers)
      }
    }
  }

  @Test func aStillFingerLiesWhereNoThumbAndNoPalmDoes() throws {
    for kind in TraceClass.stillFingers {
      let isTogether = kind.name.hasSuffix("together")
      for meant in try Meant.some(of: kind.name) {
        let still = try #require(meant.plan.fingers.last)
        let moving = meant.plan.fingers[0]
        #expect(still.moves.isEmpty)
        let gap = moving.landing - still.landing
        #expect((isTogether ? 0...0.0601 : 0.2499...1.0001).contains(gap))
        let height = meant.pad.size.y - still.start.y
        #expect((isTogether ? 9.5...30 : 10.5...30).widened.contains(height))
        let line = still.start - moving.start
        let across = abs(meant.ways[0].cross(line)) / (meant.ways[0].length * line.length)
        // sine of 60°
        if isTogether { #expect(across > 0.86) }
        #expect(meant.ways[0].length > 6)
        #expect(meant.truth.expected.map(\.kind) == [.drag])
        #expect(meant.truth.expected.first?.fingers == 2)
      }
    }
  }

  @Test func palmsLieAtASideBeforeTheFingers() throws {
    for kind in TraceClass.palms {
      for meant in try Meant.some(of: kind.name) {
        let first = try #require(
          meant.plan.fingers.filter { $0.contact == .finger }.map(\.landing).min())
        for palm in meant.plan.fingers where palm.contact == .palm {
          #expect(min(palm.start.x, meant.pad.size.x - palm.start.x) <= 5)
          #expect(((meant.pad.reportsPalms ? 0 : 0.1499)...1.0001).contains(first - palm.landing))
        }
      }
    }
  }
}

extension ClosedRange<Double> {
  /// With room for rounding.
  fileprivate var widened: ClosedRange<Double> { lowerBound - 1e-6...upperBound + 1e-6 }
}
