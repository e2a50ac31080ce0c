import GlissEvents

/// A character named in a hotkey, and the keysyms with which layouts produce it.
///
/// All these keysyms go into the table, so that an event's keysym is looked up unchanged.
struct Symbol {
  /// In lower case if that is a single character.
  let character: Unicode.Scalar

  init(_ character: Unicode.Scalar) {
    self.character = Self.only(character.properties.lowercaseMapping) ?? character
  }

  /// Whether Shift and Caps Lock give it another form of the same letter.
  var isLetter: Bool { character.properties.isCased }

  /// The modifiers with which the layout chooses it, which a hotkey therefore cannot require.
  var choosers: ChordModifiers {
    isLetter ? .altGr : [.altGr, .shift, .leftShift, .rightShift]
  }

  var keysyms: [UInt32] {
    var forms = [character]
    if let upper = Self.only(character.properties.uppercaseMapping), upper != character,
      // Not the upper case of another letter, as I is for the dotless ı.
      Self.only(upper.properties.lowercaseMapping) == character
    {
      forms.append(upper)
    }
    return forms.flatMap(Self.keysyms)
  }

  /// Keysyms as in X11's `keysymdef.h`: the code point itself in Latin-1, the code point with a bit
  /// set above that, and for many characters of other alphabets an older number that most layouts
  /// still use.
  private static func keysyms(of character: Unicode.Scalar) -> [UInt32] {
    let code = character.value
    switch code {
    case 0x20...0x7e, 0xa0...0xff: return [code]
    case _: return [code | 0x100_0000] + (LegacyKeysyms.of[code] ?? [])
    }
  }

  private static func only(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}
