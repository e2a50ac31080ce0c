import GlissEvents
import Testing

@testable import GlissGestures

/// Fingers that come and go, on a clock moved by hand.
@Suite struct TapMachineTests {
  /// One thing that happens, at so many ms.
  enum Step: Sendable {
    case land(Int64, fingers: Int, x: Double = 10)
    case move(Double)
    /// A finger that came down at `landed` lifts; so many stay.
    case lift(Int64, remaining: Int, landed: Int64)
    case spoil
    case restart
    case cancel
  }

  private static let limits = {
    var limits = GestureConfiguration().tap
    limits.duration = 200
    limits.movement = 2
    limits.landingSpread = 50
    limits.gap = 300
    limits.distance = 10
    return limits
  }()

  /// What comes of the steps: each tap as fingers × count.
  private func taps(_ steps: [Step]) -> [String] {
    var machine = TapMachine(Self.limits)
    var taps: [String] = []
    for step in steps {
      switch step {
      case .land(let time, let fingers, let x):
        machine.landed(
          count: fingers, place: Vector2(x: x, y: 0), centroid: Vector2(x: 0.5, y: 0.5),
          at: .milliseconds(time))
      case .move(let travel): machine.moved(travel)
      case .lift(let time, let remaining, let landed):
        let came = EventTime.milliseconds(landed)
        let tap = machine.lifted(
          remaining: remaining, landed: came...came, place: .zero, centroid: .zero,
          at: .milliseconds(time))
        if let tap { taps.append("\(tap.fingers)×\(tap.count)") }
      case .spoil: machine.spoil(.gesture)
      case .restart: machine.restart()
      case .cancel: machine.cancel()
      }
    }
    return taps
  }

  @Test(
    arguments: [
      ("one finger", [.land(0, fingers: 1), .lift(80, remaining: 0, landed: 0)], ["1×1"]),
      ("just in time", [.land(0, fingers: 1), .lift(200, remaining: 0, landed: 0)], ["1×1"]),
      ("too long", [.land(0, fingers: 1), .lift(201, remaining: 0, landed: 0)], []),
      ("slides", [.land(0, fingers: 1), .move(2), .lift(80, remaining: 0, landed: 0)], ["1×1"]),
      ("moves", [.land(0, fingers: 1), .move(2.1), .lift(80, remaining: 0, landed: 0)], []),
      ("clicks", [.land(0, fingers: 1), .spoil, .lift(80, remaining: 0, landed: 0)], []),
      (
        "two fingers",
        [
          .land(0, fingers: 1), .land(50, fingers: 2), .lift(100, remaining: 1, landed: 0),
          .lift(110, remaining: 0, landed: 50),
        ], ["2×1"]
      ),
      (
        "two that land too far apart",
        [
          .land(0, fingers: 1), .land(51, fingers: 2), .lift(100, remaining: 1, landed: 0),
          .lift(110, remaining: 0, landed: 51),
        ], []
      ),
      (
        "drumming: the first lifts as the second lands",
        [
          .land(0, fingers: 1), .land(45, fingers: 2), .lift(55, remaining: 1, landed: 0),
          .lift(100, remaining: 0, landed: 45),
        ], []
      ),
      (
        "one comes back while the other stays",
        [
          .land(0, fingers: 1), .land(10, fingers: 2), .lift(80, remaining: 1, landed: 0),
          .land(90, fingers: 2), .lift(130, remaining: 0, landed: 90),
        ], []
      ),
      (
        "two, and a third that only grazes the pad",
        [
          .land(0, fingers: 1), .land(5, fingers: 2), .land(40, fingers: 3),
          .lift(55, remaining: 2, landed: 40), .lift(100, remaining: 1, landed: 0),
          .lift(105, remaining: 0, landed: 5),
        ], ["2×1"]
      ),
      (
        "first a graze",
        [
          .land(0, fingers: 1), .land(5, fingers: 2), .land(15, fingers: 3),
          .lift(20, remaining: 2, landed: 0), .lift(100, remaining: 0, landed: 5),
        ], ["2×1"]
      ),
      (
        "a graze too late for a finger",
        [
          .land(0, fingers: 2), .land(80, fingers: 3), .lift(100, remaining: 2, landed: 80),
          .lift(120, remaining: 0, landed: 0),
        ], ["2×1"]
      ),
      (
        "a graze as the first lifts",
        [
          .land(0, fingers: 2), .lift(80, remaining: 1, landed: 0), .land(85, fingers: 2),
          .lift(95, remaining: 1, landed: 85), .lift(110, remaining: 0, landed: 0),
        ], ["2×1"]
      ),
      (
        "two of three land too late, and one is brief",
        [
          .land(0, fingers: 1), .land(80, fingers: 3), .lift(96, remaining: 2, landed: 80),
          .lift(150, remaining: 0, landed: 0),
        ], []
      ),
      (
        "a graze too late, in a gesture",
        [
          .land(0, fingers: 1), .land(80, fingers: 2), .spoil,
          .lift(100, remaining: 0, landed: 80),
        ], []
      ),
      (
        "three, and all of them briefly",
        [
          .land(0, fingers: 2), .land(20, fingers: 3), .lift(45, remaining: 2, landed: 20),
          .lift(60, remaining: 0, landed: 0),
        ], ["3×1"]
      ),
    ] as [(String, [Step], [String])])
  func aContactIsATapOrNot(what: String, steps: [Step], expected: [String]) {
    #expect(taps(steps) == expected, "\(what)")
  }

