/// The number of a registered hotkey within one table; never reused for another.
public struct HotkeyID: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (a: HotkeyID, b: HotkeyID) -> Bool { a.rawValue < b.rawValue }
}

/// A hotkey was pressed, repeated or released.
///
/// Each press is followed by exactly one release: when the key that completed it goes up, whatever
/// its modifiers do, or when the input is cancelled. A tap or a wheel notch is released as soon as
/// it is pressed.
public struct HotkeyEvent: Hashable, Sendable, BitwiseCopyable {
  /// What has happened to a hotkey.
  public enum Phase: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// All of it is down, or its sequence is complete.
    case pressed
    /// Its last key went up, or something ended it. Sent exactly once after each press.
    case released
    /// The key repeats. Reported only for hotkeys that act on repeats.
    case repeated
  }

  /// The time of the key event behind it.
  public var time: EventTime
  /// The device of the key.
  public var device: DeviceID
  /// The hotkey, by the number that registering returned.
  public var hotkey: HotkeyID
  /// Whether it was pressed, repeated or released.
  public var phase: Phase
  /// Whether to act now: on the press, the release or every repeat, as the hotkey specifies. A
  /// release that replaces a lost one does not act.
  public var shouldAct: Bool

  /// An event of a hotkey.
  public init(
    time: EventTime, device: DeviceID, hotkey: HotkeyID, phase: Phase, shouldAct: Bool
  ) {
    self.time = time
    self.device = device
    self.hotkey = hotkey
    self.phase = phase
    self.shouldAct = shouldAct
  }
}
