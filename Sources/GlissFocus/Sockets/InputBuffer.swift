import GlissEvents

/// Bytes that came in any pieces and are taken as messages.
struct InputBuffer {
  /// The bytes that were not taken yet begin at `start`.
  private var bytes: [UInt8] = []
  private var start = 0
  /// There is no line feed before this index.
  private var searched = 0

  var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      searched = max(0, searched - start)
      start = 0
    }
    bytes += more
  }

  /// The first bytes, which stay; `nil` if fewer have come.
  func peek(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= self.count else { return nil }
    return bytes[start..<start + count]
  }

  /// The first bytes; `nil` if fewer have come.
  mutating func take(_ count: Int) -> [UInt8]? {
    guard let taken = peek(count).map(Array.init) else { return nil }
    start += count
    return taken
  }

  /// The first line, without its line feed; `nil` if it is not complete.
  mutating func takeLine() -> [UInt8]? {
    searched = max(searched, start)
    guard let end = bytes[searched...].firstIndex(of: 0x0a) else {
      searched = bytes.count
      return nil
    }
    defer { start = end + 1 }
    return Array(bytes[start..<end])
  }
}

extension Collection<UInt8> {
  /// The number at an offset, in the processor's byte order; `nil` behind the end.
  func number<Number: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, _: Number.Type = Number.self
  ) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, offset <= count - size else { return nil }
    var number: Number = 0
    withUnsafeMutableBytes(of: &number) { $0.copyBytes(from: dropFirst(offset).prefix(size)) }
    return number
  }
}

extension FixedWidthInteger {
  /// The bytes of this number in the processor's order.
  var nativeBytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}

extension JSON {
  /// The longest message that is parsed.
  static let longestMessage = 16 << 20

  /// Parses a message of a desktop. It may be long, and a title in it may not be UTF-8.
  init?(desktop bytes: [UInt8]) {
    let limits = Limits(bytes: 3 * Self.longestMessage, depth: 256, values: 1 << 20)
    if let value = try? JSON(parsing: bytes, limits: limits) {
      self = value
      return
    }
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    guard repaired != bytes, let value = try? JSON(parsing: repaired, limits: limits) else {
      return nil
    }
    self = value
  }
}
