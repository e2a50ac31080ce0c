import GlissEvents
import GlissHotkeys
import GlissSession

/// Turns chords into keys that go down and up: the modifiers, the key, and all of them up again in reverse.
///
/// Of a pair of modifiers it presses the left one unless the chord names the right one. Characters are looked up on a
/// layout, and what the layout needs to choose them is pressed too.
struct ChordPresser {
  /// Where a layout has a character: a key, and what must be down with it.
  struct Place: Hashable, Sendable {
    var key: Key
    var choosers: [Key]
  }

  /// What the layout is called in messages.
  let layout: String
  /// `nil` where the layout has no such character.
  let find: (Unicode.Scalar) -> Place?

  /// - Throws: for what cannot be pressed.
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
  /// The keys that satisfy them.
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
