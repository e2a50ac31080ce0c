public import GlissEvents

/// Backspace, Escape and Enter held together, in any order, break secure input: for keys that nobody presses so by
/// chance (keyd's panic chord is the same).
public struct PanicChord: Hashable, Sendable {
  private static let all: UInt8 = 0b111
  /// A bit for each of the three: a set would be allocated in the path of an event.
  private var held: UInt8 = 0

  public init() {}

  /// Whether `event` completes it.
  public mutating func process(_ event: KeyEvent) -> Bool {
    let bit: UInt8
    switch event.key {
    case .backspace: bit = 0b001
    case .escape: bit = 0b010
    case .enter: bit = 0b100
    case _: return false
    }
    switch event.state {
    case .down:
      let isNew = held & bit == 0
      held |= bit
      return isNew && held == Self.all
    case .up: held &= ~bit
    case .repeat: break
    }
    return false
  }
}

extension Key {
  fileprivate static let escape = Key(rawValue: 1)
  fileprivate static let backspace = Key(rawValue: 14)
  fileprivate static let enter = Key(rawValue: 28)
}
