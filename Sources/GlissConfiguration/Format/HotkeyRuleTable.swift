import GlissEvents
import GlissHotkeys
import GlissYaml

/// A hotkey's rule as read.
struct HotkeyDraft {
  var name: String?
  var hotkey: Hotkey?
  var consumes = false
  var mode: String?
  var device: DeviceMatch?
  var reactions = Reactions()
}

enum HotkeyRuleTable {
  static let form = Form<NotedRule>.table(
    { table }, schema: { ["$ref": "#/$defs/hotkey"] }, start: { HotkeyDraft() }, finish: finish)

  static let table = Table<HotkeyDraft>(
    name: "a hotkey's rule", summary: "What is pressed, and what is done.",
    fields: [
      Field("name", .text("a name", "terminal"), "What it is called in logs and by `gliss why`.") {
        $0.name = $1
      },
      Field("hotkey", .hotkey, "What is pressed (docs/hotkeys.md).", isRequired: true) {
        $0.hotkey = $1
      },
      Field(
        "consume", .flag, "The rest of the desktop does not get the keys.", standard: "`false`"
      ) { $0.consumes = $1 },
      Field("mode", .mode, "The mode it holds in.", standard: "while no mode is entered") {
        $0.mode = $1
      },
      Field("device", .device, "Whose keys count.", standard: "every device's") {
        $0.device = $1
      },
      Field("do", .actions, "What is done when it acts.") { $0.reactions.end = $1 },
      Field("release", .actions, "What is done when its key goes up after the press.") {
        $0.reactions.release = $1
      },
    ])

  static func finish(_ draft: HotkeyDraft, _ given: Given, _ reader: inout Reader) -> NotedRule? {
    if given.key("do") == nil, given.key("release") == nil {
      reader.report("the rule does nothing: give it do, as in do: {run: [foot]}", at: given.node)
    }
    guard let hotkey = draft.hotkey, let node = given.value("hotkey") else { return nil }
    if draft.consumes, !hotkey.isConsumable, let key = given.key("consume") {
      let what = hotkey.isTap ? "a modifier that is tapped" : "a button or a wheel"
      reader.report("\(what) cannot be kept from the desktop: leave out consume", at: key)
    }
    // a tap needs the gesture tier, which the package grants
    if !hotkey.typesNothing, !hotkey.isTap {
      reader.report(
        "\(hotkey.description.excerpt) could be typed: through the broker it needs a grant for raw keys",
        at: node, severity: .warning)
    }
    let condition = HotkeyCondition(hotkey: hotkey, consumes: draft.consumes)
    return NotedRule(
      rule: Rule(
        name: draft.name, trigger: .hotkey(condition), mode: draft.mode, device: draft.device,
        reactions: draft.reactions, place: reader.place(of: given.node)),
      place: reader.place(of: node), length: reader.length(of: node))
  }
}
