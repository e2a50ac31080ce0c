import GlissEvents
import GlissHotkeys
import GlissYaml

struct HotkeyDraft {
  var name: String?
  var consumes = false
  var mode: String?
  var device: DeviceMatch?
  var application: ApplicationMatch?
  var reactions = Reactions()
}

enum HotkeyRuleTable {
  static let form = Form<[NotedRule]>(table.words, schema: ["$ref": "#/$defs/hotkey"], read: read)

  private static let hotkeys = Form<[HotkeyChoice]>.joined(.choices)

  static let table = Table<HotkeyDraft>(
    name: "a hotkey's rule",
    fields: [
      Field("name", .text("a name", "terminal"), \.name, "Its name in logs and in `gliss why`."),
      Field(
        // read before the other keys
        "hotkey", Form<[HotkeyChoice]>(hotkeys.words, schema: hotkeys.schema()) { _, _ in nil },
        "What is pressed (docs/hotkeys.md); of a list or a group in braces each is a hotkey.",
        isRequired: true
      ) { _, _ in },
      Field(
        "consume", .flag, \.consumes, "The rest of the desktop does not get the keys.",
        standard: "`false`"),
      Field("mode", .mode, \.mode, "The mode it applies in.", standard: "while no mode is entered"),
      Field("device", .device, \.device, "Whose keys count.", standard: "every device's"),
      Field(
        "application", .application, \.application,
        "The application that has the focus when it is pressed (docs/focus.md).",
        standard: "any, or none"),
      Field("hold", .held, \.reactions.hold, "Keys and buttons that are held while it is."),
      Field("do", .actions, \.reactions.end, "What is done when it acts."),
      Field(
        "release", .actions, \.reactions.release,
        "What is done when its key goes up after the press."),
    ])

  private static func read(_ node: YamlNode, _ reader: inout Reader) -> [NotedRule]? {
    let hotkey = reader.yaml.value("hotkey", of: node)
    let choices = hotkey.flatMap { hotkeys.read($0, &reader) } ?? []
    let value = choices.first { $0.value != nil }?.value
    var draft = HotkeyDraft()
    (reader.filling, reader.hasFilled) = (value, false)
    defer { reader.filling = nil }
    guard let given = table.read(node, into: &draft, &reader) else { return nil }
    check(draft, given, &reader)
    if value == nil, !choices.isEmpty { warnOfBraces(draft, given, &reader) }
    guard reader.hasFilled else {
      return choices.map { rule($0, draft, given, &reader) }
    }
    var drafts = [value: draft]
    return choices.map { choice in
      if choice.value == nil {
        reader.report(
          "\(choice.hotkey.description.excerpt) has no group in braces, so {} in its actions is not replaced: give it its own rule",
          at: choice.node, severity: .warning)
      }
      let filled = drafts[choice.value] ?? filled(with: choice.value, node, &reader)
      drafts[choice.value] = filled
      return rule(choice, filled, given, &reader)
    }
  }

  /// Reads a rule again, for another value of `{}`. Its warnings are reported already, and so is
  /// the first error.
  private static func filled(
    with value: String?, _ node: YamlNode, _ reader: inout Reader
  ) -> HotkeyDraft {
    var draft = HotkeyDraft()
    guard reader.mistakes.errors == 0 else { return draft }
    reader.filling = value
    reader.isRereading = true
    defer { reader.isRereading = false }
    _ = table.read(node, into: &draft, &reader)
    return draft
  }

  private static func check(_ draft: HotkeyDraft, _ given: Given, _ reader: inout Reader) {
    // an unknown key may be the action
    if !given.hasUnknown, given.key("do") == nil, given.key("release") == nil,
      given.key("hold") == nil
    {
      reader.report("the rule does nothing: give it do, as in do: {run: [foot]}", at: given.node)
    }
    if draft.reactions.hasMove, let key = given.key("do") ?? given.key("release") {
      reader.report("move goes with change of a gesture", at: key)
    }
  }

  /// Warns of a text that is `{}` alone, where no group replaces it. As an argument of a program it
  /// may be meant.
  private static func warnOfBraces(
    _ draft: HotkeyDraft, _ given: Given, _ reader: inout Reader
  ) {
    let isUnfilled = draft.reactions.actions.contains { action in
      switch action.verb {
      case .notify(let summary, let body): summary == "{}" || body == "{}"
      case .emit(let emission): emission.line == "{}"
      case .run, .keys, .hold, .letGo, .move, .mode, .turns, .desktop: false
      }
    }
    guard isUnfilled, let key = given.key("do") ?? given.key("release") else { return }
    reader.report(
      "the hotkey has no group in braces, as super+{1-9} has, so {} in its actions is not replaced",
      at: key, severity: .warning)
  }

