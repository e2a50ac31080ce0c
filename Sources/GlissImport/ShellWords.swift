/// Splits text into words like a POSIX shell, for tools that run commands without one.
enum ShellWords {
  /// The words; `nil` if a quote is not closed.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word = ""
    var isWord = false
    var quote: Character?
    var escaped = false
    for character in text {
      if escaped {
        escaped = false
        if quote == "\"", character != "\"", character != "\\" { word.append("\\") }
        word.append(character)
        continue
      }
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): (escaped, isWord) = (true, true)
      case (let mark, let open?) where mark == open: quote = nil
      case ("\"", nil), ("'", nil): (quote, isWord) = (character, true)
      case (_, nil) where character.isWhitespace:
        if isWord { words.append(word) }
        (word, isWord) = ("", false)
      case _:
        word.append(character)
        isWord = true
      }
    }
    if quote != nil || escaped { return nil }
    return isWord ? words + [word] : words
  }

  /// A word quoted so that a shell takes it literally.
  static func quoted(_ word: String) -> String {
    let isSafe = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "%"),
        UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: ","), UInt8(ascii: ":"):
        true
      case _: false
      }
    }
    if isSafe, !word.isEmpty { return word }
    var result = "'"
    for character in word { result += character == "'" ? "'\\''" : String(character) }
    return result + "'"
  }

  /// The end of `~/` or `~name/`, whose slash must not be quoted; `nil` if `word` does not begin
  /// with a home folder.
  private static func endOfHome(_ word: Substring) -> Substring.Index? {
    guard word.first == "~" else { return nil }
    let end = word.firstIndex(of: "/") ?? word.endIndex
    let isName = word[..<end].dropFirst().utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      case _: false
      }
    }
    return isName ? word[end...].firstIndex { $0 != "/" } ?? word.endIndex : nil
  }

  /// A word quoted so that a shell expands only the home folder and variables.
  static func quotedButForVariables(_ word: String) -> String {
    var rest = Substring(word)
    var result = ""
    if let end = endOfHome(rest) {
      result += rest[..<end]
      rest = rest[end...]
    }
    if rest.isEmpty || quoted(String(rest)) == rest { return result + rest }
    result += "\""
    var before: Character = " "
    for character in rest {
      if before == "$", character == "(" {
        // expand variables, but run no commands
        result.removeLast()
        result += "\\$"
      }
      if character == "\"" || character == "\\" || character == "`" { result += "\\" }
      result.append(character)
      before = character
    }
    return result + "\""
  }
}
