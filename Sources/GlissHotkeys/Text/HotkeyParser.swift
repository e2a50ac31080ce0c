import GlissEvents

extension Hotkey {
  /// The maximum length of a hotkey's text, in Unicode scalars.
  public static let longestText = 256
  /// The maximum number of chords in a sequence's text.
  public static let longestSequence = 8

  /// Parses `text` as a hotkey (docs/hotkeys.md).
  public init(_ text: String) throws(HotkeyError) {
    var parser = try HotkeyParser(text)
    self = try parser.hotkey()
  }
}

/// Builds a hotkey from the tokens of its text.
struct HotkeyParser {
  private typealias Token = HotkeyScanner.Token

  private let scanner: HotkeyScanner
  private let tokens: [Token]
  private var index = 0

  init(_ text: String) throws(HotkeyError) {
    var scanner = HotkeyScanner(text)
    tokens = try scanner.tokens()
    self.scanner = scanner
  }

  /// The next token; after the last one, the end token again.
  private var token: Token { tokens[min(index, tokens.count - 1)] }
  private var following: HotkeyScanner.Kind { tokens[min(index + 1, tokens.count - 1)].kind }

  mutating func hotkey() throws(HotkeyError) -> Hotkey {
    if token.kind == .end { throw scanner.mistake(.empty, at: 0..<0) }
    var activation = Hotkey.Activation.press
    if case .word(let word) = token.kind, following == .colon,
      word != Vocabulary.code, word != Vocabulary.character
    {
      if word == Vocabulary.tap { return try tap() }
      guard let known = Hotkey.Activation(rawValue: word) else {
        let words = Hotkey.Activation.allCases.map(\.rawValue) + [Vocabulary.tap]
        throw mistake(.unknownPrefix, word, among: words)
      }
      activation = known
      index += 2
    }
    var chords = [try chord()]
    while token.kind != .end {
      guard token.kind == .semicolon else { throw mistake(.separatorExpected) }
      guard chords.count < Hotkey.longestSequence else { throw mistake(.tooManySteps) }
      index += 1
      chords.append(try chord())
    }
    return Hotkey(chords[0], then: Array(chords.dropFirst()), activation: activation)
  }

  mutating func modifiers() throws(HotkeyError) -> ChordModifiers {
    var all: ChordModifiers = []
    while true {
      if token.kind == .end { throw mistake(.modifierExpected) }
      all.formUnion(try modifier(besides: all, orElse: .keyAmongModifiers))
      index += 1
      if token.kind == .end { return all }
      switch token.kind {
      case .plus: index += 1
      case .word, .symbol: throw mistake(.separatorExpected)
      case .semicolon, .colon, .end: throw mistake(.keyExpected)
      }
    }
  }

  private mutating func tap() throws(HotkeyError) -> Hotkey {
    index += 2
    guard case .word(let word) = token.kind else { throw mistake(.tapNeedsModifier) }
    guard let modifier = Vocabulary.modifier(word).flatMap({ TappedModifier($0) }) else {
      let isKey = Vocabulary.trigger(word) != nil
      throw mistake(
        isKey ? .tapNeedsModifier : .unknownModifier, word,
        among: isKey ? [] : Vocabulary.modifiers.map(\.word))
    }
    index += 1
    guard token.kind == .end else { throw mistake(.tapNeedsModifier) }
    return Hotkey(tap: modifier)
  }

  private mutating func chord() throws(HotkeyError) -> Chord {
    var modifiers: ChordModifiers = []
    let first = index
    while following == .plus {
      modifiers.formUnion(try modifier(besides: modifiers))
      index += 2
    }
    let start = index
    let trigger = try trigger()
    let chord = Chord(modifiers, trigger)
    guard case .symbol(let character) = trigger else { return chord }
    // a character by its number has several tokens
    let written = tokens[start].range.lowerBound..<tokens[index - 1].range.upperBound
    try check(first..<start, against: Symbol(character), at: written)
    if trigger != chord.trigger {
      let isShifted = !modifiers.isDisjoint(with: ModifierPair.shift.whole)
      let similar = "\(Chord(isShifted ? [] : .shift, trigger))"
      throw scanner.mistake(.capital, at: written, similar: [similar])
    }
    return chord
  }

