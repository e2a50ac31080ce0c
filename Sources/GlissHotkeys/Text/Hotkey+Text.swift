extension Chord: CustomStringConvertible {
  /// Its text: modifiers in a fixed order, then the key.
  public var description: String {
    (Vocabulary.words(for: modifiers) + ["\(trigger)"]).joined(separator: "+")
  }
}

extension Chord.Trigger: CustomStringConvertible {
  public var description: String {
    switch self {
    case .key(let key): Vocabulary.word(for: key)
    case .symbol(let character): Vocabulary.word(for: character)
    case .wheel(let direction): Vocabulary.word(for: direction)
    }
  }
}

extension TappedModifier: CustomStringConvertible {
  public var description: String { Vocabulary.words(for: modifiers).joined() }
}

extension Hotkey.Activation: CustomStringConvertible {
  public var description: String {
    switch self {
    case .press: "press"
    case .release: "release"
    case .repeat: "repeat"
    }
  }
}

extension Hotkey: CustomStringConvertible {
  /// Its canonical text, which parses back to the same hotkey.
  public var description: String {
    let prefix = activation == .press ? "" : "\(activation):"
    return switch pattern {
    case .chord, .sequence: prefix + chords.map { "\($0)" }.joined(separator: " ; ")
    case .tap(let modifier): "\(Vocabulary.tap):\(modifier)"
    }
  }
}
