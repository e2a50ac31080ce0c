import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Names of keys in other tools' files.
enum KeyNames {
  /// The kernel's names, with or without `KEY_`, and the modifiers without a side.
  static func kernel(_ name: String) -> Chord.Trigger? {
    let word = name.trimmed.lowercased()
    let bare = word.hasPrefix("key_") ? String(word.dropFirst(4)) : word
    let short = [
      "ctrl": "leftctrl", "alt": "leftalt", "shift": "leftshift", "meta": "leftmeta",
      "super": "leftmeta",
    ]
    return Keysyms.trigger(word: short[bare] ?? bare)
  }

  /// X11's names, and the modifiers without a side.
  static func x11ToPress(_ name: String) -> Chord.Trigger? {
    let short = [
      "alt": "leftalt", "ctrl": "leftctrl", "control": "leftctrl", "shift": "leftshift",
      "super": "leftmeta", "meta": "leftalt", "win": "leftmeta", "logo": "leftmeta",
      "altgr": "rightalt",
    ]
    return short[name.lowercased()].flatMap { Keysyms.trigger(word: $0) }
      ?? Keysyms.triggerToPress(name)
  }

  /// X11's buttons by number. The wheel's four directions are buttons, too.
  static func x11Button(_ number: String) -> Chord.Trigger? {
    switch Int(number) {
    case 1: .key(.leftButton)
    case 2: .key(.middleButton)
    case 3: .key(.rightButton)
    case 4: .wheel(.up)
    case 5: .wheel(.down)
    case 6: .wheel(.left)
    case 7: .wheel(.right)
    // the side buttons and any further ones
    case let number? where (8...24).contains(number):
      .key(Key(rawValue: 0x113 + UInt16(number) - 8))
    case _: nil
    }
  }
}

extension Chord.Trigger {
  /// The modifier that this key is, on either side; `nil` for others.
  var modifier: ChordModifiers? {
    switch self {
    case .key(.leftShift), .key(.rightShift): .shift
    case .key(.leftControl), .key(.rightControl): .control
    case .key(.leftSuper), .key(.rightSuper): .super
    case .key(.leftAlt): .alt
    case .key(.rightAlt): .altGr
    case .key, .symbol, .wheel: nil
    }
  }
}

extension Chord {
  /// A chord of the last key, with those before it held; `nil` if one of them is not a modifier.
  init?(of triggers: [Trigger]) {
    guard let last = triggers.last else { return nil }
    let held = triggers.dropLast().compactMap(\.modifier)
    guard held.count == triggers.count - 1 else { return nil }
    self.init(held.reduce([]) { $0.union($1) }, last)
  }

  /// One chord that holds all of them; `nil` for none, or for several keys besides modifiers.
  static func joined(_ chords: [Chord]) -> Chord? {
    let keys = chords.filter { $0.trigger.modifier == nil }
    guard keys.count <= 1, let main = keys.first ?? chords.last else { return nil }
    let others = chords.filter { $0.trigger != main.trigger }
    return Chord(
      others.reduce(main.modifiers) { $0.union($1.modifiers).union($1.trigger.modifier ?? []) },
      main.trigger)
  }
}
