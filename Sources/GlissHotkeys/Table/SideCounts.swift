/// How many chords name the sides of which pairs.
struct SideCounts: Sendable {
  private var counts = InlineArray<8, Int>(repeating: 0)

  /// How many name the sides of these pairs, and of no others.
  subscript(pairs: PairSet) -> Int { counts[Int(pairs.rawValue)] }

  var isZero: Bool { (0..<PairSet.count).allSatisfy { counts[$0] == 0 } }

  /// The pairs of which any chord names a side.
  var pairs: PairSet {
    (0..<UInt8(PairSet.count)).reduce(into: []) { pairs, set in
      let named = PairSet(rawValue: set)
      if self[named] > 0 { pairs.formUnion(named) }
    }
  }

  /// Its chords come, or go.
  mutating func count(_ hotkey: Hotkey, _ change: Int) {
    for chord in hotkey.chords { counts[Int(chord.modifiers.sidedPairs.rawValue)] += change }
  }
}
