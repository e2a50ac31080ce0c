import GlissEvents
import GlissYaml

/// A mistake in a file, with its place, and what to do about it.
package struct Mistake: Error, Hashable, Sendable {
  package var place: Place
  /// What is wrong and what was expected, in one or two sentences.
  package var message: String
  /// How many characters are marked, from the place on.
  package var length: Int
  package var source: String?
  package var severity: Severity

  package enum Severity: Hashable, Sendable {
    case error
    case warning
  }

  package init(
    _ message: String, at place: Place, length: Int = 1, source: String? = nil,
    severity: Severity = .error
  ) {
    self.message = message
    self.place = place
    self.length = length
    self.source = source
    self.severity = severity
  }
}

extension Mistake {
  /// The mistake with its line, if that is in one of the texts.
  package func shown(in texts: [ConfigurationText]) -> Mistake {
    guard source == nil, let text = texts.first(where: { $0.name == place.file }) else {
      return self
    }
    var mistake = self
    mistake.source = SourceText(text).line(place.line - 1)
    return mistake
  }
}

package struct ConfigurationText: Hashable, Sendable {
  package var name: String
  package var bytes: [UInt8]
  /// One of the system's files. Its rules give way to user rules with the same trigger.
  package var isSystem: Bool

  package init(name: String, bytes: [UInt8], isSystem: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.isSystem = isSystem
  }
}

/// The result of reading files: the configuration, unless there was an error, and all mistakes in
/// order.
package struct ConfigurationReading: Hashable, Sendable {
  package var configuration: Configuration?
  package var mistakes: [Mistake]

  package init(configuration: Configuration?, mistakes: [Mistake]) {
    self.configuration = configuration
    self.mistakes = mistakes
  }
}

/// The mistakes that are reported: a limited number of errors, and separately of warnings.
struct MistakeList {
  static let most = 1000

  private(set) var all: [Mistake] = []
  private(set) var errors = 0

  /// Whether no more mistakes of that kind are reported.
  func isFull(_ severity: Mistake.Severity) -> Bool {
    switch severity {
    case .error: errors >= Self.most
    case .warning: all.count - errors >= Self.most
    }
  }

  mutating func append(_ mistake: Mistake) {
    guard !isFull(mistake.severity) else { return }
    if mistake.severity == .error { errors += 1 }
    all.append(mistake)
  }
}

extension Mistake {
  /// The most columns of a line to show. A longer line is cut around the mistake.
  private static let widest = 160

  /// The mistake as lines for people, without line ends: place and message, the line of the file,
  /// and a mark under the mistake.
  ///
  /// The text contains nothing that controls a terminal, whatever the file has.
  package var lines: [String] {
    let word = severity == .error ? "error" : "warning"
    let head = "\(place): \(word): \(message)".replacing("\t", with: " ").printable
    guard let source, !source.allSatisfy(\.isWhitespace) else { return [head] }
    return [head] + picture(of: Array(source.unicodeScalars))
  }

  private func picture(of line: [Unicode.Scalar]) -> [String] {
    let column = min(max(place.column, 1) - 1, line.count)
    // show the mark and its surroundings
    let start = column > Self.widest * 3 / 4 ? column - Self.widest / 2 : 0
    let end = min(line.count, start + Self.widest)
    var shown = start > 0 ? "…" : ""
    var margin = start > 0 ? " " : ""
    for scalar in line[start..<min(column, end)] {
      shown += scalar.shown
      margin += scalar == "\t" ? "\t" : String(repeating: " ", count: scalar.columns)
    }
    var mark = ""
    for (index, scalar) in line[min(column, end)..<end].enumerated() {
      shown += scalar.shown
      if index < length {
        mark += String(repeating: "~", count: scalar == "\t" ? 1 : scalar.columns)
      }
    }
    if end < line.count { shown += "…" }
    return ["  " + shown, "  " + margin + "^" + mark.dropFirst()]
  }
}

extension [Mistake] {
  package var text: String { flatMap(\.lines).joined(separator: "\n") }