  /// - Parameter problem: what is wrong if a key stands here.
  private func modifier(
    besides others: ChordModifiers, orElse problem: HotkeyMistake.Problem = .notAModifier
  ) throws(HotkeyError) -> ChordModifiers {
    guard case .word(let word) = token.kind else {
      if case .symbol = token.kind { throw mistake(problem) }
      throw mistake(.keyExpected)
    }
    guard let modifier = Vocabulary.modifier(word) else {
      if let ours = Vocabulary.foreignModifiers[word] {
        let similar = ours.split(separator: " ").map(String.init)
        throw scanner.mistake(.unknownModifier, at: token.range, similar: similar)
      }
      if Vocabulary.locks.contains(word) {
        throw mistake(problem == .notAModifier ? .lockAsModifier : problem)
      }
      if Vocabulary.trigger(word) != nil { throw mistake(problem) }
      throw mistake(.unknownModifier, word, among: Vocabulary.modifiers.map(\.word))
    }
    // `super` beside `lsuper` repeats it; `lsuper` beside `rsuper` asks for both keys.
    let isRepeated = ModifierPair.all.contains { pair in
      !others.isDisjoint(with: pair.whole) && !modifier.isDisjoint(with: pair.whole)
        && (others.contains(pair.either) || modifier == pair.either)
    }
    if isRepeated || others.contains(modifier) {
      throw mistake(.repeatedModifier)
    }
    return modifier
  }

  /// Reports the first word of a chord that names a modifier with which the layout chooses the
  /// character.
  private func check(
    _ words: Range<Int>, against symbol: Symbol, at written: Range<Int>
  ) throws(HotkeyError) {
    let isUncased = !symbol.isLetter && symbol.character.properties.isAlphabetic
    for place in words {
      guard case .word(let word) = tokens[place].kind, let modifier = Vocabulary.modifier(word),
        !symbol.choosers.isDisjoint(with: modifier)
      else { continue }
      if symbol.character == " " {
        throw scanner.mistake(.spaceAsCharacter, at: written, similar: ["space"])
      }
      throw scanner.mistake(
        isUncased && modifier != .altGr ? .shiftWithoutCapital : .modifierOfLayout,
        at: tokens[place].range)
    }
  }

  private mutating func trigger() throws(HotkeyError) -> Chord.Trigger {
    defer { index += 1 }
    switch token.kind {
    case .symbol(let character): return .symbol(character)
    case .word(let word):
      if following == .colon {
        if word == Vocabulary.code { return .key(Key(rawValue: try number(radix: 10))) }
        if word == Vocabulary.character { return .symbol(try character()) }
      }
      if let trigger = Vocabulary.trigger(word) { return trigger }
      if Vocabulary.modifier(word) != nil { throw modifierAlone }
      if let ours = Vocabulary.foreignKeys[word] {
        throw scanner.mistake(.unknownKey, at: token.range, similar: [ours])
      }
      if token.range.count == 1, scanner.written(token.range).unicodeScalars.count > 1 {
        throw mistake(.decomposed)
      }
      // no other button is meant
      let known = Vocabulary.isNumberedButton(word) ? [] : Vocabulary.keyWords
      throw mistake(.unknownKey, word, among: known)
    case .plus where following == .end:
      throw scanner.mistake(.keyExpected, at: token.range, similar: ["'+'"])
    case .plus, .semicolon, .colon, .end: throw mistake(.keyExpected)
    }
  }

  /// A modifier stands in place of a key: either the key is missing, or the separator before the
  /// next word.
  private var modifierAlone: HotkeyError {
    switch following {
    case .word, .symbol: scanner.mistake(.separatorExpected, at: tokens[index + 1].range)
    case .plus, .semicolon, .colon, .end: mistake(.modifierAlone)
    }
  }

  /// The number after the colon that follows this word.
  private mutating func number<Number: FixedWidthInteger>(
    radix: Int
  ) throws(HotkeyError) -> Number {
    index += 2
    guard case .word(let digits) = token.kind, digits.allSatisfy(\.isHexDigit),
      let number = Number(digits, radix: radix)
    else { throw scanner.mistake(.numberExpected, at: token.range, similar: numberMeant(radix)) }
    return number
  }

