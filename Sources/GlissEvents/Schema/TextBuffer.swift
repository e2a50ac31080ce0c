/// A buffer of UTF-8 text, appended to without Foundation or intermediate strings.
public struct TextBuffer: Sendable {
  public var bytes: [UInt8]

  public init(capacity: Int = 512) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  public mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  public mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  public mutating func append(byte: UInt8) { bytes.append(byte) }

  public mutating func append(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(digits: value.magnitude, atLeast: 1)
  }

  /// Appends `value` with exactly `places` decimals, halves rounded away from zero; never `-0`. NaN
  /// becomes 0; values beyond ±9 × 10^12 become that bound.
  public mutating func append(_ value: Double, places: Int) {
    var factor: UInt64 = 1
    for _ in 0..<places { factor *= 10 }
    let bounded = value.isNaN ? 0 : min(max(value, -9e12), 9e12)
    let scaled = Int64(saturating: (bounded * Double(factor)).rounded())
    if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
    append(digits: scaled.magnitude / factor, atLeast: 1)
    if places > 0 {
      bytes.append(UInt8(ascii: "."))
      append(digits: scaled.magnitude % factor, atLeast: places)
    }
  }

  /// Appends microseconds as seconds with six decimals, exactly.
  public mutating func append(seconds microseconds: Int64) {
    if microseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    append(digits: microseconds.magnitude / 1_000_000, atLeast: 1)
    bytes.append(UInt8(ascii: "."))
    append(digits: microseconds.magnitude % 1_000_000, atLeast: 6)
  }

  /// Appends `text` as a JSON string, with quotes, backslashes and control characters (C0, DEL and
  /// C1) escaped.
  public mutating func append(json text: String) {
    bytes.append(UInt8(ascii: "\""))
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
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ code: UInt8) {
    append("\\u00")
    bytes.append(Self.hexadecimal(code >> 4))
    bytes.append(Self.hexadecimal(code & 15))
  }

  private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  private mutating func append(digits value: UInt64, atLeast width: Int) {
    var divisor: UInt64 = 1
    var length = 1
    while length < 20 && value / divisor >= 10 {
      divisor *= 10
      length += 1
    }
    for _ in 0..<max(0, width - length) { bytes.append(UInt8(ascii: "0")) }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8((value / divisor) % 10))
      divisor /= 10
    }
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
