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
