/// The source of the keyboard layout.
public enum LayoutSource: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The caller: `--layout`.
  case explicit
  /// The variables `XKB_DEFAULT_*`.
  case environment
  /// systemd's machine-wide settings.
  case locale1
  /// The file written by Debian's installer.
  case defaultsFile
  /// None: xkb's own default.
  case standard

  /// The source's name for `gliss doctor`.
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
