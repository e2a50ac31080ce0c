import Glibc
import GlissDevices

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
