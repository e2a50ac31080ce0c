import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissDevices

/// One keyboard between the desktop and us, step by step.
@Suite struct GrabMachineTests {
  private static let (a, b, shift) = (Key.a, Key(rawValue: 48), Key.leftShift)

  private static func at(_ milliseconds: Int64) -> EventTime {
    EventTime(microseconds: milliseconds * 1000)
  }

  /// A machine, and what the twin was handed: `scan`, `+KEY_A`, `|` for the end of a packet.
  private struct Bench {
    var machine = GrabMachine()
    var packet: [EvdevEvent] = []
    var actions: [GrabMachine.Action] = []

    /// Grabbed at 0 ms.
    static func grabbed() -> Bench {
      var bench = Bench()
      bench.machine.want(from: .zero)
      bench.machine.took(at: .zero)
      return bench
    }

    mutating func key(
      _ key: Key, _ value: Int32, at time: Int64, keeps: Bool = false, masks: Bool = false
    ) {
      let time = GrabMachineTests.at(time)
      feed(EvdevEvent(time: time, type: .miscellaneous, code: 4, value: 7))
      feed(.key(key, value, at: time), keeps: keeps, masks: masks)
      feed(.report(at: time))
    }

    mutating func feed(_ event: EvdevEvent, keeps: Bool = false, masks: Bool = false) {
      if let action = machine.process(event, keeps: keeps, masks: masks, into: &packet) {
        actions.append(action)
      }
    }

    /// What the twin got since this was asked last.
    mutating func passed() -> String {
      defer { packet.removeAll() }
      return packet.map { event in
        switch event.type {
        case .key:
          (event.value == 0 ? "-" : event.value == 1 ? "+" : "=")
            + Key(rawValue: event.code).name.dropFirst(4)
        case .synchronization: "|"
        case .miscellaneous: "scan"
        case _: "\(event.type.rawValue):\(event.code)"
        }
      }.joined(separator: " ")
    }
  }

  @Test func isGrabbedOnceNoKeyIsDownAndTheTwinIsRead() {
    var bench = Bench()
    bench.key(Self.a, 1, at: 1)
    bench.machine.want(from: Self.at(100))
    #expect(bench.machine.deadline == nil)
    bench.key(Self.b, 1, at: 110)
    bench.key(Self.a, 0, at: 120)
    #expect(bench.actions.isEmpty)
    bench.key(Self.b, 0, at: 130)
    #expect(bench.actions == [.grab])
    #expect(!bench.machine.isGrabbed)
    bench.machine.took(at: Self.at(131))
    #expect(bench.machine.isGrabbed)
    #expect(bench.passed() == "")
    bench.key(Self.a, 1, at: 140)
    #expect(bench.passed() == "scan +A |")
  }

  @Test func waitsForTheTwinToBeRead() {
    var bench = Bench()
    bench.machine.want(from: Self.at(100))
    #expect(bench.machine.deadline == Self.at(100))
    bench.key(Self.a, 1, at: 10)
    bench.key(Self.a, 0, at: 20)
    #expect(bench.actions.isEmpty)
    let early = bench.machine.advance(to: Self.at(99), into: &bench.packet)
    let due = bench.machine.advance(to: Self.at(100), into: &bench.packet)
    #expect(early == nil && due == .grab)
    bench.machine.refused(until: Self.at(500))
    #expect(bench.machine.deadline == Self.at(500))
  }

  @Test func eventsFromBeforeTheGrabAreNotPassedOn() {
    var bench = Bench()
    bench.machine.want(from: .zero)
    bench.machine.took(at: Self.at(10))
    bench.key(Self.a, 1, at: 9)
    bench.key(Self.a, 0, at: 10)
    #expect(bench.passed() == "")
    bench.key(Self.a, 1, at: 11)
    #expect(bench.passed() == "scan +A |")
  }

  @Test func aKeptPressIsKeptWithAllThatBelongsToIt() {
    var bench = Bench.grabbed()
    bench.key(Self.shift, 1, at: 1)
    bench.key(Self.a, 1, at: 2, keeps: true, masks: true)
    #expect(bench.passed() == "scan +LEFTSHIFT | +UNKNOWN | -UNKNOWN |")
    bench.key(Self.a, 2, at: 3)
    bench.key(Self.b, 1, at: 4)
    bench.key(Self.a, 2, at: 5)
    bench.key(Self.a, 0, at: 6)
    bench.key(Self.b, 2, at: 7)
    bench.key(Self.b, 0, at: 8)
    bench.key(Self.shift, 0, at: 9)
    #expect(bench.passed() == "scan +B | scan =B | scan -B | scan -LEFTSHIFT |")
    // the next press is another one
    bench.key(Self.a, 1, at: 10)
    #expect(bench.passed() == "scan +A |")
  }

