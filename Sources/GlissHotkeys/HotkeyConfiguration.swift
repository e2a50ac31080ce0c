public import GlissEvents

/// Timing of hotkeys, and the key that aborts a sequence or mode.
public struct HotkeyConfiguration: Hashable, Sendable {
  /// How long a sequence waits for its next chord. sxhkd: 3 s.
  public var sequenceTimeout = EventInterval.milliseconds(3000)
  /// How long a modifier may be held and still count as tapped: half of xremap's 1 s, so that
  /// hesitation is not a tap.
  public var longestTap = EventInterval.milliseconds(500)
  /// Pressed without modifiers, it ends a sequence or leaves a mode, unless a hotkey there uses it.
  public var abortKey = Key.escape

  /// Creates a configuration with the defaults above.
  public init() {}
}

extension HotkeyConfiguration: Codable {
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
}

extension HotkeyConfiguration: CustomStringConvertible {
  /// All of it: `sequenceTimeout=3 s, longestTap=500 ms, abortKey=KEY_ESC`.
  public var description: String {
    "sequenceTimeout=\(sequenceTimeout), longestTap=\(longestTap), abortKey=\(abortKey)"
  }
}
