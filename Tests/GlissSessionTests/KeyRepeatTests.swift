import GlissEvents
import TestSupport
import Testing

@testable import GlissSession

/// Keys that are held, by a clock that is moved by hand.
@Suite struct KeyRepeatTests {
  private let rig = Rig(
    keyRepeat: KeyRepeat(delay: .milliseconds(500), interval: .milliseconds(100)))
  private let one: DeviceID
  private let two: DeviceID

  init() {
    one = rig.session.add(.keyboard)
    two = rig.session.add(.keyboard)
  }

  @Test func aHeldKeyRepeatsUntilItIsReleased() {
    #expect(rig.session.deadline == nil)
    rig.down(.a, on: one, at: 1000)
    #expect(rig.session.deadline == EventTime(microseconds: 1_500_000))
    rig.pass(until: 1499)
    #expect(rig.take() == ["1000 a down"])
    rig.up(.a, on: one, at: 1750)
    #expect(rig.take() == ["1500 a repeat", "1600 a repeat", "1700 a repeat", "1750 a up"])
    rig.pass(until: 9000)
    #expect(rig.take() == [] && rig.session.deadline == nil)
  }

  /// Whether the leader's rate is set before or after.
  @Test(arguments: [true, false]) func aFollowerRepeatsAsItsLeaderDoes(isSetBefore: Bool) {
    let rate = KeyRepeat(delay: .milliseconds(500), interval: .milliseconds(100))
    let leader = Rig(keyRepeat: isSetBefore ? rate : nil)
    let follower = Rig()
    leader.session.addFollower(follower.session)
    if !isSetBefore { leader.session.keyRepeat = rate }
    let keys = leader.session.add(.keyboard)
    leader.down(.a, on: keys, at: 1000)
    leader.up(.a, on: keys, at: 1650)
    #expect(follower.take() == ["1000 a down", "1500 a repeat", "1600 a repeat", "1650 a up"])
  }

  @Test func aFollowerGetsEachRateOfItsLeaderUnlessItHasItsOwn() {
    let (leader, follower, last, other) = (Session(), Session(), Session(), Session())
    leader.addFollower(follower)
    follower.addFollower(last)
    let own = KeyRepeat(delay: .milliseconds(200), interval: .milliseconds(20))
    other.keyRepeat = own
    leader.addFollower(other)
    let slow = KeyRepeat(delay: .milliseconds(900), interval: .milliseconds(90))
    for rate in [.standard, slow, nil, slow] as [KeyRepeat?] {
      leader.keyRepeat = rate
      #expect(follower.keyRepeat == rate && last.keyRepeat == rate && other.keyRepeat == own)
    }
  }

  @Test func theKeyPressedLastRepeats() {
    rig.down(.a, on: one, at: 0)
    rig.down(.b, on: two, at: 300)
    rig.pass(until: 850)
    #expect(rig.take() == ["0 a down", "300 2:b down", "800 2:b repeat"])
    // whatever becomes of the first
    rig.up(.a, on: one, at: 850)
    rig.pass(until: 900)
    #expect(rig.take() == ["850 a up", "900 2:b repeat"])
    rig.up(.b, on: two, at: 950)
    rig.pass(until: 5000)
    #expect(rig.take() == ["950 2:b up"])
  }

  @Test(arguments: [.leftShift, .rightAlt, .capsLock, .numLock, Key(rawValue: 0x130)] as [Key])
  func modifiersLocksAndButtonsDoNotRepeatButStopTheOther(key: Key) {
    rig.down(.a, on: one, at: 0)
    rig.down(key, on: one, at: 300)
    _ = rig.take()
    rig.pass(until: 5000)
    #expect(rig.take() == [])
  }

  @Test func theTranslatorSaysWhatRepeats() {
    rig.session.translator = TypewriterTranslator()
    rig.down(.b, on: one, at: 0)
    rig.pass(until: 700)
    #expect(rig.take() == ["0 b down"])
    rig.down(.leftShift, on: one, at: 700)
    rig.down(.a, on: two, at: 750)
    rig.up(.leftShift, on: one, at: 1300)
    rig.pass(until: 1400)
    // each repeat types what the key types by then
    let typed = rig.events.filter { $0.key == .a }.map { $0.text.description }
    #expect(typed == ["A", "A", "a"])
  }

