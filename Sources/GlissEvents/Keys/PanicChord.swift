/// Backspace, Escape and Enter held together, in any order, end secure input and release grabbed
/// keyboards: nobody presses these keys together by accident (keyd's panic chord is the same).
package struct PanicChord: Hashable, Sendable {
  private static let all: UInt8 = 0b111
  /// A bit for each of the three keys: a set would allocate for each event.
  private var held: UInt8 = 0

  package init() {}

  /// Whether `event` completes it.
  package mutating func process(_ event: KeyEvent) -> Bool { process(event.key, event.state) }

  /// The same before a key has become an event.
  package mutating func process(_ key: Key, _ state: KeyEvent.State) -> Bool {
    let bit: UInt8
    switch key {
    case .backspace: bit = 0b001
    case .escape: bit = 0b010
    case .enter: bit = 0b100
    case _: return false
    }
    switch state {
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
