import GlissEvents

/// A mistake in a file, with its place, and what to do about it.
package struct Mistake: Error, Hashable, Sendable {
  package var place: Place
  /// What is wrong and what was expected, in one or two sentences.
  package var message: String
  /// How many characters are marked, from the place on.
  package var length: Int
  /// The line in the file; `nil` without one.
  package var source: String?
  package var severity: Severity

  package enum Severity: Hashable, Sendable {
    /// The file is rejected.
    case error
    /// The file is accepted.
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

/// A file's name and content.
package struct ConfigurationText: Hashable, Sendable {
  /// The name used in mistakes.
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
  /// The limit for each kind.
  static let most = 1000

  private(set) var all: [Mistake] = []
  private var errors = 0

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
    let head = "\(place): \(word): \(message)".withoutControls
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
  /// All of them as text, each with its line of the file.
  package var text: String {
    var lines: [String] = []
    for mistake in self { lines += mistake.lines }
    return lines.joined(separator: "\n")
  }

  /// How many there are, in words: 2 mistakes, 1 warning.
  package var summary: String {
    let errors = count { $0.severity == .error }
    let parts = [(errors, "mistake"), (count - errors, "warning")]
    return parts.filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
  }
}

extension Unicode.Scalar {
  /// How it is shown: tabs and visible characters as themselves.
  fileprivate var shown: String {
    self == "\t" ? "\t" : printable.map { String(Character($0)) } ?? ""
  }

  /// How many columns it takes in a terminal.
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

extension String {
  /// Without characters that control a terminal or change how the rest is shown.
  fileprivate var withoutControls: String {
    unicodeScalars.reduce(into: "") { $0 += $1 == "\t" ? " " : $1.shown }
  }
}
