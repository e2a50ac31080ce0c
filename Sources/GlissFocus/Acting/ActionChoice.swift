import Glibc
package import GlissDevices
package import GlissEvents

/// A desktop that may be there, and how it does an action.
package struct ActionChoice {
  /// Without an action, the desktop is only looked for.
  package typealias Opening = (InputLoop, DesktopAction?) throws(ActionFailure) -> any ActionAttempt

  package let kind: FocusKind
  package let open: Opening

  package init(_ kind: FocusKind, open: @escaping Opening) {
    self.kind = kind
    self.open = open
  }

  /// The desktops to try, in the order of ``FocusChoice/present(_:)``.
  package static func present(_ place: DesktopEnvironment) -> [ActionChoice] {
    var choices = place.niriSockets.map { path in socket(.niri, path, NiriAction.init) }
    choices += place.hyprlandFolders.map { folder in
      // it may be in /tmp, where anybody could serve it
      socket(.hyprland, folder + "/.socket.sock", servedBy: [getuid(), 0], HyprlandAction.init)
    }
    choices += place.swaySockets.map { path in socket(.sway, path, SwayAction.init) }
    choices += place.waylandSockets.map { path in socket(.wayland, path, WaylandAction.init) }
    if let bus = place.bus, let folder = place.folder {
      choices.append(
        ActionChoice(.kwin) { loop, action throws(ActionFailure) in
          try KWinAttempt(action, bus: bus, folder: folder, on: loop)
        })
      choices.append(
        ActionChoice(.gnome) { loop, action throws(ActionFailure) in
          try GnomeAttempt(action, bus: bus, on: loop)
        })
    }
    if let display = place.display {
      choices.append(
        socket(.x11, "/tmp/.X11-unix/X\(display)") { action in
          X11Action(action, XAuthority.cookie(display: display, file: place.authorityFile))
        })
    }
    return choices
  }

  private static func socket<Machine: ActionMachine>(
    _ kind: FocusKind, _ path: String, servedBy users: Set<UInt32>? = nil,
    _ machine: @escaping (DesktopAction?) -> Machine
  ) -> ActionChoice {
    ActionChoice(kind) { loop, action throws(ActionFailure) in
      try SocketAttempt(path, on: loop, servedBy: users, machine(action))
    }
  }
}
