public import GlissEvents

/// Timing of hotkeys, and the key that aborts a sequence or mode.
public struct HotkeyConfiguration: Hashable, Sendable {
  /// How long a sequence waits for its next chord. sxhkd: 3 s.
  public var sequenceTimeout = EventInterval.milliseconds(3000)
  /// How long a modifier may be held and still count as tapped: half of xremap's 1 s, so that
  /// hesitation is not a tap.
  public var longestTap = EventInterval.milliseconds(500)
  /// Pressed without modifiers, it ends a sequence or leaves a mode, unless a hotkey there uses it.
  public var abortKey = Key(rawValue: 1)

  public init() {}
}