  /// What was meant in place of a number: another notation of it, or a key's name.
  private func numberMeant(_ radix: Int) -> [String] {
    guard case .word(let word) = token.kind else { return [] }
    var digits = word.hasPrefix("0x") ? String(word.dropFirst(2)) : word
    if radix == 10 {
      if let trigger = Vocabulary.trigger(word) { return [Chord([], trigger).description] }
      return word == digits
        ? [] : UInt16(digits, radix: 16).map { ["\(Vocabulary.code):\($0)"] } ?? []
    }
    // U+E9 has a sign in it
    if word == "u", following == .plus, case .word(let next) = tokens[index + 2].kind {
      digits = next
    }
    let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    return scalar.map { ["\(Vocabulary.character):\(String($0.value, radix: 16))"] } ?? []
  }

  private mutating func character() throws(HotkeyError) -> Unicode.Scalar {
    let number: UInt32 = try number(radix: 16)
    guard let character = Unicode.Scalar(number) else { throw mistake(.numberExpected) }
    return character
  }

  private func mistake(_ problem: HotkeyMistake.Problem) -> HotkeyError {
    scanner.mistake(problem, at: token.range)
  }

  /// The mistake in the word here, and the most similar words, unless it is a chord in another
  /// spelling. Up to a third of its letters may differ, and two may be swapped.
  private func mistake(
    _ problem: HotkeyMistake.Problem, _ word: String, among words: [String]
  ) -> HotkeyError {
    let written = scanner.written(token.range)
    let other =
      Vocabulary.respelled(written, endsWithKey: problem == .unknownKey) ?? scanner.sequence
    return scanner.mistake(
      problem, at: token.range,
      similar: other.map { [$0] } ?? Spelling.nearest(to: word, among: words))
  }
}

/// Splits the text of a hotkey into words and signs.
struct HotkeyScanner {
  enum Kind: Hashable {
    case word(String)
    /// A character between quotes.
    case symbol(Unicode.Scalar)
    case plus, semicolon, colon, end
  }

  struct Token: Hashable {
    var kind: Kind
    var range: Range<Int>
  }

  private let text: String
  private let characters: [Character]
  private var position = 0

  private static let signs: [Character: Kind] = ["+": .plus, ";": .semicolon, ":": .colon]

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  func written(_ range: Range<Int>) -> String { String(characters[range]) }

  /// The text with its commas as the separators of a sequence; `nil` unless that is a hotkey.
  var sequence: String? {
    let chords = text.split(separator: "," as Character).map { $0.filter { $0 != " " } }
    let whole = chords.joined(separator: " ; ")
    return chords.count > 1 && (try? Hotkey(whole)) != nil ? whole : nil
  }

  func mistake(
    _ problem: HotkeyMistake.Problem, at range: Range<Int>, similar: [String] = []
  ) -> HotkeyError {
    .syntax(
      HotkeyMistake(
        text: text, offset: range.lowerBound, length: max(1, range.count), problem: problem,
        similar: similar))
  }

