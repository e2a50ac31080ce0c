import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Who holds secure input, and for how long.
@Suite struct SecureInputTests {
  private static func at(_ seconds: Double) -> EventTime {
    EventTime(microseconds: Int64(seconds * 1_000_000))
  }

  private typealias Machine = SecureInputMachine
  private typealias End = SecureInputMachine.End

  /// Holds it as a program outside all sandboxes.
  private static func hold(
    _ connection: UInt64, of uid: UInt32 = 1000, as name: String = "a", _ machine: inout Machine,
    at seconds: Double
  ) -> Machine.Outcome {
    machine.hold(connection, of: uid, as: name, isSandboxed: false, at: at(seconds))
  }

  private static func pretend(
    _ connection: UInt64, _ machine: inout Machine, at seconds: Double
  ) -> Machine.Outcome {
    machine.hold(connection, of: 1000, as: "s", isSandboxed: true, at: at(seconds))
  }

  @Test func secureInputLastsUntilItsLastHolderReleasesIt() {
    var machine = Machine()
    #expect(!machine.isHeld(of: 1000))
    #expect(Self.hold(1, as: "a prompt", &machine, at: 5) == .held(until: Self.at(125)))
    // the time runs for all of them
    #expect(Self.hold(2, as: "b", &machine, at: 45) == .held(until: Self.at(125)))
    #expect(Self.hold(1, as: "again", &machine, at: 46) == .held(until: Self.at(125)))
    #expect(machine.holders(of: 1000).map(\.name) == ["a prompt", "b"])
    #expect(machine.holders(of: 1000).map(\.connection) == [1, 2])
    #expect(machine.holders(of: 1001).isEmpty && !machine.isHeld(of: 1001))
    #expect(Self.hold(3, of: 1001, as: "c", &machine, at: 47) == .held(until: Self.at(167)))
    #expect(machine.deadline == Self.at(125))
    machine.release(1, of: 1000, at: Self.at(50))
    #expect(machine.isHeld(of: 1000) && machine.holders(of: 1000).map(\.connection) == [2])
    machine.release(2, of: 1000, at: Self.at(51))
    #expect(!machine.isHeld(of: 1000) && machine.isHeld(of: 1001))
  }

