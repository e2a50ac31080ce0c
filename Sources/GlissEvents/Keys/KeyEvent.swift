/// A key pressed, repeated or released.
///
/// Keys are the seat's, not the device's: one that is held on two keyboards is told as pressed by the first and as
/// released when the last lets go. Each press is followed by exactly one release, which names the same device.
public struct KeyEvent: Hashable, Sendable, BitwiseCopyable {
  public enum State: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case down, up
    /// Still held down, and told again: by the keyboard itself, or after the session's own `KeyRepeat`.
    case `repeat`

    /// The word in the event schema.
    public var name: String {
      switch self {
      case .down: "down"
      case .up: "up"
      case .repeat: "repeat"
      }
    }
  }

  public var time: EventTime
  public var device: DeviceID
  public var key: Key
  public var state: State
  /// The modifiers that are down after this event, on any keyboard.
  public var modifiers: Modifiers
  /// What the layout calls the key, with the modifiers as they are: a number of X11's `keysymdef.h`, 0 where nobody
  /// translated it or the layout has nothing there.
  public var keysym: UInt32
  /// What a press or repeat types; empty where that is nothing.
  ///
  /// Commands type nothing, and neither do control characters: Return, Tab, Escape and Backspace, and keys pressed with
  /// Ctrl, Alt or Super, have only their ``keysym``. Dead keys and Compose have theirs too: composing is for those who
  /// show the text.
  public var text: KeyText

  public init(
    time: EventTime, device: DeviceID, key: Key, state: State, modifiers: Modifiers,
    keysym: UInt32 = 0, text: KeyText = .none
  ) {
    self.time = time
    self.device = device
    self.key = key
    self.state = state
    self.modifiers = modifiers
    self.keysym = keysym
    self.text = text
  }
}
