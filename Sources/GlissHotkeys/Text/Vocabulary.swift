import GlissEvents

/// The words used in hotkeys, in lower case. Of several words for one thing, all are read, and the
/// first is used when a hotkey is written.
enum Vocabulary {
  static let modifiers: [(word: String, modifier: ChordModifiers)] = [
    ("super", .super), ("lsuper", .leftSuper), ("rsuper", .rightSuper),
    ("ctrl", .control), ("lctrl", .leftControl), ("rctrl", .rightControl),
    ("alt", .alt), ("altgr", .altGr),
    ("shift", .shift), ("lshift", .leftShift), ("rshift", .rightShift),
    ("meta", .super), ("win", .super), ("mod4", .super), ("control", .control), ("mod1", .alt),
    ("lalt", .alt), ("ralt", .altGr),
  ]

  /// What other systems call our modifiers.
  static let foreignModifiers = [
    "cmd": "super", "command": "super", "⌘": "super", "opt": "alt", "option": "alt", "⌥": "alt",
    "⇧": "shift", "⌃": "ctrl",
  ]

  static let tap = "tap"
  /// Prefix of a key's number.
  static let code = "code"
  /// Prefix of a character's code point, in hex.
  static let character = "char"

  static let wheel: [(word: String, direction: WheelDirection)] = [
    ("wheelup", .up), ("wheeldown", .down), ("wheelleft", .left), ("wheelright", .right),
  ]

  /// Mouse buttons: the first three are numbered as in X11, then the side buttons follow. X11's 4
  /// to 7 are the wheel, which has its own words here.
  private static let buttons: [(word: String, key: Key)] = [
    Key.leftButton, .middleButton, .rightButton, .sideButton, .extraButton, .forwardButton,
    .backButton, .taskButton,
  ].enumerated().map { ("button\($0 + 1)", $1) }

  /// Other names for keys, and the characters printed on them on a QWERTY keyboard.
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

  /// The key, button or notch called `word`, which must be in lower case.
  static func trigger(_ word: String) -> Chord.Trigger? {
    if let trigger = ownWords[word] { return trigger }
    let name = word.uppercased()
    let isWhole = name.hasPrefix("KEY_") || name.hasPrefix("BTN_")
    return Key(name: isWhole ? name : "KEY_" + name).map { .key($0) }
  }

  /// Things that have another name here than in the kernel.
  private static let ownWords: [String: Chord.Trigger] = {
    var words: [String: Chord.Trigger] = [:]
    for (word, direction) in wheel { words[word] = .wheel(direction) }
    for (word, key) in buttons { words[word] = .key(key) }
    for (word, name) in aliases { words[word] = Key(name: name).map { .key($0) } }
    return words
  }()

  /// How `key` is written: its name, or `code:` and its number if it has none.
  static func word(for key: Key) -> String {
    if let button = buttons.first(where: { $0.key == key }) { return button.word }
    let name = key.name
    // A name derived from the number may be the name of another key.
    guard Key(name: name) == key else { return "\(code):\(key.rawValue)" }
    return (name.hasPrefix("KEY_") ? String(name.dropFirst(4)) : name).lowercased()
  }

  /// How `character` is written: between quotes, unless it cannot be shown there as itself.
  static func word(for character: Unicode.Scalar) -> String {
    let quoted = "'\(character)'"
    return quoted.count == 3 && quoted.allSatisfy(\.isPrintable)
      ? quoted : "\(Self.character):\(String(character.value, radix: 16))"
  }

  static func word(for direction: WheelDirection) -> String {
    wheel.first { $0.direction == direction }?.word ?? ""
  }

  static func words(for modifiers: ChordModifiers) -> [String] {
    var rest = modifiers
    return Self.modifiers.compactMap { word, modifier in
      rest.isDisjoint(with: modifier) ? nil : (rest.remove(modifier), word).1
    }
  }

  /// Every word for a key, except those that are a single character.
  static let keyWords: [String] =
    wheel.map(\.word) + buttons.map(\.word) + aliases.map(\.word).filter { $0.utf8.count > 1 }
    + (0..<0x300).map { Key(rawValue: $0) }.filter { Key(name: $0.name) == $0 }.map(word)

  /// Rewrites a chord in another program's notation, with dashes or with modifiers in angle
  /// brackets, in ours; `nil` if its parts are unknown.
  ///
  /// - Parameter endsWithKey: the last part is a key, not another modifier.
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
