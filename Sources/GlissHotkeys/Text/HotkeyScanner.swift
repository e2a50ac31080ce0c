/// Cuts the text of a hotkey into words and signs.
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
  /// Each character is one byte: there is nothing to ask Unicode about, and most texts are like this.
  private let isPlain: Bool
  private var position = 0

  init(_ text: String) {
    self.text = text
    isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    characters =
      isPlain ? text.utf8.map { Character(Unicode.Scalar($0)) } : Array(text)
  }

  func mistake(
    _ problem: HotkeyMistake.Problem, at range: Range<Int>, similar: [String] = []
  ) -> HotkeyError {
    .syntax(
      HotkeyMistake(
        text: text, offset: range.lowerBound, length: max(1, range.count), problem: problem,
        similar: similar))
  }

  /// All of it, with an end after it.
  mutating func tokens() throws(HotkeyError) -> [Token] {
    guard characters.count <= Hotkey.longestText else {
      throw mistake(.tooLong, at: Hotkey.longestText..<characters.count)
    }
    var tokens: [Token] = []
    while true {
      let token = try next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private mutating func next() throws(HotkeyError) -> Token {
    while position < characters.count, characters[position].isBlank { position += 1 }
    guard position < characters.count else {
      return Token(kind: .end, range: position..<position)
    }
    switch characters[position] {
    case "+": return sign(.plus)
    case ";": return sign(.semicolon)
    case ":": return sign(.colon)
    case "'": return try symbol()
    case _: return word()
    }
  }

  private mutating func sign(_ kind: Kind) -> Token {
    defer { position += 1 }
    return Token(kind: kind, range: position..<position + 1)
  }

  private mutating func symbol() throws(HotkeyError) -> Token {
    let rest = characters[position...].prefix(3)
    guard rest.count == 3, rest.last == "'", let character = rest.dropFirst().first,
      character.isPrintable, let scalar = character.unicodeScalars.first,
      character.unicodeScalars.count == 1
    else {
      let end = characters[(position + 1)...].firstIndex(of: "'").map { $0 + 1 } ?? characters.count
      throw mistake(.characterExpected, at: position..<end)
    }
    defer { position += 3 }
    return Token(kind: .symbol(scalar), range: position..<position + 3)
  }

  private mutating func word() -> Token {
    let start = position
    while position < characters.count, !characters[position].endsWord { position += 1 }
    let word =
      isPlain
      ? String(Substring(text.utf8.dropFirst(start).prefix(position - start)))
      : String(characters[start..<position])
    return Token(kind: .word(word.lowercased()), range: start..<position)
  }
}

extension Character {
  /// The same as `isWhitespace`, without asking Unicode's tables about ASCII.
  fileprivate var isBlank: Bool {
    guard let byte = asciiValue else { return isWhitespace }
    return byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// It is a blank or a sign.
  fileprivate var endsWord: Bool {
    self == "+" || self == ";" || self == ":" || self == "'" || isBlank
  }
}