  @Test func secureInputEndsAfterTwoMinutesAndRestsForTenSeconds() {
    var machine = Machine()
    _ = Self.hold(1, &machine, at: 0)
    _ = Self.hold(2, &machine, at: 110)
    #expect(machine.advance(to: Self.at(119.999999)) == [])
    #expect(
      machine.advance(to: Self.at(120)) == [
        End(connection: 1, uid: 1000, reason: .timeIsUp),
        End(connection: 2, uid: 1000, reason: .timeIsUp),
      ])
    #expect(!machine.isHeld(of: 1000))
    #expect(machine.advance(to: Self.at(120)) == [])
    #expect(Self.hold(2, &machine, at: 129) == .resting(until: Self.at(130)))
    #expect(machine.deadline == Self.at(130))
    #expect(machine.advance(to: Self.at(130)) == [])
    #expect(machine.deadline == nil)
    #expect(Self.hold(2, &machine, at: 130) == .held(until: Self.at(250)))
  }

  @Test func releasingAndAskingAgainGainsNoTime() {
    var machine = Machine()
    _ = Self.hold(1, &machine, at: 0)
    machine.release(1, of: 1000, at: Self.at(100))
    #expect(!machine.isHeld(of: 1000))
    #expect(Self.hold(2, &machine, at: 105) == .held(until: Self.at(125)))
    #expect(machine.advance(to: Self.at(125)).count == 1)
    #expect(Self.hold(3, &machine, at: 126) == .resting(until: Self.at(135)))
    // after ten seconds without a hold all of it is there again
    var other = Machine()
    _ = Self.hold(1, &other, at: 0)
    other.release(1, of: 1000, at: Self.at(100))
    #expect(Self.hold(2, &other, at: 110) == .held(until: Self.at(230)))
  }

  @Test func twoAlternatingHoldersHoldItNoLongerThanOne() {
    var machine = Machine()
    _ = Self.hold(1, &machine, at: 0)
    _ = Self.hold(2, &machine, at: 60)
    machine.release(1, of: 1000, at: Self.at(70))
    #expect(Self.hold(1, &machine, at: 100) == .held(until: Self.at(120)))
    machine.release(2, of: 1000, at: Self.at(110))
    #expect(machine.advance(to: Self.at(120)).map(\.connection) == [1])
  }

  @Test func sandboxesHaveATimeLimitOfTheirOwn() {
    var machine = Machine()
    #expect(Self.pretend(1, &machine, at: 0) == .held(until: Self.at(120)))
    #expect(machine.isHeld(of: 1000))
    // a prompt waits neither while a sandbox holds it nor after the sandbox's time is up
    #expect(Self.hold(2, &machine, at: 100) == .held(until: Self.at(220)))
    #expect(machine.holders(of: 1000).map(\.isSandboxed) == [false, true])
    #expect(machine.advance(to: Self.at(120)).map(\.connection) == [1])
    #expect(Self.pretend(1, &machine, at: 121) == .resting(until: Self.at(130)))
    // and a release ends no other hold
    #expect(machine.isHeld(of: 1000))
    machine.release(2, of: 1000, at: Self.at(122))
    #expect(!machine.isHeld(of: 1000))
    #expect(Self.hold(2, &machine, at: 123) == .held(until: Self.at(221)))
    // nor does a prompt take time from them
    #expect(Self.pretend(3, &machine, at: 130) == .held(until: Self.at(250)))
    machine.release(3, of: 1000, at: Self.at(131))
    #expect(machine.isHeld(of: 1000))
  }

  @Test func sandboxesAtTheirLimitLeaveRoom() {
    var machine = Machine()
    for number in 1...8 {
      #expect(Self.pretend(UInt64(number), &machine, at: 0) == .held(until: Self.at(120)))
    }
    #expect(Self.pretend(9, &machine, at: 1) == .full)
    for number in 11...18 {
      #expect(Self.hold(UInt64(number), &machine, at: 1) == .held(until: Self.at(121)))
    }
    #expect(Self.hold(19, &machine, at: 2) == .full)
    machine.release(1, of: 1000, at: Self.at(3))
    #expect(Self.hold(19, &machine, at: 3) == .full)
    #expect(Self.pretend(9, &machine, at: 3) == .held(until: Self.at(120)))
  }

  @Test func onlyAHolderCanReleaseIt() {
    var machine = Machine()
    _ = Self.hold(1, &machine, at: 0)
    machine.release(2, of: 1000, at: Self.at(1))
    machine.release(1, of: 1001, at: Self.at(1))
    #expect(machine.holders(of: 1000).map(\.connection) == [1])
  }

  @Test func thePanicChordEndsAllHolds() {
    var machine = Machine()
    #expect(machine.panic(of: 1000, at: Self.at(0)) == [])
    _ = Self.hold(1, &machine, at: 0)
    _ = Self.hold(2, &machine, at: 0)
    _ = Self.pretend(3, &machine, at: 0)
    #expect(machine.panic(of: 1001, at: Self.at(1)) == [])
    #expect(
      machine.panic(of: 1000, at: Self.at(1))
        == (1...3).map { End(connection: $0, uid: 1000, reason: .panic) })
    #expect(!machine.isHeld(of: 1000))
    #expect(Self.hold(1, &machine, at: 2) == .resting(until: Self.at(11)))
    #expect(Self.pretend(3, &machine, at: 2) == .resting(until: Self.at(11)))
  }

  @Test func leavingTheSeatEndsTheHold() {
    var machine = Machine()
    _ = Self.hold(1, &machine, at: 0)
    _ = Self.pretend(2, &machine, at: 0)
    #expect(machine.seatChanged(to: 1000, at: Self.at(1)) == [])
    #expect(
      machine.seatChanged(to: 1001, at: Self.at(1))
        == (1...2).map { End(connection: $0, uid: 1000, reason: .inactive) })
    #expect(!machine.isHeld(of: 1000))
    #expect(machine.seatChanged(to: nil, at: Self.at(2)) == [])
  }

  /// A holder, and the time limit it shares.
  private struct Hold: Hashable {
    var uid: UInt32
    var isSandboxed: Bool
  }

  @Test(arguments: 0..<20)
  func noHoldLastsTooLongAndEachEndsOnce(_ index: Int) {
    var random = Seed.source("secure input", index)
    var machine = Machine()
    var held: [UInt64: Hold] = [:]
    /// How long a party has held it since it was last free for as long as a pause, and when that was seen last.
    var busy: [Hold: (time: EventInterval, freeSince: EventTime?)] = [:]
    var now = EventTime.zero
    func end(_ connection: UInt64) {
      let wasThere = held.removeValue(forKey: connection) != nil
      #expect(wasThere, "a hold ends that never began; \(Seed.advice)")
    }
    func pass(to next: EventTime) {
      let length = next - now
      for party in Set(held.values) {
        let time = (busy[party]?.time ?? .zero).microseconds + length.microseconds
        busy[party] = (EventInterval(microseconds: time), nil)
        #expect(time <= Machine.longest.microseconds, "\(Seed.advice)")
      }
      now = next
    }
    func check() {
      let holding = Set(held.values)
      for party in Array(busy.keys) where !holding.contains(party) {
        let free = busy[party]?.freeSince ?? now
        busy[party]?.freeSince = free
      }
      for uid in [1000, 1001] as [UInt32] {
        let expected = held.filter { $0.value.uid == uid }
        #expect(machine.isHeld(of: uid) == !expected.isEmpty, "\(Seed.advice)")
        let told = machine.holders(of: uid)
        #expect(Set(told.map(\.connection)) == Set(expected.keys), "\(Seed.advice)")
        #expect(told.count == expected.count, "\(Seed.advice)")
      }
    }
    for step in 0..<500 {
      let next = now + .milliseconds(random.logUniform(1...40_000))
      // the clock stops at each deadline
      while let deadline = machine.deadline, deadline <= next {
        pass(to: deadline)
        for over in machine.advance(to: now) { end(over.connection) }
        check()
        guard machine.deadline != deadline else {
          Issue.record("the deadline does not move; \(Seed.advice)")
          return
        }
      }
      pass(to: next)
      let uid = random.pick([1000, 1001] as [UInt32])
      // a connection is one user's, and in a sandbox or not
      let isSandboxed = random.chance(0.5)
      let connection =
        UInt64(random.integer(0...9)) + (isSandboxed ? 100 : 0) + (uid == 1000 ? 1000 : 0)
      let party = Hold(uid: uid, isSandboxed: isSandboxed)
      switch random.integer(0...11) {
      case 0...6:
        let outcome = machine.hold(
          connection, of: uid, as: "\(step)", isSandboxed: isSandboxed, at: now)
        let others = held.values.count { $0 == party }
        switch outcome {
        case .held(let until):
          #expect(until - now <= Machine.longest && until > now, "\(Seed.advice)")
          if let free = busy[party]?.freeSince, now - free >= Machine.pause { busy[party] = nil }
          held[connection] = party
        case .resting(let until):
          #expect(others == 0, "\(Seed.advice)")
          #expect(until > now && until - now <= Machine.pause, "\(Seed.advice)")
        case .full:
          #expect(others == Machine.mostHolders && held[connection] == nil, "\(Seed.advice)")
        }
      case 7...9:
        machine.release(connection, of: uid, at: now)
        held[connection] = nil
      case 10: for over in machine.panic(of: uid, at: now) { end(over.connection) }
      case _: for over in machine.seatChanged(to: uid, at: now) { end(over.connection) }
      }
      check()
    }
  }
}