  @Test func ofAPacketTheRestIsPassedOn() {
    var bench = Bench.grabbed()
    let time = Self.at(1)
    bench.feed(EvdevEvent(time: time, type: .miscellaneous, code: 4, value: 1))
    bench.feed(.key(Self.a, 1, at: time), keeps: true)
    bench.feed(EvdevEvent(time: time, type: .miscellaneous, code: 4, value: 2))
    bench.feed(.key(Self.b, 1, at: time))
    bench.feed(EvdevEvent(time: time, type: .relative, code: 8, value: 1))
    bench.feed(EvdevEvent(time: time, type: .light, code: 1, value: 1))
    bench.feed(.report(at: time))
    #expect(bench.passed() == "scan +B 2:8 |")
    bench.feed(EvdevEvent(time: time, type: .miscellaneous, code: 4, value: 2))
    bench.feed(.report(at: time))
    #expect(bench.passed() == "scan |")
  }

  @Test func isGivenBackOnceNoKeyIsDown() {
    var bench = Bench.grabbed()
    bench.key(Self.a, 1, at: 1)
    #expect(bench.machine.unwant(at: Self.at(2)) == nil)
    bench.key(Self.b, 1, at: 3)
    bench.key(Self.a, 0, at: 4)
    #expect(bench.actions.isEmpty)
    bench.key(Self.b, 0, at: 5)
    #expect(bench.actions == [.giveBack])
    #expect(bench.passed() == "scan +A | scan +B | scan -A | scan -B |")
    bench.machine.gaveBack(at: Self.at(6))
    // read late, and nobody else has it
    bench.key(Self.a, 1, at: 6)
    #expect(bench.passed() == "scan +A |")
    bench.key(Self.a, 0, at: 7)
    #expect(bench.passed() == "-A |")
    #expect(bench.machine.isFree)
  }

  @Test func theWaitForHeldKeysEnds() {
    var bench = Bench.grabbed()
    bench.key(Self.a, 1, at: 1)
    bench.key(Self.b, 1, at: 2, keeps: true)
    _ = bench.machine.unwant(at: Self.at(10))
    #expect(bench.machine.deadline == Self.at(1010))
    _ = bench.passed()
    let early = bench.machine.advance(to: Self.at(1009), into: &bench.packet)
    let due = bench.machine.advance(to: Self.at(1010), into: &bench.packet)
    #expect(early == nil && due == .giveBack)
    #expect(bench.passed() == "-A |")
  }

  @Test func aNewRequestKeepsTheGrab() {
    var bench = Bench.grabbed()
    bench.key(Self.a, 1, at: 1)
    _ = bench.machine.unwant(at: Self.at(2))
    bench.machine.want(from: Self.at(500))
    bench.key(Self.a, 0, at: 3)
    #expect(bench.actions.isEmpty && bench.machine.isGrabbed)
    #expect(bench.passed() == "scan +A | scan -A |")
  }

  @Test func atOnceTheTwinLetsGoOfAll() {
    var bench = Bench.grabbed()
    bench.key(Self.shift, 1, at: 1)
    bench.key(Self.a, 1, at: 2)
    bench.key(Self.b, 1, at: 3, keeps: true)
    _ = bench.passed()
    let action = bench.machine.leave(into: &bench.packet)
    #expect(action == .giveBack)
    #expect(bench.passed() == "-A -LEFTSHIFT |")
    bench.key(Self.a, 0, at: 4)
    #expect(bench.passed() == "" && bench.machine.isFree)
    let again = bench.machine.leave(into: &bench.packet)
    #expect(again == nil)
  }

