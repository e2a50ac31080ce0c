import GlissEvents

/// A character that a hotkey names, and the keysyms by which layouts give it.
///
/// All of them go into the table, so that an event's keysym is looked up as it is.
struct Symbol {
  /// In lower case where that is one character.
  let character: Unicode.Scalar

  init(_ character: Unicode.Scalar) {
    self.character = Self.only(character.properties.lowercaseMapping) ?? character
  }

  /// Of a letter Shift and Caps Lock give another form, and it is the same letter.
  var isLetter: Bool { character.properties.isCased }

  /// The modifiers by which the layout chooses it, so that they cannot be asked for.
  var choosers: ChordModifiers {
    isLetter ? .altGr : [.altGr, .shift, .leftShift, .rightShift]
  }

  var keysyms: [UInt32] {
    var forms = [character]
    if let upper = Self.only(character.properties.uppercaseMapping), upper != character,
      // not that of another letter, as I is of the dotless ı
      Self.only(upper.properties.lowercaseMapping) == character
    {
      forms.append(upper)
    }
    return forms.flatMap(Self.keysyms)
  }

  /// Those of X11's `keysymdef.h`: the code point itself in Latin-1, above it with a bit set, and for many characters
  /// of the alphabets an older number, by which most layouts still give them.
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
