import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Two keyboards are one.
@Suite struct KeyboardTests {
  private let rig = Rig()
  private let one: DeviceID
  private let two: DeviceID

  init() {
    one = rig.session.add(.keyboard)
    two = rig.session.add(.keyboard)
  }

  @Test func modifiersOfOneKeyboardHoldForTheOther() {
    rig.down(.leftShift, on: one)
    rig.down(.a, on: two)
    rig.up(.leftShift, on: one)
    rig.up(.a, on: two)
    #expect(rig.take() == ["0 leftshift down", "0 2:a down", "0 leftshift up", "0 2:a up"])
    #expect(rig.events.map(\.modifiers) == [.leftShift, .leftShift, [], []])
  }

  @Test func aKeyHeldOnBothIsReleasedWhenTheLastLetsGo() {
    rig.down(.leftShift, on: one)
    rig.down(.leftShift, on: two)
    rig.up(.leftShift, on: one)
    #expect(rig.take() == ["0 leftshift down"])
    rig.down(.a, on: one)
    #expect(rig.events.last?.modifiers == .leftShift)
    rig.up(.a, on: one)
    rig.up(.leftShift, on: two)
    // in the name of the keyboard whose press it ends
    #expect(rig.take() == ["0 a down", "0 a up", "0 leftshift up"])
    #expect(rig.events.last?.modifiers == [])
  }

