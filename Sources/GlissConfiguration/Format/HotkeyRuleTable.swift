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

extension Form where Value == Hotkey {
  static var hotkey: Form {
    let words = FormWords(what: "a hotkey", examples: ["super+t", "super+k ; w", "tap:super"])
    var form = Form("", schema: { Self.schema(words) }) { node, reader in
      guard let text = reader.word(node) else {
        reader.expected(words, at: node)
        return nil
      }
      return reader.parsed(node) { () throws(HotkeyError) in try Hotkey(text) }
    }
    form.words = words
    return form
  }
}

extension Form where Value == [Chord] {
  /// Chords that are pressed one after the other.
  static var chords: Form {
    let words = FormWords(what: "a chord", examples: ["super+left", "ctrl+k ; ctrl+c"])
    var form = Form("", schema: { Self.schema(words) }) { node, reader in
      guard let text = reader.word(node) else {
        reader.expected(words, at: node)
        return nil
      }
      let hotkey = reader.parsed(node) { () throws(HotkeyError) in try Hotkey(text) }
      guard let hotkey else { return nil }
      guard !hotkey.isTap, hotkey.activation == .press else {
        reader.report(
          "\(text.excerpt) is not a chord: only keys and what is held with them can be pressed, as in"
            + " super+left", at: node)
        return nil
      }
      for obstacle in Set(hotkey.chords.compactMap(\.obstacle)) {
        switch obstacle {
        case .noKey:
          reader.report("a wheel or a button cannot be pressed: only keys can", at: node)
        case .sysRq:
          reader.report(
            "SysRq with Alt is not pressed, for the kernel itself would obey it", at: node)
        }
      }
      return hotkey.chords
    }
    form.words = words
    return form
  }
}

extension Form where Value == Modifiers {
  /// The modifiers held on the keyboard.
  static var modifiers: Form {
    let words = FormWords(
      what: "modifiers (shift, ctrl, alt, altgr, super), or none",
      examples: ["super", "super+shift"])
    var form = Form("", schema: { Self.schema(words) }) { node, reader in
      guard let text = reader.word(node) else {
        reader.expected(words, at: node)
        return nil
      }
      if text == "none" { return [] }
      return reader.parsed(node) { () throws(HotkeyError) in try Modifiers(heldAs: text) }
    }
    form.words = words
    return form
  }
}

extension Form {
  fileprivate static func schema(_ words: FormWords) -> JSON {
    [
      "type": ["string", "integer"], "maxLength": .integer(Int64(Hotkey.longestText)),
      "examples": .array(words.examples.map(JSON.string)),
    ]
  }
}

extension Reader {
  /// Parses a scalar. A mistake is marked within its text.
  fileprivate mutating func parsed<Value>(
    _ node: YamlNode, _ parse: () throws(HotkeyError) -> Value
  ) -> Value? {
    do {
      return try parse()
    } catch {
      switch error {
      case .syntax(var mistake):
        if let word = mistake.wordForKeysym { mistake.similar = [word] }
        report(
          mistake.sentenceWithAdvice, at: node,
          mistake.offset..<mistake.offset + mistake.length)
      case .taken, .notConsumable: report(error.description, at: node)
      }
      return nil
    }
  }
}

extension HotkeyMistake {
  /// Our name for the key, if the text has its X11 name.
  fileprivate var wordForKeysym: String? {
    guard problem == .unknownKey else { return nil }
    let name = String(text.dropFirst(offset).prefix(length))
    guard Keysyms.character(name) == nil, let key = Keysyms.key(name) else { return nil }
    return Chord([], .key(key)).description
  }
}
