import GlissEvents
import GlissHotkeys
import GlissSession

/// Turns chords into key strokes: press the modifiers and the key, then release all in reverse
/// order.
///
/// It presses the left modifier of a pair unless the chord names the right one. Characters are
/// looked up in a layout, and the modifiers that select them are pressed too.
struct ChordPresser {
  /// A character's place in a layout: its key, and the keys to hold with it.
  struct Place: Hashable, Sendable {
    var key: Key
    var choosers: [Key]
  }

  /// The layout's name for messages.
  let layout: String
  /// Returns `nil` if the layout does not have the character.
  let find: (Unicode.Scalar) -> Place?

  /// - Throws: If the chord cannot be pressed.
  func strokes(for chord: Chord) throws(PressError) -> [KeyStroke] {
    switch chord.obstacle {
    case nil: break
    case .noKey?: throw .noKey(chord)
    case .sysRq?: throw .notPressed(chord)
    }
    var held = chord.modifiers.keys
    let last: Key
    switch chord.trigger {
    case .key(let key): last = key
    case .symbol(let character):
      guard let place = find(character) else { throw .notOnLayout(chord, layout: layout) }
      held += place.choosers.filter { !held.contains($0) }
      last = place.key
    case .wheel: throw .noKey(chord)
    }
    held.removeAll { $0 == last }
    return held.map(KeyStroke.down) + [.down(last), .up(last)]
      + held.reversed().map(KeyStroke.up)
  }
}

extension ChordModifiers {
  /// The keys for these modifiers.
  fileprivate var keys: [Key] {
    let all: [(ChordModifiers, Key)] = [
      (.super, .leftSuper), (.leftSuper, .leftSuper), (.rightSuper, .rightSuper),
      (.control, .leftControl), (.leftControl, .leftControl), (.rightControl, .rightControl),
      (.alt, .leftAlt), (.altGr, .rightAlt),
      (.shift, .leftShift), (.leftShift, .leftShift), (.rightShift, .rightShift),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}
