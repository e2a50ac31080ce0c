import GlissYaml

/// A file's text by lines, counted as libyaml does. It is only examined when there is a mistake.
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