  package mutating func sort(by files: [String]) {
    let order = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    func key(_ place: Place) -> (Int, Int, Int) {
      (order[place.file] ?? 0, place.line, place.column)
    }
    sort(by: { key($0.place) < key($1.place) })
  }

  /// How many there are, in words: 2 mistakes, 1 warning.
  package var summary: String {
    let errors = count { $0.severity == .error }
    return [(errors, "mistake"), (count - errors, "warning")].filter { $0.0 > 0 }
      .map { number, what in
        // more may not have been collected
        (number >= MistakeList.most ? "at least " : "") + counted(number, what)
      }.joined(separator: ", ")
  }
}

extension Unicode.Scalar {
  /// How it is shown: tabs and visible characters as themselves.
  fileprivate var shown: String {
    self == "\t" ? "\t" : printable.map { String(Character($0)) } ?? ""
  }

  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    case _: break
    }
    return isWide ? 2 : 1
  }

  /// East Asian characters and emoji, which terminals show at double width.
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
      0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff00...0xff60, 0xffe0...0xffe6, 0x1b000...0x1b2ff, 0x1f300...0x1f64f, 0x1f680...0x1f6ff,
      0x1f900...0x1f9ff, 0x1fa70...0x1faff, 0x20000...0x3fffd:
      true
    case _: false
    }
  }
}

/// A file's text by lines, as libyaml counts them. It is examined only if there is a mistake.
final class SourceText {
  let name: String
  let bytes: [UInt8]
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
    let line = line(mark.line)
    let marked = line.unicodeScalars.dropFirst(mark.column).prefix(length)
    return Mistake(
      message + (severity == .error ? Self.advice(on: marked) : ""),
      at: Place(file: name, line: mark.line + 1, column: mark.column + 1), length: max(1, length),
      source: line, severity: severity)
  }

  /// What to write for signs that look like those of YAML, as the end of a sentence.
  private static func advice(on text: some Sequence<Unicode.Scalar>) -> String {
    for (place, sign) in text.enumerated() {
      switch sign {
      // elsewhere it may be meant
      case "\u{2018}"..."\u{201e}" where place > 0: continue
      case "\u{201c}", "\u{201d}", "\u{201e}": return "; \(sign) is a typographic quote: write \""
      case "\u{2018}", "\u{2019}", "\u{201a}": return "; \(sign) is a typographic quote: write '"
      case _:
        if let name = noBreakSpace(sign) { return "; \(name) stands here: write a blank" }
      }
    }
    return ""
  }

  /// What libyaml refused, in our words. It often notices a missing blank only in the next line,
  /// but that line may as well be text, which may have anything.
  func mistake(_ error: YamlError) -> Mistake {
    let mark = error.mark ?? YamlMark(line: 0, column: 0)
    if let slip = self.slip(error.problem, at: mark) {
      return mistake(slip.advice, at: slip.mark, length: 1)
    }
    var message = YamlSentences.sentence(error.problem, in: line(mark.line), at: mark.column)
    // brackets that are never closed are noticed far below
    if error.problem.hasPrefix("did not find expected ','"), let start = error.context,
      start.line != mark.line
    {
      message += "; what is open here begins in line \(start.line + 1)"
    }
    if let sign = slipAbove(error.problem, at: mark) {
      message += "; or is a blank missing after the \(sign) in line \(mark.line)?"
    }
    let rest = line(mark.line).unicodeScalars.enumerated().dropFirst(mark.column + 1)
    for (column, sign) in rest {
      guard let name = Self.noBreakSpace(sign) else { continue }
      message += "; \(name) stands in column \(column + 1): write a blank"
      break
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
    var place = start.column
    // skip an anchor or a tag, which belongs to the scalar
    while place < end.column, line[place] == "&" || line[place] == "!" {
      while place < end.column, line[place] != " " { place += 1 }
      while place < end.column, line[place] == " " { place += 1 }
    }
    if style != .plain { place += 1 }
    func step(_ count: Int) -> Int {
      for _ in 0..<count {
        switch (style, place < end.column ? line[place] : " ") {
        case (.singleQuoted, "'"): place += 2
        case (.doubleQuoted, "\\") where place + 1 < end.column:
          place += Self.escapes[line[place + 1]] ?? 2
        case _: place += 1
        }
      }
      return place
    }
    let first = Self.scalars(before: range.lowerBound, in: text)
    let beyond = Self.scalars(before: range.upperBound, in: text)
    let from = step(first)
    return from..<max(from + 1, step(max(0, beyond - first)))
  }

  /// How long an escape is, by the sign after the backslash; others have two characters.
  private static let escapes: [Unicode.Scalar: Int] = ["x": 4, "u": 6, "U": 10]

  /// The number of scalars in the first `count` characters of `text`. Characters beyond its end
  /// count one each.
  private static func scalars(before count: Int, in text: String) -> Int {
    let known = text.prefix(count)
    return known.unicodeScalars.count + max(0, count - known.count)
  }
}