  /// All tokens, followed by an end token.
  mutating func tokens() throws(HotkeyError) -> [Token] {
    // of scalars: a character may have any number of them
    guard text.unicodeScalars.count <= Hotkey.longestText else {
      let start = min(Hotkey.longestText, characters.count - 1)
      throw mistake(.tooLong, at: start..<characters.count)
    }
    var tokens: [Token] = []
    while true {
      let token = try next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private mutating func next() throws(HotkeyError) -> Token {
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    let start = position
    guard start < characters.count else { return Token(kind: .end, range: start..<start) }
    if let sign = Self.signs[characters[start]] {
      position += 1
      return Token(kind: sign, range: start..<position)
    }
    if characters[start] == "'" { return try symbol() }
    while position < characters.count, !endsWord(characters[position]) { position += 1 }
    let word = String(characters[start..<position]).asciiLowercased
    return Token(kind: .word(word), range: start..<position)
  }

  private func endsWord(_ character: Character) -> Bool {
    character == "'" || Self.signs[character] != nil || character.isWhitespace
  }

  private mutating func symbol() throws(HotkeyError) -> Token {
    let start = position
    guard start + 2 < characters.count, characters[start + 2] == "'",
      characters[start + 1].isPrintable, characters[start + 1].unicodeScalars.count == 1,
      let scalar = characters[start + 1].unicodeScalars.first
    else {
      let close = characters[(start + 1)...].firstIndex(of: "'")
      let isDecomposed = close == start + 2 && characters[start + 1].unicodeScalars.count > 1
      throw mistake(
        isDecomposed ? .decomposed : .characterExpected,
        at: start..<(close.map { $0 + 1 } ?? characters.count))
    }
    position += 3
    return Token(kind: .symbol(scalar), range: start..<position)
  }
}

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

  /// What other systems call our modifiers; several are separated by a blank.
  static let foreignModifiers = [
    "cmd": "super", "command": "super", "⌘": "super", "opt": "alt", "option": "alt", "⌥": "alt",
    "commandorcontrol": "ctrl", "cmdorctrl": "ctrl",
    "⇧": "shift", "⌃": "ctrl", "hyper": "super", "mod5": "altgr", "level3": "altgr",
    "iso_level3_shift": "altgr", "altgraph": "altgr", "leftalt": "alt", "rightalt": "altgr",
    "leftshift": "lshift", "rightshift": "rshift", "leftctrl": "lctrl", "rightctrl": "rctrl",
    "leftmeta": "lsuper", "rightmeta": "rsuper", "leftsuper": "lsuper", "rightsuper": "rsuper",
    // a variable in sway's files, which the user sets
    "$mod": "super alt", "windows": "super",
  ]

  /// What other systems call our keys.
  static let foreignKeys = [
    "leftsuper": "leftmeta", "rightsuper": "rightmeta", "plus": "'+'", "prior": "pageup",
    "arrowleft": "left", "arrowright": "right", "arrowup": "up", "arrowdown": "down",
    "calculator": "calc", "add": "kpplus", "mouse1": "button1",
  ]

  static let locks: Set = ["caps", "capslock", "lock", "mod2", "numlock", "scrolllock"]

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

  /// Which buttons have a number, in words.
  static var buttonWords: String { "button1 to button\(buttons.count)" }

  /// Whether `word` is `button` and a number, which no button may have.
  static func isNumberedButton(_ word: String) -> Bool {
    let digits = word.dropFirst("button".count)
    return word.hasPrefix("button") && !digits.isEmpty
      && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Other names for keys, and the characters printed on them on a QWERTY keyboard.
  private static let aliases: [(word: String, name: String)] = [
    ("escape", "KEY_ESC"), ("return", "KEY_ENTER"), ("del", "KEY_DELETE"), ("ins", "KEY_INSERT"),
    ("pgup", "KEY_PAGEUP"), ("pgdn", "KEY_PAGEDOWN"), ("period", "KEY_DOT"),
    ("printscreen", "KEY_SYSRQ"), ("prtsc", "KEY_SYSRQ"),
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
    // the capital of ı is I, and in a comparison of strings the Kelvin sign is K
    guard word.isASCII else { return nil }
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
    // Emacs and others have a letter for each modifier
    let letters = ["C": "ctrl", "M": "alt", "A": "alt", "S": "shift", "s": "super"]
    let written = word.split(whereSeparator: signs.contains).map(String.init)
    let last = written.count - 1
    let parts = written.enumerated().map {
      $0 < last ? letters[$1] ?? $1.asciiLowercased : $1.asciiLowercased
    }
    guard let last = parts.last, parts.dropLast().allSatisfy({ modifier($0) != nil }),
      endsWithKey ? parts.count > 1 && trigger(last) != nil : modifier(last) != nil
    else { return nil }
    return parts.joined(separator: "+")
  }
}

extension String {
  /// With ASCII's capitals in lower case. Unicode's rules make a k of the Kelvin sign, too.
  fileprivate var asciiLowercased: String {
    if isASCII { return lowercased() }
    return String(decoding: utf8.map { $0.isLetter ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension Character {
  /// Whether it is displayed as itself and advances the cursor by itself.
  var isPrintable: Bool { unicodeScalars.allSatisfy(\.isPlain) }
}
