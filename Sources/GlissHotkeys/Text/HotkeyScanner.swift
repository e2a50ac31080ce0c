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
    while position < characters.count, characters[position].isWhitespace { position += 1 }
    let start = position
    guard start < characters.count else { return Token(kind: .end, range: start..<start) }
    if let sign = Self.signs[characters[start]] {
      position += 1
      return Token(kind: sign, range: start..<position)
    }
    if characters[start] == "'" { return try symbol() }
    while position < characters.count, !endsWord(characters[position]) { position += 1 }
    let word = String(characters[start..<position]).lowercased()
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
      let end = characters[(start + 1)...].firstIndex(of: "'").map { $0 + 1 } ?? characters.count
      throw mistake(.characterExpected, at: start..<end)
    }
    position += 3
    return Token(kind: .symbol(scalar), range: start..<position)
  }
}
