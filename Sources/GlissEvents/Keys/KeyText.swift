/// The text a key types: up to 15 bytes of UTF-8, stored inline.
///
/// A layout gives a key one character, rarely a few. A `String` would need reference counting and
/// could not be copied bit by bit.
package struct KeyText: Hashable, Sendable, BitwiseCopyable {
  /// The maximum number of bytes.
  package static let capacity = 15

  /// No text.
  package static let none = KeyText()

  /// The bytes, the first one lowest, and above them how many there are.
  private var bits: UInt128 = 0

  private init() {}

  /// `nil` if the bytes exceed ``capacity`` or are not UTF-8.
  package init?(utf8 bytes: some Sequence<UInt8>) {
    var count = 0
    for byte in bytes {
      guard count < Self.capacity else { return nil }
      bits |= UInt128(byte) << (8 * count)
      count += 1
    }
    bits |= UInt128(count) << 120
    // making a string repairs what is not UTF-8, which makes it longer or other bytes
    let text = description.utf8
    guard text.count == count, zip(text, 0...).allSatisfy({ $0 == self[$1] }) else { return nil }
  }

  /// `nil` if the text exceeds ``capacity``.
  package init?(_ text: String) { self.init(utf8: text.utf8) }

  /// The number of bytes.
  package var utf8Count: Int { Int(bits >> 120) }

  /// Whether there is no text.
  package var isEmpty: Bool { utf8Count == 0 }

  /// The byte at `index`, which must be below ``utf8Count``.
  private subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (8 * index)) }
}

extension KeyText: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: Self.capacity) { buffer in
      for index in 0..<utf8Count { buffer[index] = self[index] }
      return utf8Count
    }
  }
}
