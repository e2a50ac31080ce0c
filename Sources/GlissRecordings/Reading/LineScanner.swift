/// Finds the ends of lines eight bytes at a time.
enum LineScanner {
  /// The index of the first line feed at or after `start`.
  @inline(__always)
  static func newline(in bytes: Span<UInt8>, from start: Int) -> Int? {
    let raw = bytes.bytes
    var place = start
    while place &+ 8 <= bytes.count {
      let word = UInt64(
        littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
      // A byte that becomes 0 here is a line feed.
      let difference = word ^ 0x0a0a_0a0a_0a0a_0a0a
      let hits = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
      if hits != 0 { return place &+ hits.trailingZeroBitCount >> 3 }
      place &+= 8
    }
    while place < bytes.count {
      if bytes[place] == 0x0a { return place }
      place &+= 1
    }
    return nil
  }
}
