import GlissEvents

/// The words of hotkeys, in lower case; the first for a thing is the one it is written with.
enum Vocabulary {
  static let modifiers: [(word: String, modifier: ChordModifiers)] = [
    ("super", .super), ("lsuper", .leftSuper), ("rsuper", .rightSuper),
    ("ctrl", .control), ("lctrl", .leftControl), ("rctrl", .rightControl),
    ("alt", .alt), ("altgr", .altGr),
    ("shift", .shift), ("lshift", .leftShift), ("rshift", .rightShift),
    ("meta", .super), ("win", .super), ("mod4", .super), ("control", .control), ("mod1", .alt),
    ("lalt", .alt), ("ralt", .altGr),
  ]

  static let activations: [(word: String, activation: Hotkey.Activation)] = [
    ("press", .press), ("release", .release), ("repeat", .repeat),
  ]
  static let tap = "tap"
  /// Before the number of a key.
  static let code = "code"
  /// Before the code point of a character, in hex.
  static let character = "char"

  static let wheel: [(word: String, direction: WheelDirection)] = [
    ("wheelup", .up), ("wheeldown", .down), ("wheelleft", .left), ("wheelright", .right),
  ]

  /// Those of a mouse: the first three are numbered as X11 numbers them, then the sides follow. X11's 4 to 7 are the
  /// wheel, which has its own words here.
  private static let buttons: [(word: String, key: Key)] = [
    Key.leftButton, .middleButton, .rightButton, Key(rawValue: 0x113), Key(rawValue: 0x114),
    Key(rawValue: 0x115), Key(rawValue: 0x116), Key(rawValue: 0x117),
  ].enumerated().map { ("button\($0 + 1)", $1) }

  /// What else keys are called, and what is printed on them in QWERTY's place.
  private static let aliases: [(word: String, name: String)] = [
    ("escape", "KEY_ESC"), ("return", "KEY_ENTER"), ("del", "KEY_DELETE"), ("ins", "KEY_INSERT"),
    ("pgup", "KEY_PAGEUP"), ("pgdn", "KEY_PAGEDOWN"), ("period", "KEY_DOT"),
    ("bracketleft", "KEY_LEFTBRACE"), ("bracketright", "KEY_RIGHTBRACE"),
    ("-", "KEY_MINUS"), ("=", "KEY_EQUAL"), ("[", "KEY_LEFTBRACE"), ("]", "KEY_RIGHTBRACE"),
    ("\\", "KEY_BACKSLASH"), (",", "KEY_COMMA"), (".", "KEY_DOT"), ("/", "KEY_SLASH"),
    ("`", "KEY_GRAVE"),
  ]

  static func modifier(_ word: String) -> ChordModifiers? {
    modifiers.first { $0.word == word }?.modifier
  }

  /// The key, button or notch called `word`, which is in lower case.
  static func trigger(_ word: String) -> Chord.Trigger? {
    if let trigger = ownWords[word] { return trigger }
    let name = word.uppercased()
    let isWhole = name.hasPrefix("KEY_") || name.hasPrefix("BTN_")
    return Key(name: isWhole ? name : "KEY_" + name).map { .key($0) }
  }

  /// What is called otherwise than the kernel calls it.
  private static let ownWords: [String: Chord.Trigger] = {
    var words: [String: Chord.Trigger] = [:]
    for (word, direction) in wheel { words[word] = .wheel(direction) }
    for (word, key) in buttons { words[word] = .key(key) }
    for (word, name) in aliases { words[word] = Key(name: name).map { .key($0) } }
    return words
  }()

  /// How `key` is written; `code:` and its number where it has no name.
  static func word(for key: Key) -> String {
    if let button = buttons.first(where: { $0.key == key }) { return button.word }
    let name = key.name
    // a name made of the number may be that of another key
    guard Key(name: name) == key else { return "\(code):\(key.rawValue)" }
    return (name.hasPrefix("KEY_") ? String(name.dropFirst(4)) : name).lowercased()
  }

  /// How `character` is written: between quotes, unless it would not stand there as itself.
  static func word(for character: Unicode.Scalar) -> String {
    let quoted = "'\(character)'"
    return quoted.count == 3 && quoted.allSatisfy(\.isPrintable)
      ? quoted : "\(Self.character):\(String(character.value, radix: 16))"
  }

  static func word(for direction: WheelDirection) -> String {
    switch direction {
    case .up: "wheelup"
    case .down: "wheeldown"
    case .left: "wheelleft"
    case .right: "wheelright"
    }
  }

  static func words(for modifiers: ChordModifiers) -> [String] {
    var rest = modifiers
    return Self.modifiers.compactMap { word, modifier in
      rest.isDisjoint(with: modifier) ? nil : (rest.remove(modifier), word).1
    }
  }

  /// Every word that can stand for a key, but for those that are one character.
  static let keyWords: [String] =
    wheel.map(\.word) + buttons.map(\.word) + aliases.map(\.word).filter { $0.utf8.count > 1 }
    + (0..<0x300).map { Key(rawValue: $0) }.filter { Key(name: $0.name) == $0 }.map(word)

  /// A chord as other programs write it, with dashes or with its modifiers between angle brackets, in our own way; `nil`
  /// where its parts are none of ours.
  ///
  /// - Parameter endsWithKey: the last part is a key, and not one more modifier.
  static func respelled(_ word: String, endsWithKey: Bool) -> String? {
    let signs: [Character] = ["-", "<", ">"]
    guard word.contains(where: signs.contains) else { return nil }
    let parts = word.split(whereSeparator: signs.contains).map(String.init)
    guard let last = parts.last, parts.dropLast().allSatisfy({ modifier($0) != nil }),
      endsWithKey ? parts.count > 1 && trigger(last) != nil : modifier(last) != nil
    else { return nil }
    return parts.joined(separator: "+")
  }
}
