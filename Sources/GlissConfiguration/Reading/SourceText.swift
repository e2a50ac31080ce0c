import GlissYaml

/// A file's text by lines, as libyaml counts them. It is examined only if there is a mistake.
final class SourceText {
  let name: String
  private let bytes: [UInt8]
  private lazy var starts = YamlMark.lineStarts(in: bytes)
  /// The last line requested, because many mistakes may be on one line.
  private var last: (number: Int, text: String)?

  init(_ file: ConfigurationText) {
    name = file.name
    bytes = file.bytes
  }

  /// The line with this number, counted from 0, without its end.
  func line(_ number: Int) -> String {
    if let last, last.number == number { return last.text }
    guard starts.indices.contains(number) else { return "" }
    let end = number + 1 < starts.count ? starts[number + 1] : bytes.count
    var line = bytes[starts[number]..<end]
    while let byte = line.last, byte == 0x0a || byte == 0x0d { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    last = (number, text)
    return text
  }

  /// A mistake at `mark` that extends over `length` characters.
  func mistake(
    _ message: String, at mark: YamlMark, length: Int, severity: Mistake.Severity = .error
  ) -> Mistake {
    Mistake(
      message, at: Place(file: name, line: mark.line + 1, column: mark.column + 1),
      length: max(1, length), source: line(mark.line), severity: severity)
  }

  /// What libyaml refused, in our words.
  func mistake(_ error: YamlError) -> Mistake {
    let mark = error.mark ?? YamlMark(line: 0, column: 0)
    var message = YamlSentences.sentence(error.problem, in: line(mark.line), at: mark.column)
    // brackets that are never closed are noticed far below
    if error.problem.hasPrefix("did not find expected ','"), let start = error.context,
      start.line != mark.line
    {
      message += "; what is open here begins in line \(start.line + 1)"
    }
    return mistake(message, at: mark, length: 1)
  }

  /// The columns of the characters at `range` of a scalar's text; `nil` if the scalar has several
  /// lines.
  func columns(
    of range: Range<Int>, in text: String, style: YamlDocument.Style, from start: YamlMark,
    to end: YamlMark
  ) -> Range<Int>? {
    guard start.line == end.line, style != .block else { return nil }
    let line = Array(line(start.line).unicodeScalars)
    guard end.column <= line.count, start.column <= end.column else { return nil }
    var walk = ScalarWalk(characters: line[start.column..<end.column], style: style)
    let first = Self.scalars(before: range.lowerBound, in: text)
    let beyond = Self.scalars(before: range.upperBound, in: text)
    for _ in 0..<first { walk.step() }
    let from = walk.place
    for _ in first..<max(first, beyond) { walk.step() }
    return from..<max(from + 1, walk.place)
  }

  /// The number of scalars in the first `count` characters of `text`. Characters beyond its end
  /// count one each.
  private static func scalars(before count: Int, in text: String) -> Int {
    let known = text.prefix(count)
    return known.unicodeScalars.count + max(0, count - known.count)
  }
}

/// Walks over a scalar as written in the file, one character of its value at a time.
private struct ScalarWalk {
  private let characters: ArraySlice<Unicode.Scalar>
  private let style: YamlDocument.Style
  /// The column of the next character.
  private(set) var place: Int

  init(characters: ArraySlice<Unicode.Scalar>, style: YamlDocument.Style) {
    self.characters = characters
    self.style = style
    place = characters.startIndex
    // skip an anchor or a tag, which belongs to the scalar
    while place < characters.endIndex, characters[place] == "&" || characters[place] == "!" {
      while place < characters.endIndex, characters[place] != " " { place += 1 }
      while place < characters.endIndex, characters[place] == " " { place += 1 }
    }
    if style != .plain { place += 1 }
  }

  mutating func step() {
    guard place < characters.endIndex else { return place += 1 }
    switch (style, characters[place]) {
    case (.singleQuoted, "'"): place += 2
    case (.doubleQuoted, "\\"): place += escapeLength
    case _: place += 1
    }
  }

