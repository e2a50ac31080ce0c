import GlissEvents
import GlissGestures
import GlissHotkeys
import GlissSession
import GlissSynthesis
import Testing

@testable import GlissAgent
@testable import GlissConfiguration

@Suite struct RuleSessionsTests {
  private func setting(_ name: String, _ value: Double) -> SettingChange {
    SettingChange(name: name, value: value)
  }

  private func sessions(_ configuration: Configuration) -> RuleSessions {
    RuleSessions(InputNeeds(configuration, namesKeyboards: true), consumes: false)
  }

  /// A rule for one keyboard takes its hotkey from no other, nor any part of it.
  @Test func keysAreKeptOnlyOnKeyboardsThatARuleIsFor() {
    let macropad = DeviceMatch(name: "Macropad")
    let hotkeys: [(Hotkey, DeviceMatch?)] = [
      (Hotkey(Chord([], .key(.f1))), macropad), (Hotkey(Chord([], .key(.f2))), nil),
      (Hotkey(Chord([], .key(.f3)), then: [Chord([], .key(.f4))]), macropad),
      (Hotkey(Chord([], .wheel(.up))), macropad),
    ]
    let rules = hotkeys.map { hotkey, device in
      Rule(
        trigger: .hotkey(HotkeyCondition(hotkey: hotkey, consumes: true)),
        device: device, reactions: Reactions(end: [MatchingRig.action("a")]),
        place: MatchingRig.place)
    }
    let sessions = RuleSessions(
      InputNeeds(Configuration(rules: rules), namesKeyboards: true), consumes: true)
    let keys: [Key] = [.f1, .f2, .f3, .f4, .f3, .escape]
    let keyboards = ["Macropad", "Main"].map {
      sessions.main.add(Device(name: $0, keys: Set(keys)))
    }
    var time = EventTime.zero
    func isKept(_ key: Key, _ value: Int32, on keyboard: DeviceID) -> Bool {
      time = time + .milliseconds(10)
      sessions.main.keepsKey = false
      sessions.main.process(.key(key, value, at: time), from: keyboard)
      sessions.main.process(.report(at: time), from: keyboard)
      return sessions.main.keepsKey
    }
    var kept: [[Bool]] = []
    for keyboard in keyboards {
      var own: [Bool] = []
      for key in keys {
        own.append(isKept(key, 1, on: keyboard))
        _ = isKept(key, 0, on: keyboard)
      }
      // half a notch
      sessions.main.keepsKey = false
      sessions.main.process(
        ScrollEvent(time: time, device: keyboard, source: .wheel, delta: Vector2(x: 0, y: -7.5)))
      kept.append(own + [sessions.main.keepsKey])
    }
    #expect(
      kept == [
        [true, true, true, true, true, true, true],
        [false, true, false, false, false, false, false],
      ])
    // the hotkey is held already
    #expect(keyboards.map { isKept(.f1, 1, on: $0) } == [true, false])
  }

  @Test func profilesHoldForTheDevicesTheyFitAndLaterOnesWin() {
    var configuration = Configuration()
    configuration.settings = [setting("motion.floor", 2), setting("drag.gain", 2)]
    configuration.profiles = [
      DeviceProfile(match: DeviceMatch(kind: .touchpad), settings: [setting("drag.gain", 3)]),
      DeviceProfile(match: DeviceMatch(name: "ELAN*"), settings: [setting("drag.gain", 4)]),
    ]
    func gain(_ name: String, _ kind: DeviceMatch.Kind?) -> Double {
      configuration.recognizer(of: RuleDevice(id: MatchingRig.pad, name: name, kind: kind)).drag
        .gain
    }
    #expect(gain("other", .touchscreen) == 2)
    #expect(gain("other", .touchpad) == 3)
    #expect(gain("ELAN pad", .touchpad) == 4)
    let device = RuleDevice(id: MatchingRig.pad, name: "ELAN")
    #expect(configuration.recognizer(of: device).motion.floor == 2)
    #expect(
      configuration.recognizer(of: device, with: [setting("motion.floor", 5)]).motion.floor == 5)
  }

  @Test func eachSetOfSettingsHasAStreamOfItsOwn() {
    let rules = [
      MatchingRig.rule(GestureCondition(kind: .drag)),
      MatchingRig.rule(GestureCondition(kind: .drag, settings: [setting("drag.gain", 3)])),
      // so much motion there is not
      MatchingRig.rule(
        GestureCondition(
          kind: .drag, settings: [setting("motion.floor", 5), setting("drag.gain", 5)])),
    ]
    let sessions = sessions(Configuration(rules: rules))
    var ends: [Int: [GestureEvent]] = [:]
    sessions.didReceive = { event in
      guard case .gesture(let gesture, let stream, _) = event else { return }
      if gesture.phase == .ended { ends[stream, default: []].append(gesture) }
    }
    let trace = Stroke.drag(by: Vector2(x: 30, y: 2)).trace(on: .medium, seed: 1)
    let device = sessions.main.add(trace.device)
    for event in trace.events { sessions.main.process(event, from: device) }
    sessions.main.finish()
    #expect(ends[0]?.count == 1)
    #expect(ends[1]?.count == 1)
    guard let plain = ends[0]?.first, let tripled = ends[1]?.first else { return }
    #expect(plain.time == tripled.time && plain.device == tripled.device)
    #expect(
      abs(
        tripled.translation.points.x / tripled.translation.millimetres.x
          - 3 * plain.translation.points.x / plain.translation.millimetres.x) < 1e-9)
  }

  /// The application counts in which the fingers land; what comes into it later waits for the next ones.
  @Test func settingsForAnApplicationApplyFromTheNextStrokeOn() {
    let profile = DeviceProfile(
      match: DeviceMatch(kind: .touchpad), application: ApplicationMatch(only: ["krita"]),
      settings: [setting("drag.gain", 3)])
    var configuration = Configuration()
    configuration.profiles = [profile]
    let sessions = sessions(configuration)
    var gains: [Double] = []
    sessions.didReceive = { event in
      guard case .gesture(let gesture, _, _) = event else { return }
      if gesture.phase == .ended {
        gains.append(gesture.translation.points.x / gesture.translation.millimetres.x)
      }
    }
    let trace = Stroke.drag(by: Vector2(x: 30, y: 2)).trace(on: .medium, seed: 1)
    let device = sessions.main.add(trace.device)
    let length = EventInterval.seconds(10)
    func stroke(_ number: Int, then name: String?) {
      let start = trace.events.map(\.time).min() ?? .zero
      let events = [EvdevEvent.absolute(.slot, 0, at: start)] + trace.events
      for (index, event) in events.enumerated() {
        if index == trace.events.count / 2 {
          sessions.focus(on: name.map { RuleFocus.Window(names: [$0]) }, as: .focused)
        }
        var event = event
        for _ in 0..<number { event.time = event.time + length }
        sessions.main.process(event, from: device)
      }
    }
    for (number, name) in ["Krita", "gimp", "krita", nil, nil].enumerated() {
      stroke(number, then: name)
    }
    sessions.main.finish()
    #expect(gains.count == 5)
    let plain = gains.first ?? 0
    #expect(gains.map { ($0 / plain).rounded() } == [1, 3, 1, 3, 1])
  }

  /// A recording has devices that never arrived.
  @Test func aDeviceIsKnownBeforeItsFirstGesture() {
    let run = DryRun(
      Configuration(rules: [
        MatchingRig.rule(GestureCondition(kind: .drag), device: DeviceMatch(kind: .touchpad)),
        MatchingRig.rule(GestureCondition(kind: .drag), device: DeviceMatch(kind: .mouse)),
      ]))
    var rules: Set<Int> = []
    var names: [String] = []
    run.didActivate = { activation, _ in rules.insert(activation.rule) }
    run.didEndStroke = { names.append($0.device) }
    let trace = Stroke.drag(by: Vector2(x: 30, y: 2)).trace(on: .medium, seed: 1)
    let device = run.session.add(trace.device)
    for event in trace.events { run.session.process(event, from: device) }
    run.session.finish()
    #expect(rules == [0])
    #expect(!trace.device.name.isEmpty && names.last == trace.device.name)
  }

  @Test func escapeLeavesNoModeWhileInputIsNotForTheRules() {
    let sessions = sessions(Configuration(rules: [MatchingRig.hotkeyRule(mode: "size")]))
    var wasLeft = false
    sessions.didReceive = { if case .modeLeft = $0 { wasLeft = true } }
    sessions.enterMode("size")
    let escape = HotkeyConfiguration().abortKey
    let device = sessions.main.add(Device(name: "Keys", keys: [escape]))
    func pressEscape(at ms: Int64) {
      let time = EventTime(microseconds: ms * 1000)
      for value: Int32 in [1, 0] {
        sessions.main.process(.key(escape, value, at: time), from: device)
        sessions.main.process(.report(at: time), from: device)
      }
    }
    sessions.isPaused = true
    pressEscape(at: 100)
    #expect(sessions.main.hotkeyMode == "size" && !wasLeft)
    sessions.isPaused = false
    pressEscape(at: 200)
    #expect(sessions.main.hotkeyMode == nil && wasLeft)
  }

  @Test func withoutSettingsThereIsOneSession() {
    let sessions = sessions(
      Configuration(rules: [MatchingRig.rule(GestureCondition(kind: .drag))]))
    var streams: Set<Int> = []
    sessions.didReceive = { event in
      if case .gesture(_, let stream, _) = event { streams.insert(stream) }
    }
    let trace = Stroke.drag(by: Vector2(x: 30, y: 2)).trace(on: .medium, seed: 1)
    let device = sessions.main.add(trace.device)
    for event in trace.events { sessions.main.process(event, from: device) }
    sessions.main.finish()
    #expect(streams == [0])
  }
}
