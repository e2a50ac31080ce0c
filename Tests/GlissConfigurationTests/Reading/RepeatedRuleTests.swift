import GlissConfiguration
import GlissEvents
import Testing

/// What rules do again, move and include.
@Suite struct RepeatedRuleTests {
  private func reactions(_ rule: String) throws -> Reactions {
    let reading = read("gestures: [{\(rule)}]")
    return try #require(reading.configuration?.rules.first?.reactions, "\(reading.mistakes)")
  }

  @Test func repeatDoesAtOnceAndAgain() throws {
    let reactions = try reactions("gesture: swipe, repeat: 0.3 s, do: {keys: volumeup}")
    #expect(reactions.begin.count == 1 && reactions.end.isEmpty)
    #expect(reactions.steps.map(\.interval) == [.init(300, .milliseconds)])
    #expect(reactions.steps.first?.forward == reactions.begin)
  }

  @Test func aStepMayBeATime() throws {
    let reactions = try reactions(
      "gesture: hold, steps: {every: 200 ms, forward: {mode: none}}")
    #expect(reactions.steps.map(\.interval) == [.init(200, .milliseconds)])
  }

  @Test func thePointerMovesByAFactor() throws {
    let reactions = try reactions("gesture: drag, hold: button1, change: {move: 2.5}")
    #expect(reactions.change.map(\.verb) == [.move(2.5)])
    #expect(reactions.hasMove)
  }

  @Test(arguments: ["1 mm", "1mm", "1"]) func aSettingHasTheUnitOfTheSetting(value: String) {
    let reading = read("settings: {motion.floor: \(value)}")
    #expect(reading.configuration?.settings == [SettingChange(name: "motion.floor", value: 1)])
  }

  @Test(arguments: [
    ("print", "prtsc"), ("super+play", "playpause"), ("next", "nextsong"), ("menu", "compose"),
  ])
  func aKeyThatKeyboardsHardlyHaveIsWarnedOf(hotkey: String, usual: String) {
    let warnings = read("hotkeys: [{hotkey: \(hotkey), do: {mode: none}}]").mistakes
      .filter { $0.severity == .warning }.map(\.message)
    #expect(warnings.contains { $0.contains("hardly any keyboard") && $0.contains(usual) })
    // a rule for the usual key has the same meaning
    let modifiers = hotkey.split(separator: "+").dropLast().map { "\($0)+" }.joined()
    for (other, isEnough) in [(modifiers + usual, true), ("shift+\(usual)", false)] {
      let both = read("hotkeys: [{hotkey: [\(hotkey), \(other)], do: {mode: none}}]").mistakes
      #expect(both.contains { $0.message.contains("hardly any") } != isEnough)
    }
  }

  @Test(arguments: [
    ("[foot, $EDITOR]", true), ("[$TERMINAL]", true),
    ("[a, $HOME/x, ~/y, $XDG_RUNTIME_DIR]", false),
    ("[a, $5, b$X]", false),
  ])
  func aVariableThatNobodyReplacesIsWarnedOf(arguments: String, isWarned: Bool) {
    let warnings = read("gestures: [{gesture: tap, do: {run: \(arguments)}}]").mistakes
      .filter { $0.message.contains("no shell replaces") }
    #expect(warnings.isEmpty != isWarned)
  }

  @Test func includesAreNamed() {
    func includes(_ text: String) -> [String] {
      ConfigurationText(name: "a", bytes: Array(text.utf8)).includes.map(\.path)
    }
    #expect(includes("include: b.yaml\n") == ["b.yaml"])
    #expect(includes("include: [b.yaml, ~/c.yaml]\ngestures: []\n") == ["b.yaml", "~/c.yaml"])
    #expect(includes("gestures: [") == [])
    #expect(read("include: [b.yaml]").configuration != nil)
  }
}