  private var escapeLength: Int {
    guard place + 1 < characters.endIndex else { return 1 }
    return switch characters[place + 1] {
    case "x": 4
    case "u": 6
    case "U": 10
    case _: 2
    }
  }
}

/// Turns libyaml's messages into words for people who rarely write YAML.
private enum YamlSentences {
  /// - Parameters:
  ///   - line: the text of the line.
  ///   - column: the column in that line, in characters from 0.
  static func sentence(_ problem: String, in line: String, at column: Int) -> String {
    let text = line.unicodeScalars
    let before = text.prefix(column)
    switch problem {
    case "found character that cannot start any token":
      guard let sign = text.dropFirst(column).first, sign != "\t" else { return tab }
      return "text cannot begin with \(sign): put it in quotes"
    case "mapping values are not allowed in this context": return colonSentence(before)
    case _:
      let known = table.first { problem == $0.problem }
      return known?.sentence ?? "not YAML: \(problem)"
    }
  }

  /// A key in the wrong place. `before` is what the line has before the colon.
  private static func colonSentence(_ before: Substring.UnicodeScalarView) -> String {
    let start = before.drop { $0 == " " }
    if start.first == "-", let next = start.dropFirst().first, next != " " {
      return "put a blank after the list's dash"
    }
    let colon = before.lastIndex(of: ":")
    if let colon, !before[before.index(after: colon)...].starts(with: " ".unicodeScalars) {
      return "put a blank after the colon before this"
    }
    guard colon == nil else {
      return "a colon makes no key here: text with a colon and a blank needs quotes"
    }
    return "no key can stand here: keys of one mapping begin in the same column, and the line"
      + " before needs a colon and a blank behind its key"
  }

  private static let tab = "a tab cannot indent: use spaces"

  private static let table: [(problem: String, sentence: String)] = [
    ("found a tab character that violates indentation", tab),
    ("found a tab character where an indentation space is expected", tab),
    (
      "block sequence entries are not allowed in this context",
      "a list's dash cannot stand here: it begins a line of its own"
    ),
    (
      "could not find expected ':'",
      "a colon is missing: a key is followed by : and a blank"
    ),
    (
      "did not find expected key",
      "a key was expected in this column: those of one mapping begin in the same one"
    ),
    (
      "did not find expected '-' indicator",
      "a list goes on with - in the same column; what belongs to an item is indented further"
    ),
    ("did not find expected ',' or ']'", "a list in brackets goes on with , or ends with ]"),
    (
      "did not find expected ',' or '}'",
      "a mapping in braces goes on with , or ends with }; in it, text with , { } [ ] or a colon and a blank needs quotes"
    ),
    (
      "did not find expected node content",
      "a value was expected here: text that begins with a sign such as % needs quotes, or a [ or { above is not closed"
    ),
    (
      "did not find expected alphabetic or numeric character",
      "text that begins with * or & needs quotes"
    ),
    (
      "did not find expected <document start>",
      "unexpected text after the end of the mapping: a file is one mapping"
    ),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found unexpected document indicator", "a quote is opened and never closed"),
    ("found unknown escape character", "invalid escape: a backslash is written \\\\ here"),
    (
      "found undefined alias",
      "undefined alias: it stands for what &NAME marks before it"
    ),
    (
      "found an alias within what it stands for", "an alias cannot be part of what it stands for"
    ),
    ("control characters are not allowed", "control characters are not allowed in the file"),
    ("invalid leading UTF-8 octet", notUTF8), ("invalid trailing UTF-8 octet", notUTF8),
    ("incomplete UTF-8 octet sequence", notUTF8), ("invalid length of a UTF-8 sequence", notUTF8),
    ("invalid Unicode character", notUTF8),
  ]

  private static let notUTF8 = "this is not UTF-8: save the file in that encoding"
}
