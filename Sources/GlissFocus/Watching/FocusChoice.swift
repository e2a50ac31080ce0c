import Glibc
package import GlissDevices

/// A source that may work here.
package struct FocusChoice {
  package typealias Opening = (InputLoop) throws(FocusFailure) -> any FocusSource

  package let kind: FocusKind
  package let open: Opening

  package init(_ kind: FocusKind, open: @escaping Opening) {
    self.kind = kind
    self.open = open
  }

  /// The sources to try, in this order. Those of a particular desktop know more than Wayland's list,
  /// and the X server comes last, because Wayland compositors run one that knows only X11 windows.
  package static func present(_ place: Surroundings) -> [FocusChoice] {
    let waylands = place.waylandSockets
    var choices = place.niriSockets.map { path in
      FocusChoice(.niri) { loop throws(FocusFailure) in
        try SocketSource(path, on: loop, NiriMachine())
      }
    }
    choices += place.hyprlandFolders.map { folder in
      FocusChoice(.hyprland) { loop throws(FocusFailure) in try HyprlandSource(folder, on: loop) }
    }
    choices += place.swaySockets.map { path in
      FocusChoice(.sway) { loop throws(FocusFailure) in
        let events = try SocketSource(path, on: loop, SwayMachine())
        // i3 has no Wayland
        guard let wayland = waylands.first,
          let list = try? SocketSource(wayland, on: loop, WaylandMachine())
        else { return events }
        return LauncherAwareSource(events, list: list)
      }
    }
    choices += waylands.map { path in
      FocusChoice(.wayland) { loop throws(FocusFailure) in
        try SocketSource(path, on: loop, WaylandMachine())
      }
    }
    if let bus = place.bus, let folder = place.folder {
      choices.append(
        FocusChoice(.kwin) { loop throws(FocusFailure) in
          try KWinSource(bus: bus, folder: folder, on: loop)
        })
      choices.append(
        FocusChoice(.gnome) { loop throws(FocusFailure) in try GnomeSource(bus: bus, on: loop) })
    }
    if let display = place.display {
      choices.append(
        FocusChoice(.x11) { loop throws(FocusFailure) in
          let cookie = XAuthority.cookie(display: display, file: place.authorityFile)
          return try SocketSource(
            "/tmp/.X11-unix/X\(display)", on: loop, X11Machine(cookie))
        })
    }
    return choices
  }
}
