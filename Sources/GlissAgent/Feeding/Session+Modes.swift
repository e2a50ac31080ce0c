import GlissEvents
import GlissHotkeys
import GlissSession

// Modes of rules, for a session of our own.
extension Session {
  /// Enables the hotkeys of `mode` and disables those of other modes, also if `mode` has none or is
  /// `nil`.
  func follow(mode: String?) {
    guard let mode, enterHotkeyMode(mode) else { return leaveHotkeyMode() }
  }

  /// Makes `modes`, which have no hotkeys, modes of the session too. Escape calls `leave` there, as
  /// in other modes.
  @discardableResult
  func addEscapes(from modes: [String], _ leave: @escaping () -> Void) -> [HotkeyID] {
    let escape = Hotkey(Chord([], .key(HotkeyConfiguration().abortKey)))
    return modes.compactMap { mode in
      try? registerHotkey(escape, mode: mode) { if $0.acts { leave() } }
    }
  }
}