  /// Warns of a device that does not have the hotkey's key.
  private static func warnOfDevice(
    _ draft: HotkeyDraft, _ choice: HotkeyChoice, _ given: Given, _ reader: inout Reader
  ) {
    guard let device = draft.device?.kind,
      case .key(let key)? = choice.hotkey.chords.last?.trigger, !key.isButton
    else { return }
    let node = given.value("device") ?? given.node
    switch device {
    case .touchpad, .touchscreen:
      reader.report(
        "a \(device.rawValue) has no keys, so this rule never acts: leave out device", at: node,
        severity: .warning)
    case .mouse:
      // from Escape to F12; a mouse may have others, as for the volume, and a keyboard with a
      // pointer is a mouse, too
      guard draft.device?.name == nil, draft.device?.vendorAndProduct == nil,
        (1...88).contains(key.rawValue), reader.written(choice.node)?.contains("code:") != true
      else { return }
      reader.report(
        "hardly any mouse has this key: leave out device, or give it a name", at: node,
        severity: .warning)
    case .keyboard: break
    }
  }

  private static func rule(
    _ choice: HotkeyChoice, _ draft: HotkeyDraft, _ given: Given, _ reader: inout Reader
  ) -> NotedRule {
    let hotkey = choice.hotkey
    if draft.consumes, !hotkey.isConsumable, let key = given.key("consume") {
      let isButton = hotkey.chords.contains {
        $0.trigger == .key(.leftButton) && $0.modifiers.isEmpty
      }
      let what = isButton ? "the left button alone" : "a modifier"
      reader.report("\(what) cannot be kept from the desktop: leave out consume", at: key)
    }
    warnOfDevice(draft, choice, given, &reader)
    if !draft.reactions.hold.isEmpty, !hotkey.isHeld, let key = given.key("hold") {
      reader.report(
        "hold needs a key that stays down; a tap, a wheel's notch and release: are over at once",
        at: key)
    }
    let condition = HotkeyCondition(hotkey: hotkey, consumes: draft.consumes)
    return NotedRule(
      rule: Rule(
        name: draft.name, trigger: .hotkey(condition), mode: draft.mode, device: draft.device,
        application: draft.application,
        reactions: draft.reactions,
        place: reader.place(of: given.node)),
      place: reader.place(of: choice.node), length: reader.length(of: choice.node),
      // a tap needs the gesture tier, which the package grants
      isTyped: !hotkey.typesNothing && !hotkey.isTap)
  }
}

extension Form where Value == [HotkeyChoice] {
  /// A hotkey, which may have a group in braces.
  static var choices: Form {
    keys(FormWords("a hotkey", "super+t", "super+k ; w", "tap:super", "super+{1-9}")) {
      text, node, reader in
      // at the end, { may be the key
      let isKey = text.last == "{" && !text.drop { $0 != "{" }.contains("}")
      let mayBeGroup = text.utf8.contains(UInt8(ascii: "{")) && !isKey
      guard mayBeGroup, (try? Hotkey(text)) == nil else {
        let hotkey = reader.parsed(node) { () throws(HotkeyError) in try Hotkey(text) }
        return hotkey.map { [HotkeyChoice(hotkey: $0, value: nil, node: node)] }
      }
      guard let choices = HotkeyGroup.choices(of: text) else {
        reader.report(
          "\(text.excerpt) needs one group with 1 to \(HotkeyGroup.limit) keys in its braces, as in"
            + " super+{1-9} or super+{h=west,l=east}", at: node)
        return nil
      }
      return choices.compactMap { choice in
        do {
          let hotkey = try Hotkey(choice.text)
          return HotkeyChoice(hotkey: hotkey, value: choice.value, node: node)
        } catch {
          let isRange =
            choice.value.dropFirst().dropLast().contains("-") && choice.text.contains(choice.value)
          let advice = isRange ? "; a range is one like a-f (of a to z), 1-9 or f1-f12" : ""
          reader.report("\(choice.text.excerpt) is not a hotkey: \(error)\(advice)", at: node)
          return nil
        }
      }
    }
  }
}