  @Test func aLateLoopGetsOneRepeatAndNoBurst() {
    rig.down(.a, on: one, at: 0)
    rig.stall(until: 3030)
    #expect(rig.take() == ["0 a down", "500 a repeat"])
    // and then those that are due, in the same rhythm
    rig.pass(until: 3210)
    #expect(rig.take() == ["3100 a repeat", "3200 a repeat"])
    // an event after a stall finds the same
    rig.session.process(
      .key(.a, 0, at: EventTime(microseconds: 9_000_000)), from: one)
    #expect(rig.take() == ["3300 a repeat", "9000 a up"])
  }

  @Test func kernelRepeatsAreLeftOut() {
    rig.down(.a, on: one, at: 0)
    rig.send(.a, 2, on: one, at: 250)
    rig.send(.a, 2, on: one, at: 283)
    rig.pass(until: 500)
    #expect(rig.take() == ["0 a down", "500 a repeat"])
  }

  @Test func lossRemovalAndTheEndStopIt() {
    let ends: [(Rig, DeviceID) -> Void] = [
      { $0.lose($1) }, { $0.session.cancel($1, at: EventTime(microseconds: 600_000)) },
      { $0.session.remove($1, at: EventTime(microseconds: 600_000)) },
      { rig, _ in rig.session.finish() },
    ]
    for (index, end) in ends.enumerated() {
      let rig = Rig(keyRepeat: .standard)
      let device = rig.session.add(.keyboard)
      rig.down(.a, on: device, at: 0)
      rig.pass(until: 600)
      end(rig, device)
      #expect(rig.take() == ["0 a down", "600 a repeat", "600 a up"], "end \(index)")
      #expect(rig.session.deadline == nil)
      rig.ledger.close()
      #expect(rig.ledger.faults == [])
    }
  }

  @Test func aKeyHeldOnTwoKeyboardsRepeatsUntilTheLastLetsGo() {
    rig.down(.a, on: one, at: 0)
    rig.down(.a, on: two, at: 300)
    rig.up(.a, on: one, at: 400)
    rig.up(.a, on: two, at: 650)
    #expect(rig.take() == ["0 a down", "500 a repeat", "600 a repeat", "650 a up"])
  }

  @Test func withoutASettingNothingRepeats() {
    rig.session.keyRepeat = nil
    rig.down(.a, on: one, at: 0)
    rig.pass(until: 5000)
    #expect(rig.take() == ["0 a down"])
    #expect(rig.session.deadline == nil)
  }

  @Test func settingsOutsideTheirRangeCountAsItsEnd() {
    let wild = KeyRepeat(delay: EventInterval(microseconds: .min), interval: .zero)
    #expect(wild.delay == KeyRepeat.delays.lowerBound)
    #expect(wild.interval == KeyRepeat.intervals.lowerBound)
    let slow = KeyRepeat(
      delay: EventInterval(microseconds: .max), interval: EventInterval(microseconds: .max))
    #expect(slow.delay == KeyRepeat.delays.upperBound)
    #expect(slow.interval == KeyRepeat.intervals.upperBound)
    #expect(KeyRepeat.delays.contains(KeyRepeat.standard.delay))
    #expect(KeyRepeat.intervals.contains(KeyRepeat.standard.interval))
  }

  @Test(arguments: [.max, .max - 1, .min, 0] as [Int64])
  func timesAtTheEndOfTimeTrapNothing(microseconds: Int64) {
    var machine = KeyRepeatMachine(.standard)
    machine.pressed(.a, repeats: true, at: EventTime(microseconds: microseconds))
    let end = EventTime(microseconds: .max)
    let first = machine.advance(to: end)
    #expect(first?.key == .a)
    // it comes to an end
    #expect(machine.deadline == nil)
    let second = machine.advance(to: end)
    #expect(second == nil)
  }
}
