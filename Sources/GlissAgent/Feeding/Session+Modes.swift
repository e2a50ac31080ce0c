import GlissEvents
import GlissHotkeys
import GlissSession

// Modes of rules, as a session of our own has them.
extension Session {
  /// Lets the hotkeys of `mode` hold, and no others: also where it has none, or there is no mode.
  func follow(mode: String?) {
    guard let mode, enterHotkeyMode(mode) else { return leaveHotkeyMode() }
  }

  /// Makes `modes`, in which no hotkey holds, modes of the session too: Escape calls `leave` there, as it leaves others.
  @discardableResult
  func addEscapes(from modes: [String], _ leave: @escaping () -> Void) -> [HotkeyID] {
    let escape = Hotkey(Chord([], .key(HotkeyConfiguration().abortKey)))
    return modes.compactMap { mode in
      try? registerHotkey(escape, mode: mode) { if $0.acts { leave() } }
    }
  }
}
