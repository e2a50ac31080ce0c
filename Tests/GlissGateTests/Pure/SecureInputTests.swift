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

  @Test func oneHoldsItAndOthersOfTheSameUserAreToldWho() throws {
    var machine = Machine()
    #expect(machine.hold(1, of: 1000, as: "a prompt", at: Self.at(5)) == .held(until: Self.at(125)))
    let holder = try #require(machine.holder(of: 1000))
    #expect(holder.name == "a prompt" && holder.connection == 1)
    #expect(machine.hold(2, of: 1000, as: "b", at: Self.at(6)) == .taken(holder))
    #expect(machine.hold(1, of: 1000, as: "again", at: Self.at(6)) == .taken(holder))
    #expect(machine.holder(of: 1001) == nil)
    #expect(machine.hold(3, of: 1001, as: "c", at: Self.at(7)) == .held(until: Self.at(127)))
    #expect(machine.deadline == Self.at(125))
  }

  @Test func itIsOverAfterTwoMinutesAndRestsForTenSeconds() {
    var machine = Machine()
    _ = machine.hold(1, of: 1000, as: "a", at: Self.at(0))
    #expect(machine.advance(to: Self.at(119.999999)) == [])
    #expect(machine.advance(to: Self.at(120)) == [End(connection: 1, uid: 1000, reason: .timeIsUp)])
    #expect(machine.holder(of: 1000) == nil)
    #expect(machine.advance(to: Self.at(120)) == [])
    #expect(machine.hold(2, of: 1000, as: "b", at: Self.at(129)) == .resting(until: Self.at(130)))
    #expect(machine.deadline == Self.at(130))
    #expect(machine.advance(to: Self.at(130)) == [])
    #expect(machine.deadline == nil)
    #expect(machine.hold(2, of: 1000, as: "b", at: Self.at(130)) == .held(until: Self.at(250)))
  }

  @Test func aPromptThatLetsGoAndAsksAgainGainsNoTime() {
    var machine = Machine()
    _ = machine.hold(1, of: 1000, as: "a", at: Self.at(0))
    machine.release(1, of: 1000, at: Self.at(100))
    #expect(machine.holder(of: 1000) == nil)
    #expect(machine.hold(2, of: 1000, as: "a", at: Self.at(105)) == .held(until: Self.at(125)))
    #expect(machine.advance(to: Self.at(125)).count == 1)
    #expect(machine.hold(3, of: 1000, as: "a", at: Self.at(126)) == .resting(until: Self.at(135)))
    // after ten seconds without a hold all of it is there again
    var other = Machine()
    _ = other.hold(1, of: 1000, as: "a", at: Self.at(0))
    other.release(1, of: 1000, at: Self.at(100))
    #expect(other.hold(2, of: 1000, as: "a", at: Self.at(110)) == .held(until: Self.at(230)))
  }

  @Test func onlyItsHolderLetsItGo() {
    var machine = Machine()
    _ = machine.hold(1, of: 1000, as: "a", at: Self.at(0))
    machine.release(2, of: 1000, at: Self.at(1))
    machine.release(1, of: 1001, at: Self.at(1))
    #expect(machine.holder(of: 1000)?.connection == 1)
  }

  @Test func thePanicChordBreaksItAndItRests() {
    var machine = Machine()
    #expect(machine.panic(of: 1000, at: Self.at(0)) == nil)
    _ = machine.hold(1, of: 1000, as: "a", at: Self.at(0))
    #expect(machine.panic(of: 1001, at: Self.at(1)) == nil)
    #expect(
      machine.panic(of: 1000, at: Self.at(1)) == End(connection: 1, uid: 1000, reason: .panic))
    #expect(machine.holder(of: 1000) == nil)
    #expect(machine.hold(1, of: 1000, as: "a", at: Self.at(2)) == .resting(until: Self.at(11)))
  }

  @Test func whoLeavesTheSeatHoldsItNoMore() {
    var machine = Machine()
    _ = machine.hold(1, of: 1000, as: "a", at: Self.at(0))
    #expect(machine.seatChanged(to: 1000, at: Self.at(1)) == [])
    #expect(
      machine.seatChanged(to: 1001, at: Self.at(1)) == [
        End(connection: 1, uid: 1000, reason: .inactive)
      ])
    #expect(machine.holder(of: 1000) == nil)
    #expect(machine.seatChanged(to: nil, at: Self.at(2)) == [])
  }

  @Test(arguments: 0..<20)
  func nobodyHoldsItForLongAndEachHoldEndsOnce(_ index: Int) {
    var random = Seed.source("secure input", index)
    var machine = Machine()
    var held: [UInt32: (connection: UInt64, since: EventTime)] = [:]
    /// How long the user's keys were kept from others since they were last free for as long as a pause.
    var busy: [UInt32: (time: EventInterval, until: EventTime)] = [:]
    var now = EventTime.zero
    func end(_ uid: UInt32, _ connection: UInt64?) {
      guard let hold = held.removeValue(forKey: uid) else {
        Issue.record("a hold ends that never began; \(Seed.advice)")
        return
      }
      #expect(connection == nil || connection == hold.connection, "\(Seed.advice)")
      let length = now - hold.since
      var spell = busy[uid] ?? (.zero, hold.since)
      if hold.since - spell.until >= Machine.pause { spell.time = .zero }
      spell = (EventInterval(microseconds: spell.time.microseconds + length.microseconds), now)
      #expect(spell.time <= Machine.longest, "\(Seed.advice)")
      busy[uid] = spell
    }
    for step in 0..<500 {
      var next = now + .milliseconds(random.logUniform(1...40_000))
      // whoever waits is woken at the deadline, not later
      if let deadline = machine.deadline, deadline <= next {
        next = deadline
        now = next
        for over in machine.advance(to: now) { end(over.uid, over.connection) }
        if let again = machine.deadline { #expect(again > now, "\(Seed.advice)") }
      }
      now = next
      let uid = random.pick([1000, 1001] as [UInt32])
      let connection = UInt64(random.integer(0...3))
      switch random.integer(0...9) {
      case 0...4:
        switch machine.hold(connection, of: uid, as: "\(step)", at: now) {
        case .held(let until):
          #expect(held[uid] == nil, "two hold it; \(Seed.advice)")
          #expect(until - now <= Machine.longest && until > now, "\(Seed.advice)")
          held[uid] = (connection, now)
        case .taken(let holder):
          #expect(held[uid]?.connection == holder.connection, "\(Seed.advice)")
        case .resting(let until):
          #expect(held[uid] == nil && until > now && until - now <= Machine.pause, "\(Seed.advice)")
        }
      case 5...7:
        let isHolder = held[uid]?.connection == connection
        machine.release(connection, of: uid, at: now)
        if isHolder { end(uid, connection) }
      case 8: if let over = machine.panic(of: uid, at: now) { end(uid, over.connection) }
      case _:
        for over in machine.seatChanged(to: uid, at: now) { end(over.uid, over.connection) }
      }
      for uid in [1000, 1001] as [UInt32] {
        #expect(machine.holder(of: uid)?.connection == held[uid]?.connection, "\(Seed.advice)")
      }
    }
  }
}

/// Lockers that hold the screen for locked.
@Suite struct LockHoldsTests {
  @Test func theScreenIsLockedUntilTheLastLockerLetsGo() {
    var holds = LockHolds()
    holds.hold(1, of: 1000)
    holds.hold(2, of: 1000)
    holds.hold(2, of: 1000)
    holds.release(1, of: 1000)
    holds.release(3, of: 1000)
    holds.release(2, of: 1001)
    #expect(holds.isLocked(1000))
    #expect(!holds.isLocked(1001))
    holds.release(2, of: 1000)
    #expect(!holds.isLocked(1000))
    #expect(holds == LockHolds(), "something is kept of lockers that are gone")
  }
}

/// Three keys that break secure input.
@Suite struct PanicChordTests {
  private static let keys: [UInt16] = [14, 1, 28]

  private static func event(_ key: UInt16, _ state: KeyEvent.State) -> KeyEvent {
    KeyEvent(
      time: .zero, device: DeviceID(rawValue: 1), key: Key(rawValue: key), state: state,
      modifiers: [])
  }

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func itsKeysCompleteItInAnyOrderAndOnceOnly(_ order: [Int]) {
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

  @Test func keysThatAreNotHeldTogetherAreNoChord() {
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