  @Test func theTranslatorGetsEachKeyOnceAndItsRelease() {
    let translator = TypewriterTranslator()
    rig.session.translator = translator
    rig.down(.leftShift, on: one)
    rig.down(.leftShift, on: two)
    rig.up(.leftShift, on: one)
    rig.down(.a, on: two)
    rig.send(.a, 2, on: two)
    rig.up(.a, on: two)
    rig.up(.leftShift, on: two)
    rig.down(.a, on: two)
    let changes = translator.log.filter { !$0.hasSuffix("repeat") }
    #expect(
      changes == [
        "KEY_LEFTSHIFT down", "KEY_A down", "KEY_A up", "KEY_LEFTSHIFT up", "KEY_A down",
      ])
    let texts = rig.events.map { "\($0.state.name) \($0.keysym) \($0.text)" }
    #expect(
      texts == ["down 42 ", "down 65 A", "repeat 65 A", "up 65 ", "up 42 ", "down 97 a"])
  }

  @Test func aKeyboardThatGoesReleasesWhatOnlyItHeld() {
    rig.down(.leftShift, on: one)
    rig.down(.a, on: one)
    rig.down(.leftShift, on: two)
    _ = rig.take()
    rig.session.remove(one, at: .zero)
    // its press has its release, and Shift is still down on the other
    #expect(rig.take() == ["0 a up", "0 leftshift up"])
    #expect(rig.events.suffix(2).map(\.modifiers) == [.leftShift, .leftShift])
    rig.down(.a, on: two)
    rig.up(.a, on: two)
    // of a release without its press nobody is told
    rig.up(.leftShift, on: two)
    #expect(rig.take() == ["0 2:a down", "0 2:a up"])
    rig.down(.a, on: two)
    #expect(rig.events.last?.modifiers == [])
  }

  @Test func aKeyboardThatGoesLeavesAKeyThatAnotherPressed() {
    rig.down(.a, on: one)
    rig.down(.a, on: two)
    rig.session.remove(two, at: .zero)
    #expect(rig.take() == ["0 a down"])
    rig.up(.a, on: one)
    #expect(rig.take() == ["0 a up"])
  }

  @Test func lossReleasesAndTheNextPressIsReported() {
    let translator = TypewriterTranslator()
    rig.session.translator = translator
    rig.down(.a, on: one)
    rig.down(.a, on: two)
    rig.lose(one)
    #expect(rig.take() == ["0 a down", "0 a up"])
    rig.down(.a, on: one)
    rig.up(.a, on: two)
    rig.session.cancel(one, at: .zero)
    #expect(rig.take() == ["0 a down", "0 a up"])
    #expect(translator.log.filter { !$0.hasSuffix("repeat") } == ["KEY_A down", "KEY_A up"])
  }

  @Test func aLossIsReportedWithTheLastEventBeforeItAndBeforeTheReleases() {
    var told: [String] = []
    rig.session.addHandler(matching: [.lost, .key]) { [one] event in
      switch event {
      case .lost(let loss):
        let since = loss.since.map { "\($0.microseconds / 1000)" } ?? "ever"
        told.append("\(loss.time.microseconds / 1000) lost since \(since)")
        #expect(loss.kinds == .key && loss.device == one)
      case .key(let key): told.append("\(key.time.microseconds / 1000) \(key.state.name)")
      case .gesture, .touch, .button, .motion, .scroll, .device, .hotkey: break
      }
    }
    rig.lose(one)
    rig.down(.a, on: two, at: 100)
    rig.down(.b, on: one, at: 200)
    rig.pass(until: 900)
    rig.lose(one)
    rig.pass(until: 1900)
    rig.session.noteLoss(of: one, at: EventTime(microseconds: 1_900_000))
    #expect(
      told == [
        "0 lost since ever", "100 down", "200 down", "900 lost since 200", "900 up",
        "1900 lost since 900",
      ])
  }

  /// libinput knows what is still held, and says so.
  @Test func aLossThatIsOnlyNotedReleasesNothing() {
    rig.down(.a, on: one, at: 100)
    rig.session.noteLoss(of: one, at: EventTime(microseconds: 200_000))
    #expect(rig.take() == ["100 a down"] && rig.session.heldKeys == [.a])
    rig.up(.a, on: one, at: 300)
    #expect(rig.take() == ["300 a up"])
  }

  /// Somebody has typed a secret meanwhile, or the screen was locked.
  @Test func aLossRevealsNothingOfTheTimeBeforeAnInterruption() {
    var told: [EventTime?] = []
    rig.session.addHandler(matching: .lost) { event in
      if case .lost(let loss) = event { told.append(loss.since) }
    }
    rig.down(.a, on: one, at: 200)
    rig.pass(until: 300)
    rig.session.interrupt(at: EventTime(microseconds: 300_000))
    // read late
    rig.session.process(.key(.b, 1, at: EventTime(microseconds: 299_000)), from: one)
    rig.session.noteLoss(of: one, at: EventTime(microseconds: 400_000))
    rig.down(.leftShift, on: one, at: 500)
    rig.session.noteLoss(of: one, at: EventTime(microseconds: 600_000))
    #expect(told == [nil, EventTime(microseconds: 500_000)])
  }

  /// The keyboards are read one after the other, so one may bring events from before.
  @Test func lateEventsOfOneKeyboardReleaseNothingOnTheOther() {
    rig.session.interrupt(at: EventTime(microseconds: 300_000))
    rig.session.process(.key(.b, 1, at: EventTime(microseconds: 298_000)), from: two)
    rig.session.process(.key(.leftShift, 1, at: EventTime(microseconds: 298_000)), from: one)
    rig.down(.a, on: one, at: 400)
    rig.session.process(.key(.c, 1, at: EventTime(microseconds: 299_000)), from: two)
    rig.up(.a, on: one, at: 500)
    rig.up(.leftShift, on: one, at: 600)
    rig.up(.c, on: two, at: 600)
    rig.down(.b, on: two, at: 700)
    #expect(rig.take() == ["400 a down", "500 a up", "700 2:b down"])
  }

  /// A packet goes on after something late about another device.
  @Test func aPacketThatGoesOnIsReported() {
    rig.session.interrupt(at: EventTime(microseconds: 300_000))
    rig.down(.a, on: one, at: 400)
    rig.session.advance(to: EventTime(microseconds: 290_000))
    rig.session.process(.key(.b, 1, at: EventTime(microseconds: 400_000)), from: one)
    #expect(rig.take() == ["400 a down", "400 b down"])
  }

  @Test func buttonsAreTheirDevicesOwn() {
    rig.down(.leftButton, on: one)
    rig.down(.leftButton, on: two)
    rig.send(.leftButton, 2, on: two)
    rig.up(.leftButton, on: one)
    rig.up(.leftButton, on: two)
    #expect(rig.take() == ["0 left down", "0 2:left down", "0 left up", "0 2:left up"])
  }

  @Test func repeatsInTheStreamAreReportedIfPressesAre() {
    rig.send(.a, 2, on: one)
    rig.down(.a, on: one)
    rig.down(.a, on: two)
    rig.send(.a, 2, on: one)
    rig.send(.a, 2, on: two)
    rig.up(.a, on: one)
    rig.send(.a, 2, on: one)
    rig.up(.a, on: two)
    rig.send(.a, 2, on: two)
    #expect(rig.take() == ["0 a down", "0 a repeat", "0 a up"])
  }

  /// Three keyboards, anything in any order.
  @Test(arguments: 0..<40 as Range<UInt64>) func everyPressHasItsRelease(seed: UInt64) {
    var random = RandomSource(seed: seed)
    let rig = Rig(keyRepeat: seed % 2 == 0 ? .standard : nil)
    let translator = TypewriterTranslator()
    rig.session.translator = translator
    var devices = (0..<3).map { _ in rig.session.add(.keyboard) }
    let keys: [Key] = [.a, .b, .leftShift, .rightShift, .leftControl, .leftButton, .capsLock]
    for _ in 0..<300 {
      let place = random.integer(0...2)
      switch random.integer(0...40) {
      case 0:
        rig.session.remove(devices[place], at: EventTime(microseconds: rig.now * 1000))
        devices[place] = rig.session.add(.keyboard)
      case 1: rig.session.cancel(devices[place], at: EventTime(microseconds: rig.now * 1000))
      case 2: rig.lose(devices[place])
      case 3: rig.pass(until: rig.now + Int64(random.integer(0...1500)))
      case 4: rig.stall(until: rig.now + Int64(random.integer(0...1500)))
      case _:
        rig.send(random.pick(keys), Int32(random.integer(0...2)), on: devices[place])
      }
    }
    rig.session.finish()
    rig.ledger.close()
    #expect(rig.ledger.faults == [])
    var down: Set<Substring> = []
    for entry in translator.log where !entry.hasSuffix(" repeat") {
      let key = entry.prefix { $0 != " " }
      let isNew = entry.hasSuffix("down") ? down.insert(key).inserted : down.remove(key) != nil
      #expect(isNew, "\(entry) is told twice")
    }
    #expect(down.isEmpty)
    rig.down(.a, on: devices[0])
    #expect(rig.events.last?.modifiers == [])
  }
}