/// Three keys that end secure input.
@Suite struct PanicChordTests {
  private static let keys: [UInt16] = [14, 1, 28]

  private static func event(_ key: UInt16, _ state: KeyEvent.State) -> KeyEvent {
    KeyEvent(
      time: .zero, device: DeviceID(rawValue: 1), key: Key(rawValue: key), state: state,
      modifiers: [])
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func itsKeysCompleteItInAnyOrderButOnlyOnce(_ order: [Int]) {
    var chord = PanicChord()
    let told = order.map { chord.process(Self.event(Self.keys[$0], .down)) }
    #expect(told == [false, false, true])
    let again = chord.process(Self.event(Self.keys[order[2]], .repeat))
    let other = chord.process(Self.event(30, .down))
    #expect(!again && !other)
    let up = chord.process(Self.event(Self.keys[order[0]], .up))
    let down = chord.process(Self.event(Self.keys[order[0]], .down))
    #expect(!up && down)
  }

  @Test func keysThatAreNotHeldTogetherDoNotComplete() {
    var chord = PanicChord()
    var told: [Bool] = []
    for key in Self.keys + Self.keys {
      told.append(chord.process(Self.event(key, .down)))
      told.append(chord.process(Self.event(key, .up)))
    }
    // the keypad's Enter is another key
    for key in [14, 1, 96] as [UInt16] { told.append(chord.process(Self.event(key, .down))) }
    #expect(!told.contains(true))
  }
}
