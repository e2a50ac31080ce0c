/// The number of a registered hotkey within one table; never used again for another.
public struct HotkeyID: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (a: HotkeyID, b: HotkeyID) -> Bool { a.rawValue < b.rawValue }
}

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
  /// Now is when it acts: with the press, the release or every repeat, as it asks for. A release that stands for a lost one is no reason to act.
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
