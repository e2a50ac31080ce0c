import GlissEvents

/// Splits text into words like a POSIX shell, for tools that run commands without one.
enum ShellWords {
  /// The words; `nil` if a quote is not closed.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var escaped = false
    for character in text {
      if escaped {
        escaped = false
        if quote == "\"", character != "\"", character != "\\" { word?.append("\\") }
        word?.append(character)
        continue
      }
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""): (escaped, word) = (true, word ?? "")
      case (let mark, let open?) where mark == open: quote = nil
      case ("\"", nil), ("'", nil): (quote, word) = (character, word ?? "")
      case (_, nil) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case _:
        if word == nil { word = "" }
        word?.append(character)
      }
    }
    return quote != nil || escaped ? nil : words + [word].compactMap { $0 }
  }

  /// A word quoted so that a shell expands only the home folder and variables.
  static func quotedButForVariables(_ word: String) -> String {
    var rest = Substring(word)
    var result = ""
    // the slash of ~/ or ~name/ must not be quoted
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    if rest.first == "~", rest[..<end].unicodeScalars.dropFirst().allSatisfy(\.isOfName) {
      rest = rest[end...].drop { $0 == "/" }
      result += word[..<rest.startIndex]
    }
    if rest.isEmpty || String(rest).quotedForShell == rest { return result + rest }
    result += "\""
    var before: Character = " "
    for character in rest {
      // expand variables, but run no commands
      if before == "$", character == "(" {
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
