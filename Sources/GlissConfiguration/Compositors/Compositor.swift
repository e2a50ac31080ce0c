/// A desktop that may act on touchpad gestures itself. Gliss only observes gestures, so both act.
public enum Compositor: String, Hashable, Sendable, CaseIterable {
  case gnome, kde, hyprland, sway, niri

  public var name: String {
    switch self {
    case .gnome: "GNOME Shell"
    case .kde: "KWin (KDE Plasma)"
    case .hyprland: "Hyprland"
    case .sway: "sway"
    case .niri: "niri"
    }
  }

  /// The running compositor according to the session's environment; `nil` if it is none of these.
  ///
  /// Variables that compositors set themselves go first. Those of the session may be left over from
  /// a login manager.
  public init?(environment value: (String) -> String?) {
    func isSet(_ name: String) -> Bool { !(value(name) ?? "").isEmpty }
    if isSet("NIRI_SOCKET") {
      self = .niri
    } else if isSet("HYPRLAND_INSTANCE_SIGNATURE") {
      self = .hyprland
    } else if isSet("SWAYSOCK") {
      self = .sway
    } else {
      let names = ["XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "DESKTOP_SESSION"]
      let words = names.flatMap { (value($0) ?? "").split(separator: ":") }
      guard let found = words.lazy.compactMap({ Self(word: $0.lowercased()) }).first else {
        return nil
      }
      self = found
    }
  }

  /// The names that desktops use for themselves: ubuntu:GNOME, KDE, plasmawayland.
  private init?(word: String) {
    switch word {
    case "gnome", "gnome-classic", "gnome-wayland", "ubuntu", "ubuntu-wayland": self = .gnome
    case "kde", "plasma", "plasmawayland": self = .kde
    case "hyprland": self = .hyprland
    case "sway": self = .sway
    case "niri": self = .niri
    case _: return nil
    }
  }
}
