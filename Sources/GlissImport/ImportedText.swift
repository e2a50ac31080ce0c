import GlissConfiguration

/// Another tool's file, with access to lines and places.
struct ImportedText {
  let name: String
  /// Without a byte order mark.
  let bytes: [UInt8]
  /// The offset of each line.
  private let starts: [Int]

  /// - Parameter returnsEndLines: whether a carriage return without a line feed also ends a line.
  /// - Throws: if the file is not text.
  init(_ text: ConfigurationText, returnsEndLines: Bool = false) throws(Mistake) {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    name = text.name
    bytes = text.bytes.starts(with: mark) ? Array(text.bytes.dropFirst(3)) : text.bytes
    var starts = [0]
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    for (index, byte) in bytes.enumerated() {
      let isLone =
        returnsEndLines && byte == carriageReturn
        && (index + 1 == bytes.count || bytes[index + 1] != lineFeed)
      if byte == lineFeed || isLone { starts.append(index + 1) }
    }
    self.starts = starts
    if let wrong = Self.firstNoText(bytes) {
      throw Mistake(
        bytes[wrong] == 0
          ? "here is a NUL, so this is not a text file; give the file that the tool itself reads"
          : "this is not UTF-8; save the file as UTF-8 and import it again", at: place(at: wrong))
    }
  }

  /// The number of lines, including an empty last one.
  var lineCount: Int { starts.count }

  /// A line's text without its end. Lines are counted from 1.
  func line(_ number: Int) -> String {
    guard starts.indices.contains(number - 1) else { return "" }
    let end = number < starts.count ? starts[number] - 1 : bytes.count
    var line = bytes[starts[number - 1]..<end]
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// A line as quoted beside a rule.
  func source(_ number: Int) -> ImportedFile.SourceLine {
    ImportedFile.SourceLine(
      file: Self.lastComponent(of: name), number: number, text: line(number).trimmed)
  }

  func place(at offset: Int) -> Place {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = bytes[starts[low]..<min(max(offset, starts[low]), bytes.count)]
    return Place(
      file: name, line: low + 1, column: String(decoding: before, as: UTF8.self).count + 1)
  }

  /// The first place of `word` in a line, or else the beginning of the line's text.
  func place(of word: String, line number: Int) -> Place {
    let characters = Array(line(number))
    let wanted = Array(word)
    var column = (characters.firstIndex { !$0.isWhitespace } ?? 0) + 1
    if !wanted.isEmpty, wanted.count <= characters.count {
      for start in 0...(characters.count - wanted.count)
      where characters[start..<(start + wanted.count)].elementsEqual(wanted) {
        column = start + 1
        break
      }
    }
    return Place(file: name, line: number, column: column)
  }

  private static func lastComponent(of path: String) -> String {
    path.split(separator: "/" as Character).last.map(String.init) ?? path
  }

  private static func firstNoText(_ bytes: [UInt8]) -> Int? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        if scalar.value == 0 { return offset }
        offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return min(offset, bytes.count - 1)
      }
    }
  }
}

extension String {
  /// Without leading and trailing blanks.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }

  /// As quoted in a message: tabs become blanks, and a sign marks line ends.
  var onOneLine: String {
    guard utf8.contains(where: { (0x09...0x0d).contains($0) }) else { return self }
    return split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
      .map { $0.split(separator: "\t" as Character, omittingEmptySubsequences: false) }
      .map { String($0.joined(separator: " ")).trimmed }.filter { !$0.isEmpty }
      .joined(separator: " ⏎ ")
  }

  func has(_ word: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: word.utf8) }
  }

  /// The words between blanks.
  var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}

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