extension Form where Value == [Chord] {
  /// Chords that are pressed one after the other.
  static var chords: Form {
    keys(FormWords("a chord", "super+left", "ctrl+k ; ctrl+c", "button1")) { text, node, reader in
      if let hotkey = try? Hotkey(text), hotkey.activation != .press {
        reader.report(
          "\(text.excerpt) is not a chord: only keys and what is held with them can be pressed, as in"
            + " super+left", at: node)
        return nil
      }
      let unknown = "; only keys are pressed, whose names 'gliss keys' prints; text cannot be typed"
      let chords = reader.parsed(node, unknown: unknown) { () throws(HotkeyError) in
        try Chord.chords(toPress: text)
      }
      for obstacle in Set(chords?.compactMap(\.obstacle) ?? []) {
        switch obstacle {
        case .noKey:
          reader.report("this key cannot be pressed: neither keyboards nor mice have it", at: node)
        case .sysRq:
          reader.report(
            "SysRq with Alt is not pressed, because the kernel itself would obey it", at: node)
        }
      }
      return chords
    }
  }

  /// The same, one or a list. A modifier in a list is released before the next chord.
  static var pressed: Form {
    let form = joined(.chords)
    return Form(form.words, schema: form.schema()) { node, reader in
      var held: [(word: String, node: YamlNode)] = []
      for item in reader.yaml.items(of: node) {
        guard let word = reader.written(item)?.trimmed else { continue }
        if !word.contains("+"), (try? Modifiers(heldAs: word)) != nil {
          held.append((word, item))
        } else if let first = held.first {
          let whole = (held.map(\.word) + [word]).joined(separator: "+")
          guard (try? Chord.chords(toPress: whole)) != nil else { break }
          reader.report(
            "\(first.word) is released before the next is pressed; did you mean \(whole)?",
            at: first.node, severity: .warning)
          held = []
        }
      }
      return form.read(node, &reader)
    }
  }

  /// Keys and buttons that are held.
  static var held: Form {
    keys(FormWords("keys or buttons", "alt", "super+shift", "button1")) { text, node, reader in
      if text.contains(";"), (try? Chord.chords(toPress: text))?.count != 1 {
        reader.report("hold takes one chord, as in super+alt", at: node)
        return nil
      }
      let chords = reader.parsed(node) { () throws(HotkeyError) in try Chord.chords(toPress: text) }
      guard let chords, chords.count == 1, chords[0].obstacle == nil, !chords[0].isNotch else {
        if chords != nil {
          reader.report("\(text.excerpt) cannot be held: name keys or buttons, as in alt", at: node)
        }
        return nil
      }
      return chords
    }
  }
}

extension Hotkey {
  /// Whether it lasts from its press to its release.
  fileprivate var isHeld: Bool {
    !isTap && activation != .release && !(chords.last?.isNotch ?? true)
  }
}

extension Chord {
  package var isNotch: Bool { if case .wheel = trigger { true } else { false } }
}

extension Form where Value == Modifiers {
  /// The modifiers held on the keyboard.
  static var modifiers: Form {
    keys(
      FormWords("modifiers (shift, ctrl, alt, altgr, super), or none", "super", "super+shift")
    ) { text, node, reader in
      if text == "none" { return [] }
      if !text.contains("+"), text.contains(where: { $0 == " " || $0 == "," }) {
        reader.report("modifiers are joined by +, as in super+shift, not \(text.excerpt)", at: node)
        return nil
      }
      let words = text.split(separator: "+").map { $0.filter { $0 != " " }.lowercased() }
      let sided = ["lshift", "rshift", "lctrl", "rctrl", "lsuper", "rsuper"]
      let modifiers = reader.parsed(node) { () throws(HotkeyError) in
        try Modifiers(heldAs: text)
      }
      if let modifiers, words.contains(where: sided.contains) {
        reader.report(
          "the two sides are not told apart here: write \(modifiers.spoken)", at: node,
          severity: .warning)
      }
      return modifiers
    }
  }
}

extension Form {
  /// A scalar with names of keys.
  fileprivate static func keys(
    _ words: FormWords, _ read: @escaping @Sendable (String, YamlNode, inout Reader) -> Value?
  ) -> Form {
    Form(
      words,
      schema: [
        "type": ["string", "integer"], "maxLength": .integer(Int64(Hotkey.longestText)),
        "examples": .array(words.examples.map(JSON.string)),
      ]
    ) { node, reader in
      if let text = reader.word(node) { return read(text, node, &reader) }
      let keys = reader.yaml.items(of: node)
      let all = keys.compactMap { reader.word($0) }.joined(separator: "+")
      let isValid = (try? Modifiers(heldAs: all)) != nil || (try? Hotkey(all)) != nil
      reader.expected(words, at: node, isValid ? "; write \(all)" : "")
      return nil
    }
  }
}

