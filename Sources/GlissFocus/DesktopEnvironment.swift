import Glibc
import GlissDevices
import GlissEvents

/// Where desktops may be reached: the environment, and the sockets in the runtime folder.
///
/// A desktop that restarts gets a socket with another name, and a service that systemd starts early
/// has none of the desktop's variables. So the folder is searched, too: for sockets of the kind
/// that a variable names, and for all kinds only if no variable names a desktop, because this
/// user's other sessions have their sockets there.
package struct DesktopEnvironment {
  private let variable: (String) -> String?
  private let user: UInt32

  package static var current: DesktopEnvironment { DesktopEnvironment { environmentVariable($0) } }

  package init(user: UInt32 = getuid(), _ variable: @escaping (String) -> String?) {
    self.user = user
    // treat an empty variable as unset
    self.variable = { name in variable(name).flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// `XDG_RUNTIME_DIR`, which must be absolute, or its usual place.
  package var folder: String? {
    if let named = variable("XDG_RUNTIME_DIR"), named.hasPrefix("/") { return named }
    let usual = "/run/user/\(user)"
    return access(usual, W_OK) == 0 ? usual : nil
  }

  private static let desktopVariables = [
    "NIRI_SOCKET", "HYPRLAND_INSTANCE_SIGNATURE", "SWAYSOCK", "I3SOCK", "WAYLAND_DISPLAY",
    "DISPLAY",
  ]

  private var hasDesktop: Bool { Self.desktopVariables.contains { variable($0) != nil } }

  var niriSockets: [String] {
    sockets(named: "NIRI_SOCKET") { $0.hasPrefix("niri.") && $0.hasSuffix(".sock") }
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
    return sockets(named: "SWAYSOCK") { $0.hasPrefix(prefix) }
      + sockets(named: "I3SOCK", in: "/i3") { $0.hasPrefix("ipc-socket.") }
  }

  var waylandSockets: [String] {
    let all = sockets(named: "WAYLAND_DISPLAY") {
      $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock")
    }
    // other sockets belong to other desktops, unless the named one no longer exists
    guard variable("WAYLAND_DISPLAY") != nil, let named = all.first, access(named, F_OK) == 0 else {
      return all
    }
    return [named]
  }

  private func sockets(
    named name: String, in subfolder: String = "", where isOne: (String) -> Bool
  ) -> [String] {
    let value = variable(name)
    guard value != nil || !hasDesktop else { return [] }
    let own = value.map { [$0.hasPrefix("/") ? $0 : "\(folder ?? "")/\($0)"] } ?? []
    guard let place = folder.map({ $0 + subfolder }) else { return own }
    let found = Folder.names(in: place).filter(isOne).sorted().map { "\(place)/\($0)" }
    return own + found.filter { !own.contains($0) }
  }

  package var bus: String? {
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
}

extension DesktopEnvironment {
  private typealias Place = (kind: FocusKind, address: String)

  /// They are tried in this order. The protocols of particular desktops report more than Wayland's
  /// list. The X server comes last, because Wayland compositors run one that knows only X11
  /// windows.
  ///
  /// An address is a socket, Hyprland's folder of sockets, or the bus.
  private var places: [Place] {
    var places: [Place] = niriSockets.map { (.niri, $0) }
    places += hyprlandFolders.map { (.hyprland, $0) }
    places += swaySockets.map { (.sway, $0) }
    places += waylandSockets.map { (.wayland, $0) }
    if let bus, folder != nil { places += [(.kwin, bus), (.gnome, bus)] }
    if let display { places.append((.x11, "/tmp/.X11-unix/X\(display)")) }
    return places
  }

  package var focusChoices: [FocusChoice] {
    places.map { place in
      FocusChoice(place.kind) { loop, window throws(DesktopFailure) in
        try follow(window, at: place, on: loop)
      }
    }
  }

  package var actionChoices: [ActionChoice] {
    places.map { place in
      ActionChoice(place.kind) { loop, action throws(DesktopFailure) in
        try perform(action, at: place, on: loop)
      }
    }
  }

  private func follow(
    _ window: FollowedWindow, at place: Place, on loop: InputLoop
  ) throws(DesktopFailure) -> any DesktopConnection<Focus> {
    let (kind, address) = place
    switch (kind, window) {
    case (.niri, .focused): return try SocketConnection(address, on: loop, NiriMachine())
    case (.hyprland, .focused): return try HyprlandFocus(address, on: loop)
    case (.sway, .focused):
      let events = try SocketConnection(address, on: loop, SwayMachine())
      // under i3 there is no Wayland socket
      guard let wayland = waylandSockets.first,
        let list = try? SocketConnection(wayland, on: loop, WaylandMachine())
      else { return events }
      return LauncherAwareFocus(events, list: list)
    case (.wayland, .focused): return try SocketConnection(address, on: loop, WaylandMachine())
    case (.niri, .underPointer), (.hyprland, .underPointer), (.sway, .underPointer),
      (.wayland, .underPointer):
      _ = try LocalSocket(kind == .hyprland ? address + "/.socket2.sock" : address, on: loop)
      // niri could only be polled, if at all
      throw .unsupported("\(kind.name) does not say what is under the pointer")
    case (.kwin, _): return KWinFocus(window, try kwin(address, on: loop))
    case (.gnome, _): return try GnomeFocus(window, bus: address, on: loop)
    case (.x11, _):
      return try SocketConnection(address, on: loop, X11Machine(cookie, following: window))
    }
  }

  private func perform(
    _ action: DesktopAction?, at place: Place, on loop: InputLoop
  ) throws(DesktopFailure) -> any DesktopConnection<FocusKind> {
    let (kind, address) = place
    switch kind {
    case .niri: return try SocketConnection(address, on: loop, NiriAction(action))
    case .hyprland: return HyprlandAction(action, address, on: loop)
    case .sway: return try SocketConnection(address, on: loop, SwayAction(action))
    case .wayland: return try SocketConnection(address, on: loop, WaylandAction(action))
    case .kwin: return KWinAction(action, try kwin(address, on: loop))
    case .gnome: return try GnomeAction(action, bus: address, on: loop)
    case .x11: return try SocketConnection(address, on: loop, X11Action(action, cookie))
    }
  }

  private func kwin(_ bus: String, on loop: InputLoop) throws(DesktopFailure) -> KWin {
    try KWin(bus: bus, folder: folder ?? "", on: loop)
  }

  private var cookie: [UInt8]? {
    let file = variable("XAUTHORITY") ?? (variable("HOME") ?? "") + "/.Xauthority"
    return display.flatMap { XAuthority.cookie(display: $0, file: file) }
  }
}
