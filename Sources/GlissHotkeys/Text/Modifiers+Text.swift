package import GlissEvents

extension Modifiers {
  /// The modifiers that `text` names, separated by `+`, such as `super+shift`; both keys of a pair
  /// if no side is named.
  package init(heldAs text: String) throws(HotkeyError) {
    var scanner = HotkeyScanner(text)
    var held: Modifiers = []
    var isExpected = true
    for token in try scanner.tokens() {
      switch token.kind {
      case .word(let word) where isExpected:
        guard let named = Vocabulary.modifier(word) else {
          throw scanner.mistake(
            Vocabulary.trigger(word) == nil ? .unknownModifier : .notAModifier, at: token.range)
        }
        let keys = Modifiers(named)
        guard held.isDisjoint(with: keys) else {
          throw scanner.mistake(.repeatedModifier, at: token.range)
        }
        held.formUnion(keys)
        isExpected = false
      case .plus where !isExpected: isExpected = true
      case .end where !isExpected: break
      case .word: throw scanner.mistake(.separatorExpected, at: token.range)
      case .symbol, .plus, .semicolon, .colon, .end:
        throw scanner.mistake(.keyExpected, at: token.range)
      }
    }
    self = held
  }

  /// All keys that the named modifiers may mean.
  private init(_ named: ChordModifiers) {
    self = []
    for pair in ModifierPair.all where named.contains(pair.either) {
      formUnion(Modifiers(rawValue: UInt8(truncatingIfNeeded: pair.sides.rawValue)))
    }
    formUnion(Modifiers(rawValue: UInt8(truncatingIfNeeded: named.rawValue)))
  }
}
