import CXkbcommon
import GlissEvents
import GlissHotkeys

extension XkbKeyTranslator {
  /// Where the layout's first group has `character`, with as few keys as possible; `nil` if it is
  /// not there.
  ///
  /// Keypad keys do not count, nor do characters that need Caps Lock or another lock.
  func place(of character: Unicode.Scalar) -> ChordPresser.Place? {
    let wanted = character.keysyms
    for choosers in [[], [Key.leftShift], [.rightAlt], [.leftShift, .rightAlt]] {
      guard let key = key(with: wanted, choosers) else { continue }
      return ChordPresser.Place(key: key, choosers: choosers)
    }
    return nil
  }

  /// The key that produces one of `keysyms` while only `choosers` are down.
  private func key(with keysyms: [UInt32], _ choosers: [Key]) -> Key? {
    guard let state = try? XkbState(of: keymap) else { return nil }
    for chooser in choosers {
      xkb_state_update_key(state.pointer, Self.code(of: chooser), XKB_KEY_DOWN)
    }
    return (UInt16(1)...255).lazy.map { Key(rawValue: $0) }.first { key in
      !key.isButton
        && keysyms.contains(xkb_state_key_get_one_sym(state.pointer, Self.code(of: key)))
    }
  }
}
