/// The text a key types: up to 15 bytes of UTF-8, stored inline.
///
/// A layout gives a key one character, rarely a few. A `String` would need reference counting and
/// could not be copied bit by bit.
package struct KeyText: Hashable, Sendable, BitwiseCopyable {
  /// The maximum number of bytes.
  package static let capacity = 15

  /// No text.
  package static let none = KeyText()

  /// The first eight bytes, the first one lowest.
  private var low: UInt64 = 0
  /// The other seven bytes, and above them the number of bytes.
  private var high: UInt64 = 0

  private init() {}

  /// `nil` if the bytes exceed ``capacity`` or are not UTF-8.
  package init?(utf8 bytes: some Sequence<UInt8>) {
    var count = 0
    for byte in bytes {
      guard count < Self.capacity else { return nil }
      set(byte, at: count)
      count += 1
    }
    high |= UInt64(count) << 56
    guard isValid else { return nil }
  }

  /// `nil` if the text exceeds ``capacity``.
  package init?(_ text: String) { self.init(utf8: text.utf8) }

  /// The number of bytes.
  package var utf8Count: Int { Int(high >> 56) }

  /// Whether there is no text.
  package var isEmpty: Bool { utf8Count == 0 }

  /// The byte at `index`, which must be below ``utf8Count``.
  private subscript(index: Int) -> UInt8 {
    let word = index < 8 ? low >> (8 * UInt64(index)) : high >> (8 * UInt64(index - 8))
    return UInt8(truncatingIfNeeded: word)
  }

  private mutating func set(_ byte: UInt8, at index: Int) {
    if index < 8 {
      low |= UInt64(byte) << (8 * UInt64(index))
    } else {
      high |= UInt64(byte) << (8 * UInt64(index - 8))
    }
  }

  private var isValid: Bool {
    var bytes = Bytes(text: self)
    var decoder = UTF8()
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  /// The bytes in order.
  fileprivate struct Bytes: IteratorProtocol, Sequence {
    let text: KeyText
    var index = 0

    mutating func next() -> UInt8? {
      guard index < text.utf8Count else { return nil }
      defer { index += 1 }
      return text[index]
    }
  }
}

extension KeyText: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: Self.capacity) { buffer in
      for (index, byte) in Bytes(text: self).enumerated() { buffer[index] = byte }
      return utf8Count
    }
  }
}
