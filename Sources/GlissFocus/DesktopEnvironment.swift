import Glibc
package import GlissDevices
package import GlissEvents

/// Where desktops may be reached: the environment, and the sockets in the runtime folder.
///
/// A desktop that restarts has a socket with another name, and a service that systemd starts early has
/// no variables of the desktop. So the folder is searched for sockets of the same kind, too; of all
/// kinds only if no variable names a desktop, because other sessions of this user have theirs there.
package struct DesktopEnvironment {
  private let variable: (String) -> String?
  private let user: UInt32

  package static var current: DesktopEnvironment { DesktopEnvironment { environmentVariable($0) } }

  package init(user: UInt32 = getuid(), _ variable: @escaping (String) -> String?) {
    self.user = user
    // an empty one is as good as none
    self.variable = { name in variable(name).flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// The runtime folder.
  var folder: String? {
    variable("XDG_RUNTIME_DIR")
      ?? (access("/run/user/\(user)", X_OK) == 0 ? "/run/user/\(user)" : nil)
  }

  private static let desktopVariables = [
    "NIRI_SOCKET", "HYPRLAND_INSTANCE_SIGNATURE", "SWAYSOCK", "I3SOCK", "WAYLAND_DISPLAY",
    "DISPLAY",
  ]

  private var hasDesktop: Bool { Self.desktopVariables.contains { variable($0) != nil } }

  var niriSockets: [String] {
    sockets(named: ["NIRI_SOCKET"], "") { $0.hasPrefix("niri.") && $0.hasSuffix(".sock") }
  }

  var hyprlandFolders: [String] {
    let named = variable("HYPRLAND_INSTANCE_SIGNATURE")
    guard let folder, named != nil || !hasDesktop else { return [] }
    let found = Folder.names(in: folder + "/hypr").sorted().map { "\(folder)/hypr/\($0)" }
    // older versions use /tmp
    let own = named.map { ["\(folder)/hypr/\($0)", "/tmp/hypr/\($0)"] } ?? []
    return own + found.filter { !own.contains($0) }
  }

  var swaySockets: [String] {
    let prefix = "sway-ipc.\(user)."
    return sockets(named: ["SWAYSOCK"], "") { $0.hasPrefix(prefix) }
      + sockets(named: ["I3SOCK"], "/i3") { $0.hasPrefix("ipc-socket.") }
  }

  var waylandSockets: [String] {
    let all = sockets(named: ["WAYLAND_DISPLAY"], "") {
      $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock")
    }
    // another one belongs to another desktop, unless the named one is left over
    guard variable("WAYLAND_DISPLAY") != nil, let named = all.first, access(named, F_OK) == 0 else {
      return all
    }
    return [named]
  }

  /// The sockets that variables name, then those in the folder.
  private func sockets(
    named variables: [String], _ subfolder: String, where isOne: (String) -> Bool
  ) -> [String] {
    let values = variables.compactMap(variable)
    guard !values.isEmpty || !hasDesktop else { return [] }
    let own = values.map { $0.hasPrefix("/") ? $0 : "\(folder ?? "")/\($0)" }
    let place = folder.map { $0 + subfolder }
    let found = place.map { Folder.names(in: $0).filter(isOne).sorted() } ?? []
    return own + found.map { "\(place ?? "")/\($0)" }.filter { !own.contains($0) }
  }

  /// The session bus.
  var bus: String? {
    if let named = variable("DBUS_SESSION_BUS_ADDRESS") { return named }
    guard let path = folder.map({ $0 + "/bus" }), access(path, W_OK) == 0 else { return nil }
    return "unix:path=\(path)"
  }

  /// The number of this computer's X display; `nil` under Wayland.
  var display: String? {
    guard variable("WAYLAND_DISPLAY") == nil, variable("XDG_SESSION_TYPE") != "wayland",
      let name = variable("DISPLAY"), let colon = name.lastIndex(of: ":"),
      ["", "unix"].contains(name[..<colon])
    else { return nil }
    let number = name[name.index(after: colon)...].prefix { $0 != "." }
    return number.isEmpty || !number.utf8.allSatisfy { (0x30...0x39).contains($0) }
      ? nil : String(number)
  }

  /// The user's cookies for X servers.
  var authorityFile: String {
    variable("XAUTHORITY") ?? (variable("HOME") ?? "") + "/.Xauthority"
  }
}

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
