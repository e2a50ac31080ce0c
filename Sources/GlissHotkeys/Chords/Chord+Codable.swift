import GlissEvents

extension Chord: Codable {
  /// Reads the text of one chord to press: `alt+left`, `tap:super`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the mistake, if the text is not one chord.
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    let chords: [Chord]
    do throws(HotkeyError) {
      chords = try Chord.chords(toPress: text)
    } catch {
      throw DecodingError.invalid("\(error)", at: decoder)
    }
    guard let chord = chords.first, chords.count == 1 else {
      throw DecodingError.invalid("“\(text)” is more than one chord", at: decoder)
    }
    self = chord
  }

  /// Writes ``textToPress``.
  public func encode(to encoder: any Encoder) throws { try textToPress.encode(to: encoder) }
}

extension HotkeyConfiguration: Codable {
  private enum CodingKeys: String, CodingKey {
    case sequenceTimeout, longestTap, abortKey
  }

  /// Reads an object with times in seconds and the key's name. What is missing has its default.
  public init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    sequenceTimeout =
      try container.decodeIfPresent(EventInterval.self, forKey: .sequenceTimeout)
      ?? sequenceTimeout
    longestTap =
      try container.decodeIfPresent(EventInterval.self, forKey: .longestTap) ?? longestTap
    abortKey = try container.decodeIfPresent(Key.self, forKey: .abortKey) ?? abortKey
  }

  /// Writes an object with times in seconds and the key's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sequenceTimeout, forKey: .sequenceTimeout)
    try container.encode(longestTap, forKey: .longestTap)
    try container.encode(abortKey, forKey: .abortKey)
  }
}

extension HotkeyConfiguration: CustomStringConvertible {
  /// All of it: `sequenceTimeout=3 s, longestTap=500 ms, abortKey=KEY_ESC`.
  public var description: String {
    "sequenceTimeout=\(sequenceTimeout), longestTap=\(longestTap), abortKey=\(abortKey)"
  }
}
