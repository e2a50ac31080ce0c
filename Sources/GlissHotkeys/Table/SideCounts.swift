/// Counts the chords that name the sides of each set of pairs.
struct SideCounts: Sendable {
  private var counts = InlineArray<8, Int>(repeating: 0)

  /// How many chords name the sides of exactly these pairs.
  subscript(pairs: PairSet) -> Int { counts[Int(pairs.rawValue)] }

  var isZero: Bool { (0..<PairSet.count).allSatisfy { counts[$0] == 0 } }

  /// The pairs with a side that any chord names.
  var pairs: PairSet {
    (0..<UInt8(PairSet.count)).reduce(into: []) { pairs, set in
      let named = PairSet(rawValue: set)
      if self[named] > 0 { pairs.formUnion(named) }
    }
  }

  /// Counts the chords of `hotkey` as they are added or removed.
  mutating func count(_ hotkey: Hotkey, _ change: Int) {
    for chord in hotkey.chords { counts[Int(chord.modifiers.sidedPairs.rawValue)] += change }
  }
}
