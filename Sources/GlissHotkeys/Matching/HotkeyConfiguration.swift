public import GlissEvents

/// The times that hotkeys go by, and the key that gives up.
public struct HotkeyConfiguration: Hashable, Sendable {
  /// How long a sequence waits for its next chord. sxhkd: 3 s.
  public var sequenceTimeout = EventInterval.milliseconds(3000)
  /// How long a modifier may be down and still be tapped: half of xremap's 1 s, so that a hesitation is no tap.
  public var longestTap = EventInterval.milliseconds(500)
  /// Pressed without modifiers it ends a sequence or leaves a mode, unless a hotkey there asks for it.
  public var abortKey = Key(rawValue: 1)

  public init() {}
}
