/// Who named the keyboard layout.
public enum LayoutSource: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Whoever asked: `--layout`.
  case explicit
  /// The variables `XKB_DEFAULT_*`.
  case environment
  /// systemd's settings of the machine.
  case locale1
  /// The file that Debian's installer writes.
  case defaultsFile
  /// Nobody: xkb's own default.
  case standard

  /// Where it says so, for `gliss doctor`.
  public var description: String {
    switch self {
    case .explicit: "--layout"
    case .environment: "XKB_DEFAULT_LAYOUT"
    case .locale1: "systemd's locale1 (localectl)"
    case .defaultsFile: "/etc/default/keyboard"
    case .standard: "xkb's default"
    }
  }
}
