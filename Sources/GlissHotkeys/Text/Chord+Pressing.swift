extension Chord {
  /// What is to be pressed, from text: `alt+left`, several in turn as `super+k ; w`, or `tap:super` for a modifier alone.
  ///
  /// - Throws: where it is no such text, or says when to act.
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

  /// The text that ``chords(toPress:)`` makes this of.
  public var textToPress: String {
    guard case .key(let key) = trigger, modifiers.isEmpty,
      let modifier = TappedModifier.allCases.last(where: { $0.keys == [key] })
    else { return description }
    return "\(Hotkey(tap: modifier))"
  }
}

extension Unicode.Scalar {
  /// The keysyms by which layouts give this character; of a letter also those of its other case.
  package var keysyms: [UInt32] { Symbol(self).keysyms }
}
