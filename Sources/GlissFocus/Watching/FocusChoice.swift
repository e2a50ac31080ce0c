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
  package static func present(
    _ place: DesktopEnvironment, following window: FollowedWindow = .focused
  ) -> [FocusChoice] {
    switch window {
    case .focused:
      sockets(place) + sway(place) + waylandLists(place)
        + onBus(place, following: window) + xServer(place, following: window)
    case .underPointer:
      // the first of these could only be asked again and again, if at all
      place.niriSockets.map { silent(.niri, $0) }
        + place.hyprlandFolders.map { silent(.hyprland, $0 + "/.socket2.sock") }
        + place.swaySockets.map { silent(.sway, $0) }
        + place.waylandSockets.map { silent(.wayland, $0) }
        + onBus(place, following: window) + xServer(place, following: window)
    }
  }

  private static func sockets(_ place: DesktopEnvironment) -> [FocusChoice] {
    place.niriSockets.map { path in
      FocusChoice(.niri) { loop throws(FocusFailure) in
        try SocketSource(path, on: loop, NiriMachine())
      }
    }
      + place.hyprlandFolders.map { folder in
        FocusChoice(.hyprland) { loop throws(FocusFailure) in
          try HyprlandSource(folder, on: loop)
        }
      }
  }

  private static func sway(_ place: DesktopEnvironment) -> [FocusChoice] {
    let wayland = place.waylandSockets.first
    return place.swaySockets.map { path in
      FocusChoice(.sway) { loop throws(FocusFailure) in
        let events = try SocketSource(path, on: loop, SwayMachine())
        // i3 has no Wayland
        guard let wayland, let list = try? SocketSource(wayland, on: loop, WaylandMachine())
        else { return events }
        return LauncherAwareSource(events, list: list)
      }
    }
  }

  private static func waylandLists(_ place: DesktopEnvironment) -> [FocusChoice] {
    place.waylandSockets.map { path in
      FocusChoice(.wayland) { loop throws(FocusFailure) in
        try SocketSource(path, on: loop, WaylandMachine())
      }
    }
  }

  private static func onBus(
    _ place: DesktopEnvironment, following window: FollowedWindow
  ) -> [FocusChoice] {
    guard let bus = place.bus, let folder = place.folder else { return [] }
    return [
      FocusChoice(.kwin) { loop throws(FocusFailure) in
        try KWinSource(window, bus: bus, folder: folder, on: loop)
      },
      FocusChoice(.gnome) { loop throws(FocusFailure) in
        try GnomeSource(window, bus: bus, on: loop)
      },
    ]
  }

  private static func xServer(
    _ place: DesktopEnvironment, following window: FollowedWindow
  ) -> [FocusChoice] {
    guard let display = place.display else { return [] }
    return [
      FocusChoice(.x11) { loop throws(FocusFailure) in
        let cookie = XAuthority.cookie(display: display, file: place.authorityFile)
        return try SocketSource(
          "/tmp/.X11-unix/X\(display)", on: loop, X11Machine(cookie, following: window))
      }
    ]
  }

  /// A desktop that does not report this window, if it is there.
  private static func silent(_ kind: FocusKind, _ path: String) -> FocusChoice {
    FocusChoice(kind) { loop throws(FocusFailure) in
      _ = try LocalSocket(path, on: loop)
      throw .unsupported("\(kind.name) does not say what is under the pointer")
    }
  }
}
