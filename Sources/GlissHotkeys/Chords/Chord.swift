public import GlissEvents

/// A key, button or wheel notch, with the modifiers that must be down.
public struct Chord: Hashable, Sendable {
  /// What completes a chord.
  public enum Trigger: Hashable, Sendable {
    /// A physical key or button, whatever character the layout gives it.
    case key(Key)
    /// The key that has this character on the user's layout.
    ///
    /// Letters are in lower case here. AltGr does not count, and Shift counts with letters only:
    /// layouts use them to choose the character.
    case symbol(Unicode.Scalar)
    case wheel(WheelDirection)
  }

  public let modifiers: ChordModifiers
  public let trigger: Trigger

  /// Drops what has no effect: `super` next to `leftSuper`, and modifiers with which the layout
  /// chooses a symbol.
  public init(_ modifiers: ChordModifiers = [], _ trigger: Trigger) {
    switch trigger {
    case .symbol(let character):
      let symbol = Symbol(character)
      self.trigger = .symbol(symbol.character)
      self.modifiers = modifiers.canonical.subtracting(symbol.choosers)
    case .key, .wheel:
      self.trigger = trigger
      self.modifiers = modifiers.canonical
    }
  }
}

/// The direction in which a wheel turns.
public enum WheelDirection: UInt8, Hashable, Sendable, CaseIterable {
  case up, down, left, right
}
