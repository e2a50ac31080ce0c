public import GlissEvents

extension Hotkey {
  /// The name of a hotkey that the user chooses, for handlers and for storing.
  ///
  /// ```swift
  /// extension Hotkey.Name {
  ///   static let openTerminal = Self("openTerminal")
  /// }
  /// ```
  ///
  /// A `[Hotkey.Name: Hotkey]` is stored as an object: `{"openTerminal": "super+shift+t"}`.
  public struct Name: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable,
    CustomStringConvertible
  {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name that is stored as `rawValue`.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// A key with modifiers: `Hotkey(.t, [.super, .shift])`.
  public init(_ key: Key, _ modifiers: ChordModifiers = [], activation: Activation = .press) {
    self.init(Chord(modifiers, .key(key)), activation: activation)
  }
}

extension Hotkey: Codable {
  /// Reads the text of a hotkey.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the mistake, if the text is not a hotkey.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(HotkeyError) {
      self = try Hotkey(text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes its canonical text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
