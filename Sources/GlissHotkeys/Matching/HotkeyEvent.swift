public import GlissEvents

/// A hotkey was pressed, is held or was released.
///
/// Each press is followed by exactly one release: when the key that completed it goes up, whatever its modifiers do, or
/// when the input is cancelled. A tap and a notch of the wheel are released as soon as they are pressed.
public struct HotkeyEvent: Hashable, Sendable, BitwiseCopyable {
  public enum Phase: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case pressed, released
    /// The key repeats. Only hotkeys that act with repeats are told.
    case repeated

    /// The word in the event schema.
    public var name: String {
      switch self {
      case .pressed: "pressed"
      case .released: "released"
      case .repeated: "repeated"
      }
    }
  }

  public var time: EventTime
  /// The device that the key belongs to.
  public var device: DeviceID
  public var hotkey: HotkeyID
  public var phase: Phase
  /// Now is when it acts (``Hotkey/Activation``). A release that stands for a lost one is no reason to act.
  public var acts: Bool

  public init(
    time: EventTime, device: DeviceID, hotkey: HotkeyID, phase: Phase, acts: Bool
  ) {
    self.time = time
    self.device = device
    self.hotkey = hotkey
    self.phase = phase
    self.acts = acts
  }
}

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