  @Test func afterALossTheTwinIsWhereTheKeyboardIs() {
    var bench = Bench.grabbed()
    bench.key(Self.a, 1, at: 1)
    bench.key(Self.b, 1, at: 2, keeps: true)
    _ = bench.passed()
    bench.feed(EvdevEvent(time: Self.at(3), type: .synchronization, code: 3, value: 0))
    bench.machine.lost([Self.b, Self.shift], at: Self.at(3), into: &bench.packet)
    bench.feed(.report(at: Self.at(3)))
    #expect(bench.passed() == "-A +LEFTSHIFT |")
    bench.key(Self.b, 0, at: 4)
    bench.key(Self.shift, 0, at: 5)
    #expect(bench.passed() == "scan -LEFTSHIFT |")
  }

  @Test func aReleaseThatWasLostEndsThePostponement() {
    var bench = Bench()
    bench.machine.want(from: .zero)
    bench.key(Self.a, 1, at: 1)
    bench.machine.postpone()
    bench.machine.lost([], at: Self.at(2), into: &bench.packet)
    #expect(bench.machine.deadline == Self.at(2))
    let action = bench.machine.advance(to: Self.at(2), into: &bench.packet)
    #expect(action == .grab && bench.packet.isEmpty)
  }

  @Test func aChordIsPressedWithoutTheModifiersThatAreHeld() {
    var bench = Bench.grabbed()
    bench.key(.leftSuper, 1, at: 1)
    bench.key(Self.a, 1, at: 2, keeps: true, masks: true)
    _ = bench.passed()
    let left = Key(rawValue: 105)
    bench.machine.press(
      [.down(.leftAlt), .down(left), .up(left), .up(.leftAlt)], at: .zero, into: &bench.packet)
    #expect(
      bench.passed()
        == "+UNKNOWN | -UNKNOWN | -LEFTMETA | +LEFTALT | +LEFT | -LEFT | -LEFTALT | +LEFTMETA | +UNKNOWN | -UNKNOWN |"
    )
    bench.key(Self.a, 0, at: 3)
    bench.key(.leftSuper, 0, at: 4)
    #expect(bench.passed() == "scan -LEFTMETA |")
  }

  @Test func aTurnThatIsKeptIsNotPassedOnAndHidesTheModifier() {
    var bench = Bench.grabbed()
    func turn(_ time: Int64, keeps: Bool, masks: Bool = false) {
      let time = Self.at(time)
      bench.feed(
        EvdevEvent(time: time, type: .relative, code: 8, value: 1), keeps: keeps, masks: masks)
      bench.feed(
        EvdevEvent(time: time, type: .relative, code: 11, value: 120), keeps: keeps, masks: masks)
      bench.feed(.report(at: time))
    }
    turn(1, keeps: false)
    #expect(bench.passed() == "2:8 2:11 |")
    turn(2, keeps: true)
    #expect(bench.passed() == "")
    turn(3, keeps: true, masks: true)
    #expect(bench.passed() == "+UNKNOWN | -UNKNOWN |")
  }

  @Test func wheelsTurnByTheFinerAxis() {
    func turn(_ events: [(UInt16, Int32)]) -> [Vector2] {
      var turn = WheelTurn()
      for (code, value) in events {
        let isTaken = turn.take(
          EvdevEvent(time: .zero, type: .relative, code: code, value: value))
        #expect(isTaken == (code != 0))
      }
      return turn.deltas
    }
    #expect(turn([(8, 1)]) == [Vector2(x: 0, y: -15)])
    #expect(turn([(11, -30), (0, 4)]) == [Vector2(x: 0, y: 3.75)])
    #expect(
      turn([(8, 1), (11, 120), (12, 60), (6, 0)]) == [Vector2(x: 0, y: -15), Vector2(x: 7.5, y: 0)])
    #expect(turn([(0, 3)]) == [])
  }

  @Test(
    arguments: [
      ("1000@125", 1000), ("400@125 *800@125 1600@125", 800), ("*3200@1000", 3200), ("", nil),
      ("x@y", nil), ("0@125", nil), ("800", 800),
    ] as [(String, Double?)])
  func theDotsOfAMouseAreThoseWithAStar(property: String, dots: Double?) {
    #expect(DeviceFinder.dotsPerInch(property) == dots)
  }
}

@Suite struct KeysThatAreDownTests {
  @Test func readsTheKernelsBits() {
    var bytes = [UInt8](repeating: 0, count: 96)
    bytes[3] = 0b0100_0000
    bytes[95] = 0x80
    #expect(Set<Key>(bits: bytes) == [Key.a, Key(rawValue: 767)])
  }
}
