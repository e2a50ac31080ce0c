import GlissEvents
import GlissHotkeys
import GlissYaml

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
