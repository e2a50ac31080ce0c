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
  /// One byte per character: the character itself in ASCII, otherwise ``other``.
  private let bytes: [UInt8]
  /// Empty if each character is one byte, as in most texts: Unicode is not needed then.
  private let characters: [Character]
  private var position = 0

  /// Stands for a character beyond ASCII; no ASCII character has this value.
  private static let other: UInt8 = 0xff

  init(_ text: String) {
    self.text = text
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    characters = isPlain ? [] : Array(text)
    bytes = isPlain ? Array(text.utf8) : characters.map { $0.asciiValue ?? Self.other }
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
    guard bytes.count <= Hotkey.longestText else {
      throw mistake(.tooLong, at: Hotkey.longestText..<bytes.count)
    }
    var tokens: [Token] = []
    // Enough for a chord of three keys.
    tokens.reserveCapacity(6)
    while true {
      let token = try next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private mutating func next() throws(HotkeyError) -> Token {
    while position < bytes.count, isBlank(position) { position += 1 }
    guard position < bytes.count else {
      return Token(kind: .end, range: position..<position)
    }
    switch bytes[position] {
    case UInt8(ascii: "+"): return sign(.plus)
    case UInt8(ascii: ";"): return sign(.semicolon)
    case UInt8(ascii: ":"): return sign(.colon)
    case UInt8(ascii: "'"): return try symbol()
    case _: return word()
    }
  }

  private mutating func sign(_ kind: Kind) -> Token {
    defer { position += 1 }
    return Token(kind: kind, range: position..<position + 1)
  }

  private mutating func symbol() throws(HotkeyError) -> Token {
    let quote = UInt8(ascii: "'")
    guard position + 2 < bytes.count, bytes[position + 2] == quote,
      let scalar = printable(position + 1)
    else {
      let end = bytes[(position + 1)...].firstIndex(of: quote).map { $0 + 1 } ?? bytes.count
      throw mistake(.characterExpected, at: position..<end)
    }
    defer { position += 3 }
    return Token(kind: .symbol(scalar), range: position..<position + 3)
  }

  private mutating func word() -> Token {
    let start = position
    while position < bytes.count, !endsWord(position) { position += 1 }
    return Token(kind: .word(lowercased(start..<position)), range: start..<position)
  }

  private func lowercased(_ range: Range<Int>) -> String {
    guard characters.isEmpty else { return String(characters[range]).lowercased() }
    return String(unsafeUninitializedCapacity: range.count) { buffer in
      for place in range {
        let byte = bytes[place]
        buffer[place - range.lowerBound] = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
      }
      return range.count
    }
  }

  /// As `isWhitespace`, without Unicode table lookups for ASCII.
  private func isBlank(_ place: Int) -> Bool {
    switch bytes[place] {
    case 0x20, 0x09...0x0d: true
    case Self.other: characters[place].isWhitespace
    case _: false
    }
  }

  /// Whether the character is a blank or a sign.
  private func endsWord(_ place: Int) -> Bool {
    switch bytes[place] {
    case UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "'"): true
    case _: isBlank(place)
    }
  }

  /// The character there, if it is a single printable one.
  private func printable(_ place: Int) -> Unicode.Scalar? {
    let character =
      characters.isEmpty ? Character(Unicode.Scalar(bytes[place])) : characters[place]
    guard character.isPrintable, character.unicodeScalars.count == 1 else { return nil }
    return character.unicodeScalars.first
  }
}
