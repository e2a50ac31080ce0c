package import GlissEvents

/// The table of actions and desktops.
extension FocusKind {
  /// Why this kind of desktop does not do `action`, and what to write instead; `nil` if it does it.
  package func refusal(of action: DesktopAction) -> String? {
    switch action {
    case .workspace: workspaceRefusal
    case .window(let action): refusal(of: action)
    }
  }

  private var workspaceRefusal: String? {
    switch self {
    case .wayland:
      "this Wayland compositor lets no program switch workspaces: use keys: with its shortcut"
    case .niri, .hyprland, .sway, .kwin, .gnome, .x11: nil
    }
  }

  private func refusal(of action: WindowAction) -> String? {
    switch (self, action) {
    case (_, .close), (_, .fullscreen): nil
    case (.niri, .minimize): "niri minimizes no windows: use workspace: next or window: close"
    case (.sway, .maximize): "sway and i3 maximize no windows: use window: fullscreen"
    case (_, .minimize), (_, .maximize): nil
    case (.niri, .float), (.hyprland, .float), (.sway, .float): nil
    case (.wayland, .float), (.wayland, .tileLeft), (.wayland, .tileRight):
      "this Wayland compositor lets no program place windows: use keys: with its shortcut"
    case (.x11, .float):
      "X11 window managers float no window for other programs: use keys: with your shortcut"
    case (.kwin, .float), (.gnome, .float):
      "all windows float on this desktop: use window: maximize, or remove the action"
    case (.x11, .tileLeft), (.x11, .tileRight):
      "X11 window managers tile no window for other programs: use keys: with your shortcut"
    case (.niri, .tileLeft), (.hyprland, .tileLeft), (.sway, .tileLeft), (.kwin, .tileLeft),
      (.gnome, .tileLeft), (.niri, .tileRight), (.hyprland, .tileRight), (.sway, .tileRight),
      (.kwin, .tileRight), (.gnome, .tileRight):
      nil
    }
  }

  /// The desktops of this kind.
  package var desktops: String {
    switch self {
    case .niri: "niri"
    case .hyprland: "Hyprland"
    case .sway: "sway, i3"
    case .wayland: "other Wayland"
    case .kwin: "KDE Plasma"
    case .gnome: "GNOME"
    case .x11: "other X11"
    }
  }
}

/// Why an action was not done.
package enum ActionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// This desktop is not there. Another one may be.
  case absent(FocusFailure)
  /// The desktop is there and does not do it.
  case refused(String)

  package var description: String {
    switch self {
    case .absent(let failure): failure.description
    case .refused(let text): text
    }
  }
}
