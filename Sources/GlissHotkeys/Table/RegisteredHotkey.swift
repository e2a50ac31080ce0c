public import GlissEvents

/// A registered hotkey and its owner.
public struct RegisteredHotkey: Hashable, Sendable {
  /// Its number, which its events carry.
  public let id: HotkeyID
  /// What must be pressed.
  public let hotkey: Hotkey
  /// The name reported to others that want the same keys.
  public let owner: String
  /// The mode it is active in; `nil` for none.
  public let mode: String?
  /// Whether its keys are withheld from the rest of the desktop, if possible.
  public let consumes: Bool
}
