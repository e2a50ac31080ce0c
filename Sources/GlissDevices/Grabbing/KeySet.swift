import GlissEvents

/// A bit set of keys. It holds as many as the kernel has, without allocating.
struct KeySet: Equatable, Sendable {
  private static let wordCount = 12
  /// `KEY_CNT`.
  static let capacity = wordCount * 64

  private var words = InlineArray<12, UInt64>(repeating: 0)

  init() {}

  init(_ keys: some Sequence<Key>) { for key in keys { insert(key) } }

  /// The kernel's format: the lowest bit of the first byte is key 0.
  init(bytes: some Sequence<UInt8>) {
    for (index, byte) in bytes.enumerated() where index < Self.capacity / 8 {
      words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
  }

  static func == (a: KeySet, b: KeySet) -> Bool {
    (0..<wordCount).allSatisfy { a.words[$0] == b.words[$0] }
  }

  var isEmpty: Bool { (0..<Self.wordCount).allSatisfy { words[$0] == 0 } }

  /// The keys in numeric order.
  var keys: [Key] {
    (0..<UInt16(Self.capacity)).map { Key(rawValue: $0) }.filter { contains($0) }
  }

  func contains(_ key: Key) -> Bool {
    guard let (word, bit) = Self.place(key) else { return false }
    return words[word] & bit != 0
  }

  /// Ignores keys beyond the kernel's range.
  mutating func insert(_ key: Key) {
    if let (word, bit) = Self.place(key) { words[word] |= bit }
  }

  /// Returns whether the key was in the set.
  @discardableResult
  mutating func remove(_ key: Key) -> Bool {
    guard let (word, bit) = Self.place(key), words[word] & bit != 0 else { return false }
    words[word] &= ~bit
    return true
  }

  mutating func removeAll() { words = InlineArray(repeating: 0) }

  private static func place(_ key: Key) -> (Int, UInt64)? {
    let number = Int(key.rawValue)
    return number < capacity ? (number / 64, 1 << UInt64(number % 64)) : nil
  }
}
