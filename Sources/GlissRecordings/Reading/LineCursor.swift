import Glibc
import GlissEvents

/// A position within one line of bytes. Everything it takes, it moves past; it never leaves the
/// line.
struct LineCursor {
  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int
  /// The line's number, from 1.
  let number: Int
  /// Where the next line begins in the recording, in bytes.
  let next: Int64

  init(_ bytes: [UInt8], from start: Int, to end: Int, number: Int, next: Int64) {
    self.bytes = bytes
    position = start
    self.end = end
    self.number = number
    self.next = next
  }

  func error(_ problem: String, advice: String? = nil) -> RecordingError {
    RecordingError(line: number, problem, advice: advice)
  }

  var isAtEnd: Bool { position >= end }

  /// The byte at the cursor; 0 at the end.
  var byte: UInt8 { position < end ? bytes[position] : 0 }

  mutating func advance() { position &+= position < end ? 1 : 0 }

  mutating func skipBlanks() {
    while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 { position &+= 1 }
  }

  /// Whether the rest of the line is empty or a comment.
  var isBlank: Bool {
    var cursor = self
    cursor.skipBlanks()
    return cursor.isAtEnd || cursor.byte == UInt8(ascii: "#")
  }

  mutating func take(_ wanted: UInt8) -> Bool {
    guard position < end, bytes[position] == wanted else { return false }
    position &+= 1
    return true
  }

  mutating func take(_ word: StaticString) -> Bool {
    let start = position
    let taken = word.withUTF8Buffer { wanted in
      guard end - start >= wanted.count else { return false }
      for index in 0..<wanted.count where bytes[start + index] != wanted[index] { return false }
      return true
    }
    if taken { position += word.utf8CodeUnitCount }
    return taken
  }

  mutating func take(anyOf words: [StaticString]) -> Bool {
    for word in words where take(word) { return true }
    return false
  }

  /// Moves past the next `wanted`. If there is none, stays in place and returns false.
  mutating func skip(past wanted: UInt8) -> Bool {
    for place in position..<end where bytes[place] == wanted {
      position = place + 1
      return true
    }
    return false
  }

  /// Decimal digits; `nil` if there are none, or if they exceed 64 bits.
  mutating func digits() -> UInt64? {
    var value: UInt64 = 0
    let start = position
    while position < end {
      let digit = bytes[position] &- 0x30
      if digit > 9 { break }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return nil }
      value = sum
      position &+= 1
    }
    return position > start ? value : nil
  }

  /// Decimal digits with an optional minus.
  mutating func integer() -> Int64? {
    let isNegative = take(0x2d)
    guard let magnitude = digits() else { return nil }
    // A negative value that a recorder printed as unsigned wraps back.
    let value = Int64(bitPattern: magnitude)
    return isNegative ? 0 &- value : value
  }

  /// An event type, a code or a property in decimal digits.
  mutating func code() -> UInt16? { digits().flatMap { UInt16(exactly: $0) } }

  /// An event's value as printed by a recorder: signed, or the same bits as unsigned.
  mutating func value() -> Int32? {
    guard let value = integer(), value >= Int64(Int32.min), value <= Int64(UInt32.max) else {
      return nil
    }
    return Int32(truncatingIfNeeded: value)
  }

  /// Hexadecimal digits, at most 16, without a prefix; `nil` if `Number` cannot hold them.
  mutating func hexadecimal<Number: FixedWidthInteger>() -> Number? {
    var value: UInt64 = 0
    var count = 0
    while position < end {
      // of both cases of a letter, only the lower one has this bit
      let (digit, letter) = (bytes[position] &- 0x30, (bytes[position] | 0x20) &- 0x61)
      guard digit < 10 || letter < 6 else { break }
      if count == 16 { return nil }
      value = value << 4 | UInt64(digit < 10 ? digit : letter + 10)
      count += 1
      position += 1
    }
    return count > 0 ? Number(exactly: value) : nil
  }

  /// `seconds.microseconds`. A short fraction counts microseconds, because recorders that print it
  /// short do not pad it.
  mutating func time() -> EventTime? {
    let isNegative = byte == 0x2d
    guard let seconds = integer(), take(0x2e) else { return nil }
    let start = position
    guard var fraction = digits() else { return nil }
    var length = position - start
    while length > 6 {
      fraction /= 10
      length -= 1
    }
    let microseconds = Int64(truncatingIfNeeded: fraction)
    return EventTime(
      recordedSeconds: seconds, microseconds: isNegative ? 0 &- microseconds : microseconds)
  }

  /// The rest of the line as text, without trailing blanks; bytes that are not UTF-8 are replaced.
  func rest() -> String {
    var last = end
    while last > position, bytes[last - 1] == 0x20 || bytes[last - 1] == 0x09 { last -= 1 }
    return String(decoding: bytes[position..<last], as: UTF8.self)
  }

  /// The rest of the line, up to a quote that ends it.
  func quoted() -> String {
    let text = rest()
    return text.last == "\"" ? String(text.dropLast()) : text
  }
}

extension EventTime {
  /// A recorder that prints a negative time as unsigned prints it plus 2^64 µs: 64 bits wrap back.
  /// `nil` if 64 bits cannot hold the time.
  init?(recordedSeconds seconds: Int64, microseconds: Int64) {
    let sum =
      seconds < 0 || microseconds < 0
      ? Self.sum(seconds, microseconds)
      : Self.sum(seconds.magnitude, microseconds.magnitude).map { Int64(bitPattern: $0) }
    guard let sum else { return nil }
    self.init(microseconds: sum)
  }

  private static func sum<Number: FixedWidthInteger>(
    _ seconds: Number, _ microseconds: Number
  ) -> Number? {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, carry) = product.addingReportingOverflow(microseconds)
    return overflow || carry ? nil : sum
  }
}

enum LineScanner {
  /// The index of the first line feed at or after `start`.
  static func newline(in bytes: Span<UInt8>, from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, 0x0a, bytes.count - start)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }
}