/// Turns libyaml's messages into words for people who rarely write YAML.
private enum YamlSentences {
  static func sentence(_ problem: String, in line: String, at column: Int) -> String {
    let text = line.unicodeScalars
    let before = text.prefix(column)
    switch problem {
    case "found character that cannot start any token":
      guard let sign = text.dropFirst(column).first, sign != "\t" else { return tab }
      return "text cannot begin with \(sign): put it in quotes"
    case "mapping values are not allowed in this context": return colonSentence(before)
    case _ where problem.hasPrefix("nested deeper") || problem.hasPrefix("the aliases stand"):
      return "\(problem), the most that gliss reads"
    case _: return table[problem] ?? "not YAML: \(problem)"
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
      return
        "a colon makes no key here: a key and its value in a line need braces, and text with a colon and a blank needs quotes"
    }
    return "no key can stand here: keys of one mapping begin in the same column, and the line"
      + " before needs a colon and a blank behind its key"
  }

  private static let tab = "a tab cannot indent: use spaces"

  private static let table = [
    "found a tab character that violates indentation": tab,
    "found a tab character where an indentation space is expected": tab,
    "block sequence entries are not allowed in this context":
      "a list's dash cannot stand here: it begins a line of its own",
    "could not find expected ':'": "a colon is missing: a key is followed by : and a blank",
    "did not find expected key":
      "a key was expected in this column: all keys of a mapping begin in the same column",
    "did not find expected '-' indicator":
      "a list goes on with - in the same column; what belongs to an item is indented further",
    "did not find expected ',' or ']'": "a list in brackets goes on with , or ends with ]",
    "did not find expected ',' or '}'":
      "a mapping in braces goes on with , or ends with }; in it, text with , { } [ ] or a colon and a blank needs quotes",
    "did not find expected node content":
      "a value was expected here: text that begins with a sign such as % needs quotes, or a [ or { above is not closed",
    "did not find expected alphabetic or numeric character":
      "text that begins with * or & needs quotes",
    "did not find expected <document start>":
      "unexpected text after the end of the mapping: a file is one mapping",
    "found unexpected end of stream": "a quote is opened and never closed",
    "found unexpected document indicator": "a quote is opened and never closed",
    "found unknown escape character": "invalid escape: a backslash is written \\\\ here",
    "found undefined alias":
      "undefined alias: it stands for what &NAME marks before it; text that begins with * needs quotes",
    "found an alias within what it stands for": "an alias cannot be part of what it stands for",
    "control characters are not allowed": "control characters are not allowed in the file",
    "invalid leading UTF-8 octet": notUTF8, "invalid trailing UTF-8 octet": notUTF8,
    "incomplete UTF-8 octet sequence": notUTF8, "invalid length of a UTF-8 sequence": notUTF8,
    "invalid Unicode character": notUTF8,
  ]

  private static let notUTF8 = "this is not UTF-8: save the file as UTF-8"
}
