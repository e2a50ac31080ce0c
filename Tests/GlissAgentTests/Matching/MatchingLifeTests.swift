import GlissConfiguration
import GlissEvents
import GlissHotkeys
import Testing

@testable import GlissAgent

/// Modes, devices, time, and everything that ends what has begun.
@Suite struct MatchingLifeTests {
  private func hold(_ duration: Bounds?) -> GestureCondition {
    GestureCondition(kind: .hold, duration: duration)
  }

  @Test func aHoldIsEngagedWhenItHasLastedWithoutAnEvent() {
    var machine = MatchingRig.machine(
      hold(Bounds(from: 500)), hold(nil), hold(Bounds(from: 800, to: 900)))
    #expect(machine.deadline == nil)
    #expect(machine.tell(MatchingRig.event(.hold, .began, 1000)) == ["1 begin"])
    #expect(machine.deadline == EventTime(microseconds: 1_500_000))
    let told = Told()
    machine.advance(to: EventTime(microseconds: 1_499_999))
    told(machine.takeActivations())
    #expect(told.take() == [])
    machine.advance(to: EventTime(microseconds: 1_600_000))
    told(machine.takeActivations())
    #expect(told.activations.first?.time == EventTime(microseconds: 1_500_000))
    #expect(told.take() == ["0 begin"])
    #expect(machine.deadline == EventTime(microseconds: 1_800_000))
    #expect(
      machine.tell(MatchingRig.event(.hold, .ended, 1950)) == [
        "2 begin", "0 end", "1 end", "2 cancel",
      ])
    #expect(machine.deadline == nil)
  }

  @Test(arguments: [0.1, 0.3, 1e-9, 333.3333, 1e300, .infinity, .nan] as [Double])
  func anyDurationComesOnceOrNever(ms: Double) {
    var machine = MatchingRig.machine(hold(Bounds(from: ms)))
    _ = machine.tell(MatchingRig.event(.hold, .began, 0))
    machine.advance(to: EventTime(microseconds: .max))
    #expect(machine.takeActivations().count == (ms < 1e12 ? 1 : 0))
  }

  @Test func onlyTheRulesOfTheModeAreEngagedAndTheOthersGoOn() {
    var machine = MatchingRig.machine([
      MatchingRig.rule(GestureCondition(kind: .swipe)),
      MatchingRig.rule(GestureCondition(kind: .swipe), mode: "resize"),
    ])
    #expect(machine.tell(MatchingRig.swipe(.began, 0)) == ["0 begin"])
    machine.enterMode("resize")
    #expect(
      machine.tell(MatchingRig.swipe(.changed, 1, x: 3), MatchingRig.swipe(.ended, 2, x: 3)) == [
        "0 end"
      ])
    #expect(
      machine.tell(MatchingRig.swipe(.began, 3), MatchingRig.swipe(.ended, 4)) == [
        "1 begin", "1 end",
      ])
    machine.enterMode("unheard of")
    #expect(machine.tell(MatchingRig.swipe(.began, 5), MatchingRig.swipe(.ended, 6)) == [])
    machine.enterMode(nil)
    #expect(machine.tell(MatchingRig.swipe(.began, 7)) == ["0 begin"])
  }

  @Test func aLostEndIsMadeUpForByTheNextBeginning() {
    var machine = MatchingRig.machine(GestureCondition(kind: .swipe))
    #expect(machine.tell(MatchingRig.swipe(.began, 0)) == ["0 begin"])
    #expect(machine.tell(MatchingRig.swipe(.began, 9)) == ["0 cancel", "0 begin"])
  }

  @Test func aCorrectionCancelsOneAndBeginsTheOther() {
    var machine = MatchingRig.machine(
      GestureCondition(kind: .swipe), GestureCondition(kind: .pinch))
    let words = machine.tell(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.cancelled, 9),
      MatchingRig.pinch(.began, 9, scale: 1),
      MatchingRig.pinch(.ended, 20, scale: 2))
    #expect(words == ["0 begin", "0 cancel", "1 begin", "1 end"])
  }

  @Test func cancellingAllEndsEverythingAndTheGestureEngagesNothingMore() {
    var machine = MatchingRig.machine([
      MatchingRig.rule(GestureCondition(kind: .swipe)),
      MatchingRig.rule(GestureCondition(kind: .swipe, travel: Bounds(from: 20))),
      MatchingRig.hotkeyRule(),
    ])
    machine.bind([HotkeyID(rawValue: 7): [2]])
    _ = machine.tell(MatchingRig.swipe(.began, 0))
    let told = Told()
    machine.process(MatchingRig.hotkey(.pressed, 1))
    told(machine.takeActivations())
    #expect(told.take() == ["2 end"])
    machine.cancelAll(at: EventTime(microseconds: 5000))
    told(machine.takeActivations())
    #expect(told.take() == ["0 cancel", "2 release"])
    machine.cancelAll(at: EventTime(microseconds: 5000))
    told(machine.takeActivations())
    machine.process(MatchingRig.hotkey(.released, 6))
    told(machine.takeActivations())
    #expect(told.take() == [])
    #expect(
      machine.tell(MatchingRig.swipe(.changed, 6, x: 30), MatchingRig.swipe(.ended, 7, x: 30)) == []
    )
  }

  @Test func aDeviceThatGoesTakesItsOwnOnly() {
    var machine = MatchingRig.machine([
      MatchingRig.rule(GestureCondition(kind: .swipe)), MatchingRig.hotkeyRule(),
    ])
    machine.bind([HotkeyID(rawValue: 7): [1]])
    var other = MatchingRig.swipe(.began, 0)
    other.device = DeviceID(rawValue: 1)
    _ = machine.tell(MatchingRig.swipe(.began, 0), other)
    let told = Told()
    machine.process(MatchingRig.hotkey(.pressed, 1))
    told(machine.takeActivations())
    _ = told.take()
    machine.remove(MatchingRig.pad, at: EventTime(microseconds: 2000))
    told(machine.takeActivations())
    #expect(told.take() == ["0 cancel"])
    machine.remove(DeviceID(rawValue: 5), at: EventTime(microseconds: 2000))
    told(machine.takeActivations())
    #expect(told.take() == ["1 release"])
    other.phase = .ended
    #expect(machine.tell(other) == ["0 end"])
  }

  // MARK: Applications

  @Test func aGestureBelongsToTheApplicationWhereItBegan() {
    func rule(_ match: ApplicationMatch?) -> Rule {
      var rule = MatchingRig.rule(GestureCondition(kind: .swipe))
      rule.application = match
      return rule
    }
    var machine = MatchingRig.machine([
      rule(ApplicationMatch(only: ["firefox"])), rule(ApplicationMatch(not: ["Firefox"])),
      rule(ApplicationMatch(titles: ["*news*"])), rule(nil),
    ])
    func swipe(_ ms: Int64, then window: RuleFocus.Window? = nil) -> [String] {
      let begun = machine.tell(MatchingRig.swipe(.began, ms))
      machine.focus(on: window)
      return begun + machine.tell(MatchingRig.swipe(.ended, ms + 1, x: 20))
    }
    // nothing has the focus
    #expect(
      swipe(0, then: RuleFocus.Window(names: ["org.mozilla", "Firefox"])) == ["3 begin", "3 end"])
    let inFirefox = ["0 begin", "3 begin", "0 end", "3 end"]
    #expect(swipe(10, then: RuleFocus.Window(names: ["gimp"], title: "the News")) == inFirefox)
    #expect(
      swipe(20) == ["1 begin", "2 begin", "3 begin", "1 end", "2 end", "3 end"])
    #expect(swipe(30) == ["3 begin", "3 end"])
  }

  /// The focus and the pointer may be in different applications; each rule looks at one of them.
  @Test func aRuleLooksAtTheWindowUnderThePointerIfItSaysSo() {
    func rule(_ match: ApplicationMatch) -> Rule {
      var rule = MatchingRig.rule(GestureCondition(kind: .swipe))
      rule.application = match
      return rule
    }
    var machine = MatchingRig.machine([
      rule(ApplicationMatch(only: ["firefox"])),
      rule(ApplicationMatch(only: ["firefox"], window: .underPointer)),
      rule(ApplicationMatch(not: ["firefox"], window: .underPointer)),
      rule(ApplicationMatch(window: .underPointer)),
    ])
    let (firefox, gimp) = (
      RuleFocus.Window(names: ["Firefox"]), RuleFocus.Window(names: ["gimp"])
    )
    func swipe(
      _ ms: Int64, _ focused: RuleFocus.Window?, _ pointed: RuleFocus.Window?
    ) -> [String] {
      machine.focus(on: focused)
      machine.focus(on: pointed, as: .underPointer)
      let begun = machine.tell(MatchingRig.swipe(.began, ms))
      // under way it stays as it was
      machine.focus(on: nil, as: .underPointer)
      _ = machine.tell(MatchingRig.swipe(.ended, ms + 1, x: 20))
      return begun
    }
    #expect(swipe(0, gimp, firefox) == ["1 begin", "3 begin"])
    #expect(swipe(10, firefox, gimp) == ["0 begin", "2 begin", "3 begin"])
    #expect(swipe(20, firefox, nil) == ["0 begin"])
    #expect(swipe(30, nil, nil) == [])
  }

  @Test func aPressBelongsToTheApplicationWhereItWasPressed() {
    var rule = MatchingRig.hotkeyRule()
    rule.application = ApplicationMatch(only: ["firefox"])
    var machine = MatchingRig.machine([rule])
    machine.bind([HotkeyID(rawValue: 7): [0]])
    let told = Told()
    machine.process(MatchingRig.hotkey(.pressed, 1))
    told(machine.takeActivations())
    machine.process(MatchingRig.hotkey(.released, 2))
    told(machine.takeActivations())
    #expect(told.take().isEmpty)
    machine.focus(on: RuleFocus.Window(names: ["firefox"]))
    machine.process(MatchingRig.hotkey(.pressed, 3))
    told(machine.takeActivations())
    machine.focus(on: nil)
    machine.process(MatchingRig.hotkey(.released, 4))
    told(machine.takeActivations())
    #expect(told.take() == ["0 end", "0 release"])
  }

  // MARK: Devices

  @Test(
    arguments: [
      ("ELAN*", "ELAN0676:00 04F3:3195 Touchpad", true),
      ("elan*touchpad", "ELAN0676 Touchpad", true),
      ("*", "", true), ("?", "", false), ("", "", true), ("", "a", false),
      ("a*b*c", "aXbXbXc", true),
      ("a*b*c", "aXbXbX", false), ("*pad", "Touchpad 2", false), ("T?uchpad", "touchpad", true),
      ("**a**", "bab", true), ("é?", "É!", true),
    ])
  func namesAreMatchedByStarsAndMarks(pattern: String, name: String, fits: Bool) {
    let device = RuleDevice(id: MatchingRig.pad, name: name)
    #expect(DeviceMatch(name: pattern).fits(device) == fits)
  }

  @Test func aLongNameOfManyStarsIsMatchedSoon() {
    let pattern = String(repeating: "*a", count: 200) + "b"
    let device = RuleDevice(id: MatchingRig.pad, name: String(repeating: "a", count: 2000))
    #expect(!DeviceMatch(name: pattern).fits(device))
  }

  @Test func allThatIsNamedOfADeviceMustFit() {
    let pad = RuleDevice(
      id: MatchingRig.pad, name: "Pad", vendorAndProduct: .init(vendor: 0x4f3, product: 0x676),
      kind: .touchpad)
    let unknown = RuleDevice(id: MatchingRig.pad, name: "Pad")
    let matches: [(DeviceMatch, Bool, Bool)] = [
      (DeviceMatch(kind: .touchpad), true, false), (DeviceMatch(kind: .keyboard), false, false),
      (DeviceMatch(vendorAndProduct: .init(vendor: 0x4f3, product: 0x676)), true, false),
      (DeviceMatch(vendorAndProduct: .init(vendor: 0x4f3, product: 1)), false, false),
      (DeviceMatch(name: "pad", kind: .touchpad), true, false), (DeviceMatch(), true, true),
    ]
    for (match, fits, fitsUnknown) in matches {
      for (device, expected) in [(pad, fits), (unknown, fitsUnknown)] {
        var machine = MatchingRig.machine([
          MatchingRig.rule(GestureCondition(kind: .swipe), device: match)
        ])
        machine.add(device)
        #expect(
          machine.tell(MatchingRig.swipe(.began, 0)) == (expected ? ["0 begin"] : []), "\(match)")
      }
    }
  }

  // MARK: Settings

  @Test func rulesWithSettingsHearOnlyTheirStream() {
    func settings(_ value: Double) -> [SettingChange] {
      [SettingChange(name: "motion.floor", value: value)]
    }
    let rules = [
      MatchingRig.rule(GestureCondition(kind: .swipe)),
      MatchingRig.rule(GestureCondition(kind: .swipe, settings: settings(1))),
      MatchingRig.rule(GestureCondition(kind: .swipe, settings: settings(2))),
      MatchingRig.rule(GestureCondition(kind: .swipe, settings: settings(1))),
    ]
    var machine = MatchingRig.machine(rules)
    #expect(machine.table.settingSets.map { $0.map(\.value) } == [[], [1], [2]])
    #expect(machine.tell(MatchingRig.swipe(.began, 0)) == ["0 begin"])
    #expect(machine.tell(MatchingRig.swipe(.began, 0), stream: 1) == ["1 begin", "3 begin"])
    #expect(machine.tell(MatchingRig.swipe(.ended, 1), stream: 2) == [])
    #expect(machine.tell(MatchingRig.swipe(.ended, 1), stream: 1) == ["1 end", "3 end"])
    // where nobody can apply them, they are as if they were not there
    var plain = RuleMachine(RuleTable(Configuration(rules: rules), appliesSettings: false))
    #expect(plain.table.settingSets == [[]])
    #expect(plain.tell(MatchingRig.swipe(.began, 0)).count == 4)
  }

  // MARK: Hotkeys

  @Test(
    arguments: [
      ([(.pressed, true), (.released, false)], ["0 end", "0 release"]),
      ([(.pressed, false), (.released, true)], ["0 end", "0 release"]),
      ([(.pressed, false), (.released, false)], ["0 release"]),
      (
        [(.pressed, true), (.repeated, true), (.released, false)], ["0 end", "0 end", "0 release"]
      ),
      ([(.pressed, true), (.pressed, true)], ["0 end", "0 release", "0 end"]),
      ([(.released, true)], []), ([(.repeated, true)], []),
    ] as [([(HotkeyEvent.Phase, Bool)], [String])])
  func aHotkeyActsAndIsReleasedOnce(events: [(HotkeyEvent.Phase, Bool)], told: [String]) {
    var machine = MatchingRig.machine([MatchingRig.hotkeyRule()])
    machine.bind([HotkeyID(rawValue: 7): [0]])
    let heard = Told()
    for (index, (phase, acts)) in events.enumerated() {
      machine.process(MatchingRig.hotkey(phase, Int64(index), acts: acts))
      heard(machine.takeActivations())
    }
    #expect(heard.words == told)
  }

  @Test func aHotkeyRepeatsOnlyInItsMode() {
    var machine = MatchingRig.machine([
      MatchingRig.hotkeyRule(mode: "resize"), MatchingRig.hotkeyRule(),
    ])
    machine.bind([HotkeyID(rawValue: 7): [0, 1]])
    let told = Told()
    func tell(_ phase: HotkeyEvent.Phase, in mode: String?) -> [String] {
      machine.enterMode(mode)
      machine.process(MatchingRig.hotkey(phase, 0, acts: phase != .released))
      told(machine.takeActivations())
      return told.take()
    }
    #expect(tell(.pressed, in: "resize") == ["0 end"])
    #expect(tell(.repeated, in: "resize") == ["0 end"])
    #expect(tell(.repeated, in: nil) == [])
    #expect(tell(.released, in: nil) == ["0 release"])
    // a rule without a mode may enter one while its key is held
    #expect(tell(.pressed, in: nil) == ["1 end"])
    #expect(tell(.repeated, in: "resize") == ["1 end"])
  }

  @Test func modeAndDeviceDistinguishRulesOfOneHotkey() {
    var machine = MatchingRig.machine([
      MatchingRig.hotkeyRule(), MatchingRig.hotkeyRule(mode: "resize"),
      MatchingRig.hotkeyRule(device: DeviceMatch(name: "left")),
      MatchingRig.hotkeyRule(device: DeviceMatch(name: "right")),
    ])
    machine.add(RuleDevice(id: DeviceID(rawValue: 5), name: "Left"))
    machine.bind([HotkeyID(rawValue: 7): [3, 2, 1, 0, 99]])
    let told = Told()
    machine.process(MatchingRig.hotkey(.pressed, 0))
    told(machine.takeActivations())
    #expect(told.take() == ["0 end", "2 end"])
    // what is held is released, whatever the mode is by then
    machine.enterMode("resize")
    machine.process(MatchingRig.hotkey(.released, 1))
    told(machine.takeActivations())
    #expect(told.take() == ["0 release", "2 release"])
    machine.process(MatchingRig.hotkey(.pressed, 2))
    told(machine.takeActivations())
    #expect(told.take() == ["1 end"])
  }
}

extension MatchingRig {
  static func hotkeyRule(mode: String? = nil, device: DeviceMatch? = nil) -> Rule {
    let condition = HotkeyCondition(hotkey: Hotkey(Chord(.super, .key(.a))))
    return Rule(
      trigger: .hotkey(condition), mode: mode, device: device,
      reactions: Reactions(end: [action("pressed")], release: [action("released")]), place: place)
  }

  static func hotkey(_ phase: HotkeyEvent.Phase, _ ms: Int64, acts: Bool? = nil) -> HotkeyEvent {
    HotkeyEvent(
      time: EventTime(microseconds: ms * 1000), device: DeviceID(rawValue: 5),
      hotkey: HotkeyID(rawValue: 7), phase: phase, shouldAct: acts ?? (phase == .pressed))
  }
}
