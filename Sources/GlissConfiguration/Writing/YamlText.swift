import GlissEvents

/// A value to be written to a YAML file. A dictionary literal is a mapping in that order.
indirect enum YamlText: ExpressibleByDictionaryLiteral {
  /// Written as it is: a number with its unit, or a known word.
  case word(String)
  /// Any text, quoted if necessary.
  case text(String)
  /// A list on one line.
  case row([YamlText])
  case map([Entry])
  /// A list with one element per line.
  case list([YamlText])

  struct Entry {
    var key: String
    var value: YamlText
  }

  static var yes: YamlText { .word("true") }

  init(dictionaryLiteral pairs: (String, YamlText?)...) {
    self = .map(pairs.compactMap(Self.entry))
  }

  /// The entries of a mapping. Those without a value are left out.
  static func entries(_ pairs: KeyValuePairs<String, YamlText?>) -> [Entry] {
    pairs.compactMap(Self.entry)
  }

  private static func entry(_ key: String, _ value: YamlText?) -> Entry? {
    value.map { Entry(key: key, value: $0) }
  }

  /// The widest line before a mapping is split over several.
  private static let width = 100

  /// `key: value`, on as many lines as needed.
  func lines(key: String) -> [String] {
    switch self {
    case .word, .text, .row: return [Self.entry(key, inline ?? "")]
    case .map(let entries):
      if let short = shortened(besides: key.count + 2) { return [Self.entry(key, short)] }
      return [key + ":"] + entries.flatMap { $0.value.lines(key: $0.key) }.map { "  " + $0 }
    case .list(let elements):
      return [key + ":"] + elements.flatMap(\.element).map { "  " + $0 }
    }
  }

  /// The lines of a list's element, with its dash.
  var element: [String] {
    switch self {
    case .word, .text, .row: return ["- " + (inline ?? "")]
    case .map(let entries):
      if let short = shortened(besides: 6) { return ["- " + short] }
      return Self.dashed(entries.flatMap { $0.value.lines(key: $0.key) })
    case .list(let elements):
      return elements.isEmpty ? ["- []"] : Self.dashed(elements.flatMap(\.element))
    }
  }

  /// The lines of a list's element, with each entry on its own line, however short.
  var block: [String] {
    guard case .map(let entries) = self else { return element }
    return Self.dashed(entries.flatMap { $0.value.lines(key: $0.key) })
  }

  private static func dashed(_ lines: [String]) -> [String] {
    lines.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
  }

  private static func entry(_ key: String, _ value: String) -> String { "\(key): \(value)" }

  private func shortened(besides indent: Int) -> String? {
    guard let inline, inline.utf8.count + indent <= Self.width else { return nil }
    return inline
  }

  /// On one line; `nil` for a list with a line per element.
  var inline: String? {
    switch self {
    case .word(let word): return word
    case .text(let text): return YamlQuoting.scalar(text)
    case .row(let elements):
      let parts = elements.compactMap(\.inline)
      return parts.count == elements.count ? "[" + parts.joined(separator: ", ") + "]" : nil
    case .map(let entries):
      var parts: [String] = []
      for entry in entries {
        guard let value = entry.value.inline else { return nil }
        parts.append(Self.entry(entry.key, value))
      }
      return "{" + parts.joined(separator: ", ") + "}"
    case .list: return nil
    }
  }
}

/// Quotes text as a YAML scalar that every reader reads as the same text.
package enum YamlQuoting {
  /// Unquoted if that is safe everywhere, otherwise in single quotes, otherwise in double quotes.
  static func scalar(_ text: String) -> String {
    if isPlain(text) { return text }
    let scalars = text.unicodeScalars
    let quotes = scalars.count { $0 == "'" }
    let others = scalars.count { $0 == "\"" || $0 == "\\" }
    guard scalars.allSatisfy(standsAsItself), quotes <= others else {
      return "\"\(scalars.map(escaped).joined())\""
    }
    return "'\(scalars.map { $0 == "'" ? "''" : String($0) }.joined())'"
  }

  /// As written in double quotes.
  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case _ where standsAsItself(scalar): return String(scalar)
    case _:
      let (letter, width) =
        scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
      return "\\\(letter)\(scalar.value.hex(width))"
    }
  }

  /// Whether it is not a line end, is visible, and is allowed in YAML.
  package static func standsAsItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7e, 0xa0...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
      case _: return true
      }
    case _: return false
    }
  }

  /// Words that readers take for something other than text.
  private static let reserved: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "null", "none", "y", "n",
  ]

  private static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let isWord = { (byte: UInt8) in byte.isLetter || byte == UInt8(ascii: "%") }
    guard let first = bytes.first, bytes.last != UInt8(ascii: " "),
      first.isLetterDigit(or: "/_.+"), !reserved.contains(text.lowercased()),
      // it may be a number or a time
      "/_".utf8.contains(first) || bytes.contains(where: isWord),
      Double(text) == nil, !text.hasPrefix("0x"), !text.hasPrefix("0o")
    else { return false }
    return zip(bytes, bytes.dropFirst() + [0]).allSatisfy { byte, next in
      byte.isLetterDigit(or: "_-+./%=@~$; ")
        || byte == UInt8(ascii: ":") && isWord(next)
    }
  }
}

extension FixedWidthInteger {
  /// In hexadecimal, with `width` digits, which must be enough.
  func hex(_ width: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}

extension Double {
  /// With up to six decimals, without trailing zeros.
  package var written: String { trimmed(6) }
}
