/// A buffer of UTF-8 text, appended to without Foundation or intermediate strings.
package struct TextBuffer: Sendable {
  package var bytes: [UInt8]

  package init(capacity: Int = 512) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Empties the buffer and keeps its memory.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Labelled, so that a literal is not taken for a `String`, which costs five times as much.
  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  package mutating func append(byte: UInt8) { bytes.append(byte) }

  package mutating func append(_ value: Int64) { append(value, places: 0) }

  /// Appends `value` with exactly `places` decimals, halves rounded away from zero; never `-0`. NaN
  /// becomes 0; values beyond ±9 × 10^12 become that bound.
  package mutating func append(_ value: Double, places: Int) {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let bounded = value.isNaN ? 0 : min(max(value, -9e12), 9e12)
    append(Int64(saturating: (bounded * factor).rounded()), places: places)
  }

  /// Appends microseconds as seconds with six decimals, exactly.
  package mutating func append(seconds microseconds: Int64) { append(microseconds, places: 6) }

  /// Appends `value` divided by 10 to the power of `places`, as one piece: a line has 30 numbers.
  private mutating func append(_ value: Int64, places: Int) {
    let most = max(20, places + 1) + 2
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { text in
      var (start, left, written) = (most, value.magnitude, 0)
      func put(_ byte: UInt8) {
        start -= 1
        text[start] = byte
      }
      repeat {
        if written == places && places > 0 { put(UInt8(ascii: ".")) }
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
        left /= 10
        written += 1
      } while left > 0 || written <= places
      if value < 0 { put(UInt8(ascii: "-")) }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text)[start...]))
    }
  }

  /// Appends `text` as a JSON string, with quotes, backslashes and control characters (C0, DEL and
  /// C1) escaped.
  package mutating func append(json text: String) {
    bytes.append(UInt8(ascii: "\""))
    defer { bytes.append(UInt8(ascii: "\"")) }
    // nearly all names are plain
    if Self.isPlain(text) { return append(text: text) }
    var before: UInt8 = 0
    for byte in text.utf8 {
      defer { before = byte }
      switch byte {
      case 0x80...0x9f where before == 0xc2:
        // A C1 character has two bytes; the first one was already appended.
        bytes.removeLast()
        appendEscape(byte)
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0..<0x20, 0x7f: appendEscape(byte)
      case _: bytes.append(byte)
      }
    }
  }

  /// Whether JSON has the text as it is, and it is ASCII.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      bytes.allSatisfy { (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
    }
  }

  private mutating func appendEscape(_ code: UInt8) {
    append(code < 16 ? "\\u000" as StaticString : "\\u00")
    append(text: String(code, radix: 16))
  }
}

/// Numbers as text.
extension Double {
  /// With exactly `places` decimals, as ``TextBuffer`` appends them.
  package func fixed(_ places: Int) -> String {
    var text = TextBuffer(capacity: 24)
    text.append(self, places: places)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// With at most `places` decimals, and no trailing zeros.
  package func trimmed(_ places: Int) -> String {
    var text = Substring(fixed(places))
    guard places > 0 else { return String(text) }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return String(text)
  }

  /// The shortest digits for the same number, without an empty fraction.
  package var shortest: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// `1 device`, `2 devices`.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension String {
  /// The text in lines of at most `width` characters, broken between words.
  package func lines(of width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A path's parts before and after the last slash. The folder of a bare name is the current one.
  package var folderAndName: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let name = String(self[utf8.index(after: slash)...])
    return (slash == startIndex ? "/" : String(self[..<slash]), name)
  }

  /// Whether at most 30 combining marks follow each other, as in Unicode's stream-safe text (UAX
  /// #15). To compare or hash strings, Swift sorts such marks, in a time that grows with the square
  /// of their number: seconds for 64 kB.
  package var isStreamSafe: Bool {
    if utf8.allSatisfy({ $0 < 0x80 }) { return true }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.isSortedMark ? count + 1 : 0
      if count > 30 { return false }
    }
    return true
  }

  /// Without control characters, which would control a terminal, and without invisible ones that
  /// change how others appear, such as right-to-left marks. Names come from files.
  package var printable: String {
    String(UnicodeScalarView(unicodeScalars.lazy.compactMap(\.printable)))
  }

  /// Quoted as a single word of a shell, which takes it literally. Plain words stay as they are.
  package var quotedForShell: String {
    if !isEmpty, utf8.allSatisfy({ $0.isLetterDigit(or: "/._-:+%=@,") }) { return self }
    // by scalars: a quote with a combining mark is another character, and still a quote to a shell
    var quoted = "'".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "'" { quoted += "'\\''".unicodeScalars } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }
}

extension StringProtocol {
  /// Without leading and trailing blanks.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension Unicode.Scalar {
  /// Not a control, line separator or format character.
  package var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case _: true
    }
  }

  /// What is printed in its place; `nil` for nothing.
  package var printable: Unicode.Scalar? {
    switch properties.generalCategory {
    case .format: nil
    case .control, .lineSeparator, .paragraphSeparator: "\u{fffd}"
    // XML forbids some of these, which are no characters
    case .unassigned where value & 0xfffe == 0xfffe: "\u{fffd}"
    case _: self
    }
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter.
  package var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }

  /// Whether it is an ASCII letter, an ASCII digit, or a byte of `signs`.
  package func isLetterDigit(or signs: String = "") -> Bool {
    isLetter || (0x30...0x39).contains(self) || signs.utf8.contains(self)
  }
}

extension Unicode.Scalar {
  /// Whether it, or what it decomposes into, is sorted among its neighbours.
  fileprivate var isSortedMark: Bool {
    switch value {
    case 0..<0x300: false
    // of class 0, but decomposed into marks of other classes
    case 0x0f73, 0x0f75, 0x0f81: true
    case _: properties.canonicalCombiningClass != .notReordered
    }
  }
}