  private static let first: [Step] = [.land(0, fingers: 1), .lift(50, remaining: 0, landed: 0)]

  @Test(
    arguments: [
      ("soon", [.land(350, fingers: 1), .lift(400, remaining: 0, landed: 350)], ["1×1", "1×2"]),
      ("late", [.land(351, fingers: 1), .lift(400, remaining: 0, landed: 351)], ["1×1", "1×1"]),
      (
        "elsewhere", [.land(200, fingers: 1, x: 21), .lift(250, remaining: 0, landed: 200)],
        ["1×1", "1×1"]
      ),
      (
        "with two fingers", [.land(200, fingers: 2), .lift(250, remaining: 0, landed: 200)],
        ["1×1", "2×1"]
      ),
      (
        "after a loss", [.cancel, .land(200, fingers: 1), .lift(250, remaining: 0, landed: 200)],
        ["1×1", "1×1"]
      ),
      (
        "three times",
        [
          .land(200, fingers: 1), .lift(250, remaining: 0, landed: 200), .land(400, fingers: 1),
          .lift(450, remaining: 0, landed: 400),
        ], ["1×1", "1×2", "1×3"]
      ),
      (
        "after a contact that was too long",
        [
          .land(100, fingers: 1), .lift(320, remaining: 0, landed: 100), .land(340, fingers: 1),
          .lift(380, remaining: 0, landed: 340),
        ], ["1×1", "1×1"]
      ),
    ] as [(String, [Step], [String])])
  func tapsInARowAreCounted(what: String, steps: [Step], expected: [String]) {
    #expect(taps(Self.first + steps) == expected, "\(what)")
  }

  @Test func aThumbThatRestedIsNoPartOfTheTapBesideIt() {
    let steps: [Step] = [
      .land(0, fingers: 1), .restart, .land(900, fingers: 1), .lift(950, remaining: 0, landed: 900),
    ]
    #expect(taps(steps) == ["1×1"])
  }

  @Test func aSpoiledContactMustEndBeforeTheNextTap() {
    let steps: [Step] = [
      .land(0, fingers: 1), .spoil, .land(20, fingers: 2), .lift(40, remaining: 1, landed: 0),
      .lift(60, remaining: 0, landed: 20), .land(100, fingers: 1),
      .lift(150, remaining: 0, landed: 100),
    ]
    #expect(taps(steps) == ["1×1"])
  }

  /// Not only of the first one that came too late.
  @Test func theSpreadIsThatOfAllFingers() {
    var machine = TapMachine(Self.limits)
    for (count, time) in [(1, 0), (2, 60), (3, 200)] as [(Int, Int64)] {
      machine.landed(count: count, place: .zero, centroid: .zero, at: .milliseconds(time))
    }
    #expect(machine.fault == .landedApart(200, most: 50))
  }

  @Test func fingersMayTapAsLongAsATapMayLast() {
    var machine = TapMachine(Self.limits)
    #expect(!machine.mayTap(at: .zero))
    machine.landed(count: 1, place: .zero, centroid: .zero, at: .milliseconds(100))
    #expect(machine.mayTap(at: .milliseconds(300)))
    #expect(!machine.mayTap(at: .milliseconds(301)))
    machine.spoil(.gesture)
    #expect(!machine.mayTap(at: .milliseconds(150)))
  }
}

extension EventTime {
  static func milliseconds(_ n: Int64) -> EventTime { EventTime(microseconds: n * 1000) }
}
