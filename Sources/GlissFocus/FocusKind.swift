package import GlissEvents

extension FollowedWindow {
  /// What the desktop is asked, in words.
  package var question: String {
    switch self {
    case .focused: "which application has the focus"
    case .underPointer: "which application is under the pointer"
    }
  }
}

/// The kinds of desktop, by how they are reached.
package enum FocusKind: String, Hashable, Sendable, CaseIterable {
  case niri
  case hyprland
  case sway
  case wayland
  case kwin
  case gnome
  case x11

  /// What it is, in words.
  package var name: String {
    switch self {
    case .niri: "niri's socket"
    case .hyprland: "Hyprland's socket"
    case .sway: "the socket of sway or i3"
    case .wayland: "the Wayland compositor"
    case .kwin: "a script in KWin"
    case .gnome: "an extension of GNOME"
    case .x11: "the X server"
    }
  }

  /// Why this kind of desktop does not do `action`, and an alternative; `nil` if it does.
  package func refusal(of action: DesktopAction) -> String? {
    switch action {
    case .window(.close), .window(.fullscreen): nil
    case .window(.minimize):
      self == .niri
        ? "niri minimizes no windows: use workspace: next or window: close" : nil
    case .window(.maximize):
      self == .sway ? "sway and i3 maximize no windows: use window: fullscreen" : nil
    case .window(.float): floatRefusal
    case .window(.tileLeft), .window(.tileRight): tileRefusal
    case .workspace:
      self == .wayland
        ? "this Wayland compositor lets no program switch workspaces: use keys: with its shortcut"
        : nil
    }
  }

  private var floatRefusal: String? {
    switch self {
    case .niri, .hyprland, .sway: nil
    case .wayland: Self.placingRefusal
    case .kwin, .gnome:
      "all windows float on this desktop: use window: maximize, or remove the action"
    case .x11:
      "X11 window managers float no window for other programs: use keys: with your shortcut"
    }
  }

  private var tileRefusal: String? {
    switch self {
    case .niri, .hyprland, .sway, .kwin, .gnome: nil
    case .wayland: Self.placingRefusal
    case .x11:
      "X11 window managers tile no window for other programs: use keys: with your shortcut"
    }
  }

  private static let placingRefusal =
    "this Wayland compositor lets no program place windows: use keys: with its shortcut"
}
