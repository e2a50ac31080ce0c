public import GlissEvents

/// Turns pressed keys into a hotkey, for programs that let their users press the hotkey they want.
///
/// A key with its modifiers is a chord that accepts either side of each pair. A modifier pressed
/// and released with nothing in between is a tap.
public struct HotkeyRecorder: Sendable {
  /// A modifier that was pressed alone, with nothing since.
  private var alone: Key?

  /// A recorder that has seen no key yet.
  public init() {}

  /// - Returns: the hotkey that `key` completes: a chord when its key goes down, a tap when the
  ///   modifier goes up.
  public mutating func process(_ key: KeyEvent) -> Hotkey? {
    let own = Modifiers(key.key)
    switch key.state {
    case .repeat: return nil
    case .down where own.isEmpty:
      alone = nil
      return Hotkey(Chord(ChordModifiers(held: key.modifiers, naming: []), .key(key.key)))
    case .down:
      alone = key.modifiers == own ? key.key : nil
      return nil
    case .up:
      defer { alone = nil }
      guard alone == key.key else { return nil }
      return TappedModifier(ChordModifiers(held: own, naming: [])).map { Hotkey(tap: $0) }
    }
  }
}