extension Reader {
  /// Parses a scalar. A mistake is marked within its text.
  mutating func parsed<Value>(
    _ node: YamlNode, unknown: String = "; 'gliss keys' prints the name of each key you press",
    _ parse: () throws(HotkeyError) -> Value
  ) -> Value? {
    do {
      return try parse()
    } catch {
      switch error {
      case .syntax(var mistake):
        let words = mistake.wordsElsewhere
        if !words.isEmpty { mistake.similar = words }
        let isUnknown =
          mistake.problem == .unknownKey && mistake.similar.isEmpty && mistake.length > 1
        let advice = isUnknown ? unknown : ""
        report(
          mistake.sentenceWithAdvice + advice, at: node,
          mistake.offset..<mistake.offset + mistake.length)
      case .taken, .notConsumable: report(error.description, at: node)
      }
      return nil
    }
  }
}

extension HotkeyMistake {
  /// What to write for a word of other programs: a notch of the wheel, or a key that is named as in
  /// X11. That is the key on QWERTY, and for a shifted character also the character itself.
  fileprivate var wordsElsewhere: [String] {
    guard problem == .unknownKey, length > 1 else { return [] }
    let name = String(text.dropFirst(offset).prefix(length))
    let wheels = ["scroll_", "scroll-", "mousewheel", "mouse_"]
    for direction in ["up", "down", "left", "right"]
    where wheels.contains(where: { name == $0 + direction }) {
      return ["wheel\(direction)"]
    }
    guard let trigger = Keysyms.triggerToPress(name) else { return [] }
    let word = Chord([], trigger).description
    guard Keysyms.isShifted(name), let sign = Keysyms.character(name) else { return [word] }
    return ["shift+\(word)", "\(Chord([], .symbol(sign)))"]
  }
}

/// One of the hotkeys of a rule, and what `{}` means in its actions.
struct HotkeyChoice {
  var hotkey: Hotkey
  var value: String?
  var node: YamlNode
}

/// A group of braces in a hotkey's text, which stands for several texts: `super+{1-9}`,
/// `super+{h=west,l}`.
enum HotkeyGroup {
  /// The most texts in a group.
  static let limit = 64

  /// The texts that a text with a group stands for, and their values; `nil` if the group is not
  /// valid.
  static func choices(of text: String) -> [(text: String, value: String)]? {
    guard let (before, group) = cut(text[...], at: "{"), let (list, after) = cut(group, at: "}")
    else { return nil }
    var choices: [(text: String, value: String)] = []
    var rest: Substring? = list
    while let members = rest {
      let parts = cut(members, at: ",")
      rest = parts?.after
      let member = (parts?.before ?? members).trimmed
      guard !member.isEmpty else { return nil }
      if let range = range(member) {
        choices += range.map { ("\(before)\($0)\(after)", $0) }
      } else if let (key, value) = cut(member[...], at: "="), !key.isEmpty, !value.isEmpty {
        choices.append(("\(before)\(key.trimmed)\(after)", value.trimmed))
      } else {
        // a member that begins with = is that key
        choices.append(("\(before)\(member)\(after)", member))
      }
      guard choices.count <= limit else { return nil }
    }
    return cut(after, at: "{") == nil ? choices : nil
  }

  /// The text before and after the first `sign` that does not stand in quotes; `nil` without one.
  private static func cut(
    _ text: Substring, at sign: Character
  ) -> (before: Substring, after: Substring)? {
    var rest = text
    while let next = rest.first, next != sign {
      let isQuote = next == "'" && rest.dropFirst(2).first == "'"
      rest = rest.dropFirst(isQuote ? 3 : 1)
    }
    return rest.isEmpty ? nil : (text[..<rest.startIndex], rest.dropFirst())
  }

  /// `1-9`, `a-f` or `f1-f12`; `nil` for anything else.
  private static func range(_ member: String) -> [String]? {
    let ends = member.split(separator: "-")
    guard ends.count == 2 else { return nil }
    if ends.allSatisfy({ $0.utf8.count == 1 && $0.first?.isLowercase == true }),
      let first = ends[0].utf8.first, let last = ends[1].utf8.first, first < last
    {
      return (first...last).map { String(UnicodeScalar($0)) }
    }
    let word = ends[0].prefix { $0.isLetter }
    guard ends[1].hasPrefix(word), let first = Int(ends[0].dropFirst(word.count)),
      let last = Int(ends[1].dropFirst(word.count)), 0 <= first, first < last, last < 1000
    else { return nil }
    return (first...last).prefix(limit + 1).map { "\(word)\($0)" }
  }
}
