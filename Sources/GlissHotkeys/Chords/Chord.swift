public import GlissEvents

/// A key, button or notch of the wheel, with the modifiers that must be down.
public struct Chord: Hashable, Sendable {
  /// What completes a chord.
  public enum Trigger: Hashable, Sendable {
    /// A physical key or button, whatever the layout makes of it.
    case key(Key)
    /// The key on which the user's layout has this character.
    ///
    /// Letters are in lower case here. AltGr does not count, and Shift counts with letters only: the layout uses them
    /// to choose the character.
    case symbol(Unicode.Scalar)
    case wheel(WheelDirection)
  }

  public let modifiers: ChordModifiers
  public let trigger: Trigger

  /// Leaves out what says nothing: `super` beside `leftSuper`, and modifiers with which the layout chooses a symbol.
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

/// Where a wheel turns to.
public enum WheelDirection: UInt8, Hashable, Sendable, CaseIterable {
  case up, down, left, right
}
