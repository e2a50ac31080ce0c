import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Keys as fusuma's plugins name them: the kernel's names without `KEY_`, joined by plus signs.
enum FusumaKeys {
  /// A chord of the last key, with the modifiers before it held.
  static func chord(_ text: String) throws(ChainNote) -> Chord {
    var keys = try self.keys(text)
    guard let last = keys.popLast() else {
      throw ChainNote(word: text, why: "the name of a key was expected, such as LEFTALT+LEFT")
    }
    var modifiers: ChordModifiers = []
    for key in keys {
      guard let modifier = modifier(key) else {
        throw ChainNote(
          word: text, why: "only modifiers are held while a key is pressed; list the keys instead")
      }
      modifiers.formUnion(modifier.asked)
    }
    return Chord(modifiers, .key(last))
  }

  /// Modifiers that must be held, on either side.
  static func held(_ text: String) throws(ChainNote) -> Modifiers {
    var held: Modifiers = []
    for key in try keys(text) {
      guard let modifier = modifier(key) else {
        throw ChainNote(
          word: text,
          why: "only Shift, Ctrl, Alt and Super can be asked for; a mode: can stand for another key"
        )
      }
      held.formUnion(modifier.held)
    }
    return held
  }

  private static func keys(_ text: String) throws(ChainNote) -> [Key] {
    var keys: [Key] = []
    for part in text.split(separator: "+" as Character) {
      let word = String(part).trimmed.lowercased()
      let bare = word.hasPrefix("key_") ? String(word.dropFirst(4)) : word
      let meant =
        switch bare {
        case "super": "leftmeta"
        case "ctrl": "leftctrl"
        case "alt": "leftalt"
        case "shift": "leftshift"
        case _: bare
        }
      guard case .key(let key)? = Keysyms.trigger(word: meant) else {
        throw ChainNote(
          word: String(part), why: "no key is called so; 'gliss watch --events key' tells its name")
      }
      keys.append(key)
    }
    return keys
  }

  private static func modifier(_ key: Key) -> (asked: ChordModifiers, held: Modifiers)? {
    switch key {
    case .leftShift, .rightShift: (.shift, [.leftShift, .rightShift])
    case .leftControl, .rightControl: (.control, [.leftControl, .rightControl])
    case .leftSuper, .rightSuper: (.super, [.leftSuper, .rightSuper])
    case .leftAlt: (.alt, .leftAlt)
    case .rightAlt: (.altGr, .rightAlt)
    case _: nil
    }
  }
}
