import GlissConfiguration
import GlissEvents
import GlissHotkeys
import Testing

@testable import GlissAgent

@Suite struct InputNeedsTests {
  private func hotkey(
    _ text: String, mode: String? = nil, device: DeviceMatch? = nil, consumes: Bool = false,
    application: ApplicationMatch? = nil,
    enters next: String? = nil
  ) throws -> Rule {
    var reactions = Reactions()
    if let next { reactions.end = [Action(.mode(next), place: MatchingRig.place)] }
    return Rule(
      trigger: .hotkey(HotkeyCondition(hotkey: try Hotkey(text), consumes: consumes)), mode: mode,
      device: device, application: application, reactions: reactions, place: MatchingRig.place)
  }

  @Test func hotkeysOfOneKeyboardAreLeftOutIfKeyboardsHaveNoNames() throws {
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

  /// Other applications get the keys of a hotkey that only one of them gives up.
  @Test func aHotkeyIsConsumedOnlyInItsApplication() throws {
    let firefox = ApplicationMatch(only: ["firefox"])
    let configuration = Configuration(rules: [
      try hotkey("super+a", consumes: true, application: firefox), try hotkey("super+a"),
      try hotkey("super+b", consumes: true, application: firefox),
      try hotkey("super+c", application: firefox),
    ])
    let table = RuleTable(configuration)
    func needs(_ names: [String]?) -> InputNeeds {
      InputNeeds(
        configuration, namesKeyboards: true,
        focus: table.focus(
          on: names.map { [.focused: RuleFocus.Window(names: $0)] } ?? [:], known: [.focused]))
    }
    func texts(_ needs: InputNeeds) -> [String] {
      needs.requests.map { "\($0.hotkey)\($0.consumes ? " consumed" : "")" }
    }
    #expect(texts(needs(["Firefox"])) == ["super+a consumed", "super+b consumed", "super+c"])
    for elsewhere in [needs(["gimp"]), needs(nil)] {
      #expect(texts(elsewhere) == ["super+a", "super+c"])
      #expect(elsewhere.requests.first.flatMap { elsewhere.rules[$0] } == [1])
    }
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

  /// A rule that enters a mode may leave it at its end, and a mode may lead to others alone.
  @Test func modesWithAnExitLeadBackToNone() throws {
    let (none, place) = (Action.Verb.mode(nil), MatchingRig.place)
    var held = try hotkey("f1", enters: "held")
    held.reactions.release = [Action(none, place: place)]
    var drawn = MatchingRig.rule(GestureCondition(kind: .swipe))
    drawn.reactions = Reactions(
      begin: [Action(.mode("drawn"), place: place)], end: [Action(none, place: place)])
    let rules = [
      held, drawn, try hotkey("f2", mode: "a", enters: "b"),
      try hotkey("f2", mode: "b", enters: "a"), try hotkey("f2", mode: "c", enters: "held"),
    ]
    let needs = InputNeeds(Configuration(rules: rules), namesKeyboards: true)
    #expect(needs.modesWithExit == ["held", "c"])
    drawn.reactions.cancel = drawn.reactions.end
    let all = InputNeeds(Configuration(rules: [drawn]), namesKeyboards: true)
    #expect(all.modesWithExit == ["drawn"])
  }
}
