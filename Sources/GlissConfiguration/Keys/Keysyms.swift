package import GlissEvents
package import GlissHotkeys

/// X11's names of keys (keysymdef.h, XF86keysym.h), and the corresponding keys that we name
/// differently.
package enum Keysyms {
  /// The trigger for a keysym named by another tool; `nil` if no key has that name.
  ///
  /// - Parameter byCharacter: looks up letters and punctuation marks on the layout, instead of at
  ///   their QWERTY positions.
  package static func trigger(_ name: String, byCharacter: Bool = false) -> Chord.Trigger? {
    if let character = character(name) {
      if !byCharacter, let word = places[character], let trigger = trigger(word: word) {
        return trigger
      }
      return .symbol(character)
    }
    return keys[name].flatMap { trigger(word: $0) }
  }

  /// The key to press for a keysym. For a shifted character it is the key that has it with Shift,
  /// as the tools press it.
  package static func key(_ name: String) -> Key? {
    if let character = character(name) {
      let lower = character.properties.lowercaseMapping.unicodeScalars.first ?? character
      let word = places[lower] ?? shifted[lower]
      guard let word, case .key(let key)? = trigger(word: word) else { return nil }
      return key
    }
    guard case .key(let key)? = keys[name].flatMap({ trigger(word: $0) }) else { return nil }
    return key
  }

  /// What to press for a keysym: the key that ``key(_:)`` finds, or a character that QWERTY does
  /// not have.
  package static func triggerToPress(_ name: String) -> Chord.Trigger? {
    if let key = key(name) { return .key(key) }
    guard let character = character(name), character.properties.generalCategory != .control
    else { return nil }
    let lower = character.properties.lowercaseMapping.unicodeScalars
    let chord = Chord([], .symbol(lower.count == 1 ? lower.first ?? character : character))
    // a character that cannot be written in a hotkey is not on any layout
    return (try? Hotkey("\(chord)"))?.chords == [chord] ? chord.trigger : nil
  }

  /// The key, button or wheel notch with our name `word`.
  package static func trigger(word: String) -> Chord.Trigger? {
    let isWord = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "'"),
        UInt8(ascii: " "):
        false
      case _: byte < 0x80
      }
    }
    guard isWord, !word.isEmpty, let hotkey = try? Hotkey(word),
      case .chord(let chord) = hotkey.pattern, chord.modifiers.isEmpty
    else { return nil }
    return chord.trigger
  }

  /// The character that a keysym's name stands for, if it is one.
  package static func character(_ name: String) -> Unicode.Scalar? {
    let scalars = Array(name.unicodeScalars)
    if scalars.count == 1 {
      let scalar = scalars[0].properties.lowercaseMapping.unicodeScalars
      return scalar.count == 1 ? scalar.first : scalars[0]
    }
    if let found = signs[name] { return found }
    // U20AC, in the notation of XStringToKeysym
    guard scalars.first == "U", (5...7).contains(scalars.count),
      scalars.dropFirst().allSatisfy({ Character($0).isHexDigit }),
      let code = UInt32(String(name.dropFirst()), radix: 16)
    else { return nil }
    return Unicode.Scalar(code)
  }

  /// The keys that have a letter, digit or punctuation mark on QWERTY without Shift.
  private static let places: [Unicode.Scalar: String] = {
    var places: [Unicode.Scalar: String] = [:]
    for scalar in "abcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars {
      places[scalar] = String(scalar)
    }
    let signs: KeyValuePairs<Unicode.Scalar, String> = [
      "-": "minus", "=": "equal", "[": "leftbrace", "]": "rightbrace", ";": "semicolon",
      "'": "apostrophe", "`": "grave", "\\": "backslash", ",": "comma", ".": "dot",
      "/": "slash", " ": "space",
    ]
    for (sign, word) in signs { places[sign] = word }
    return places
  }()

  /// The keys that have a character on QWERTY with Shift.
  private static let shifted: [Unicode.Scalar: String] = {
    let keys = [
      "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "minus", "equal", "leftbrace", "rightbrace",
      "semicolon", "apostrophe", "grave", "backslash", "comma", "dot", "slash",
    ]
    return Dictionary(
      zip("!@#$%^&*()_+{}:\"~|<>?".unicodeScalars, keys), uniquingKeysWith: { first, _ in first })
  }()

  private static let signs: [String: Unicode.Scalar] = {
    var signs: [String: Unicode.Scalar] = [:]
    for name in ascii.split(whereSeparator: \.isWhitespace) {
      let parts = name.split(separator: ":" as Character)
      guard parts.count == 2, let code = UInt32(parts[1], radix: 16) else { continue }
      signs[String(parts[0])] = Unicode.Scalar(code)
    }
    for (index, name) in latin.split(whereSeparator: \.isWhitespace).enumerated() {
      signs[String(name)] = Unicode.Scalar(UInt32(0xa0 + index))
    }
    return signs
  }()

  private static let keys: [String: String] = {
    var keys: [String: String] = [:]
    for entry in table.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(separator: ":" as Character).map(String.init)
      if parts.count == 2 { keys[parts[0]] = parts[1] }
    }
    for number in 1...24 { keys["F\(number)"] = "f\(number)" }
    for number in 0...9 { keys["KP_\(number)"] = "kp\(number)" }
    return keys
  }()

  /// Whether a name begins like those of media keys.
  package static func isMedia(_ name: String) -> Bool { name.hasPrefix("XF86") }

  /// A known name that a misspelt one may have meant.
  package static func similar(to name: String) -> String? {
    Spelling.similar(to: name, among: names, within: 2, onlyNearest: true).first
  }

  private static let names = (Array(keys.keys) + Array(signs.keys)).sorted()
}
