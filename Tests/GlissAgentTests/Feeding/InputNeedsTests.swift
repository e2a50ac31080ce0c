import GlissConfiguration
import GlissEvents
import GlissHotkeys
import Testing

@testable import GlissAgent

@Suite struct InputNeedsTests {
  private func hotkey(
    _ text: String, mode: String? = nil, device: DeviceMatch? = nil, consumes: Bool = false,
    enters next: String? = nil
  ) throws -> Rule {
    var reactions = Reactions()
    if let next { reactions.end = [Action(.mode(next), place: MatchingRig.place)] }
    return Rule(
      trigger: .hotkey(HotkeyCondition(hotkey: try Hotkey(text), consumes: consumes)), mode: mode,
      device: device, reactions: reactions, place: MatchingRig.place)
  }

  @Test func whereTheKeyboardIsNotToldHotkeysOfOneAreLeftOutAndNamed() throws {
    let keyboard = DeviceMatch(kind: .keyboard)
    let rules = [
      try hotkey("super+a", device: keyboard, consumes: true), try hotkey("super+a"),
      try hotkey("super+b", device: keyboard),
    ]
    let configuration = Configuration(rules: rules)
    let all = InputNeeds(configuration, namesKeyboards: true)
    #expect(all.requests.map(\.hotkey.description) == ["super+a", "super+b"])
    #expect(all.keyboardRules.isEmpty && all.consumes)
    let some = InputNeeds(configuration, namesKeyboards: false)
    #expect(some.requests.map(\.hotkey.description) == ["super+a"])
    #expect(some.requests.first.flatMap { some.rules[$0] } == [1])
    // only the one that is left out wanted that
    #expect(!some.consumes)
    #expect(some.keyboardRules == [0, 2])
  }

  @Test func modesWithoutHotkeysAreThoseThatGesturesHoldInOrNothing() throws {
    let rules = [
      try hotkey("super+a", enters: "empty"), try hotkey("super+b", mode: "size"),
      MatchingRig.rule(GestureCondition(kind: .swipe), mode: "size"),
      MatchingRig.rule(GestureCondition(kind: .swipe), mode: "hand"),
    ]
    let needs = InputNeeds(Configuration(rules: rules), namesKeyboards: true)
    #expect(needs.bareModes == ["empty", "hand"])
  }
}
