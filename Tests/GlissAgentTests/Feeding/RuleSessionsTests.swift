import GlissAgent
import GlissConfiguration
import GlissEvents
import GlissGestures
import GlissSession
import GlissSynthesis
import Testing

@Suite struct RuleSessionsTests {
  private func setting(_ name: String, _ value: Double) -> SettingChange {
    SettingChange(name: name, value: value)
  }

  @Test func profilesHoldForTheDevicesTheyFitAndLaterOnesWin() {
    let configuration = Configuration(
      settings: [setting("motion.floor", 2), setting("drag.gain", 2)],
      profiles: [
        DeviceProfile(
          match: DeviceMatch(kind: .touchpad), settings: [setting("drag.gain", 3)]),
        DeviceProfile(
          match: DeviceMatch(name: "ELAN*"), settings: [setting("drag.gain", 4)]),
      ])
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
    let sessions = RuleSessions(RuleTable(Configuration(rules: rules)))
    var ends: [Int: [GestureEvent]] = [:]
    sessions.addHandler { gesture, _, stream in
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

  @Test func withoutSettingsThereIsOneSession() {
    let sessions = RuleSessions(
      RuleTable(Configuration(rules: [MatchingRig.rule(GestureCondition(kind: .drag))])))
    var streams: Set<Int> = []
    sessions.addHandler { _, _, stream in streams.insert(stream) }
    let trace = Stroke.drag(by: Vector2(x: 30, y: 2)).trace(on: .medium, seed: 1)
    let device = sessions.main.add(trace.device)
    for event in trace.events { sessions.main.process(event, from: device) }
    sessions.main.finish()
    #expect(streams == [0])
  }
}
