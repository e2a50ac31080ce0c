extension Chord {
  /// Parses the chords to press: `alt+left`, several in turn as `super+k ; w`, or `tap:super` for a
  /// modifier alone.
  ///
  /// - Throws: if the text is not valid, or says when to act (`release:`, `repeat:`).
  public static func chords(toPress text: String) throws(HotkeyError) -> [Chord] {
    let hotkey = try Hotkey(text)
    switch hotkey.activation {
    case .press: break
    case .release, .repeat:
      throw .syntax(
        HotkeyMistake(
          text: text, offset: 0, length: "\(hotkey.activation)".count, problem: .unknownPrefix,
          similar: []))
    }
    switch hotkey.pattern {
    case .chord, .sequence: return hotkey.chords
    case .tap(let modifier): return modifier.keys.prefix(1).map { Chord([], .key($0)) }
    }
  }

  /// The text from which ``chords(toPress:)`` makes this chord.
  public var textToPress: String {
    guard case .key(let key) = trigger, modifiers.isEmpty,
      let modifier = TappedModifier.allCases.last(where: { $0.keys == [key] })
    else { return description }
    return "\(Hotkey(tap: modifier))"
  }
}

extension Unicode.Scalar {
  /// The keysyms with which layouts produce this character; for a letter, also those of its other
  /// case.
  package var keysyms: [UInt32] { Symbol(self).keysyms }
}
