import Glibc
import GlissDevices
import GlissEvents
import TestSupport
import Testing

@testable import GlissFocus

@Suite struct DesktopEnvironmentTests {
  private func environment(_ variables: [String: String]) -> DesktopEnvironment {
    DesktopEnvironment(user: 4_000_000) { variables[$0] }
  }

  @Test(
    arguments: [
      ([:], []),
      (["XDG_RUNTIME_DIR": "/nowhere", "WAYLAND_DISPLAY": "wayland-0"], [.wayland]),
      (["SWAYSOCK": "/s", "WAYLAND_DISPLAY": "/w", "DISPLAY": ":0"], [.sway, .wayland]),
      (["I3SOCK": "/s", "DISPLAY": ":0.0"], [.sway, .x11]),
      (["NIRI_SOCKET": "/n", "WAYLAND_DISPLAY": "/w"], [.niri, .wayland]),
      (["DISPLAY": ":1", "XDG_SESSION_TYPE": "wayland"], []),
      (["DISPLAY": "elsewhere:1"], []), (["DISPLAY": ":"], []), (["DISPLAY": ":é"], []),
      (["DISPLAY": "unix:12"], [.x11]),
      (
        [
          "DBUS_SESSION_BUS_ADDRESS": "unix:path=/b", "XDG_RUNTIME_DIR": "/nowhere",
          "WAYLAND_DISPLAY": "w", "DISPLAY": ":0",
        ], [.wayland, .kwin, .gnome]
      ),
    ] as [([String: String], [FocusKind])])
  func theVariablesSayWhatToTry(_ variables: [String: String], _ kinds: [FocusKind]) {
    #expect(environment(variables).focusChoices.map(\.kind) == kinds)
    #expect(environment(variables).actionChoices.map(\.kind) == kinds)
  }

  @Test func sourcesOfTheFocusAloneAreNotAskedForThePointer() throws {
    let desktop = try FakeDesktop("s") { FakeDesktop.waitForEnd($0) }
    let loop = try InputLoop()
    let variables = [
      "NIRI_SOCKET": desktop.path, "SWAYSOCK": desktop.path, "WAYLAND_DISPLAY": desktop.path,
    ]
    let choices = environment(variables).focusChoices
    #expect(choices.map(\.kind) == [.niri, .sway, .wayland])
    for choice in choices {
      let failure = DesktopFailure.unsupported(
        "\(choice.kind.name) does not say what is under the pointer")
      #expect(throws: failure) { try choice.open(loop, .underPointer) }
    }
    #expect(throws: DesktopFailure.unreachable("/nowhere", code: ENOENT)) {
      try environment(["SWAYSOCK": "/nowhere"]).focusChoices.first?.open(loop, .underPointer)
    }
  }

  /// A desktop that restarts has another socket; a service without variables has to look for one.
  @Test func socketsInTheRuntimeFolderAreFound() throws {
    var template = Array("/tmp/gliss-focus-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { removeFolder(folder) }
    mkdir(folder + "/hypr", 0o700)
    mkdir(folder + "/hypr/abc_1", 0o700)
    for name in ["sway-ipc.7.99.sock", "wayland-1", "wayland-1.lock", "niri.wayland-1.5.sock"] {
      close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600))
    }
    func place(_ variables: [String: String]) -> DesktopEnvironment {
      let all = variables.merging(["XDG_RUNTIME_DIR": folder]) { $1 }
      return DesktopEnvironment(user: 7) { all[$0] }
    }
    let bare = place([:])
    #expect(bare.swaySockets == ["\(folder)/sway-ipc.7.99.sock"])
    #expect(bare.waylandSockets == ["\(folder)/wayland-1"])
    #expect(bare.niriSockets == ["\(folder)/niri.wayland-1.5.sock"])
    #expect(bare.hyprlandFolders == ["\(folder)/hypr/abc_1"])
    let restarted = place(["SWAYSOCK": "\(folder)/sway-ipc.7.1.sock"])
    #expect(
      restarted.swaySockets == ["\(folder)/sway-ipc.7.1.sock", "\(folder)/sway-ipc.7.99.sock"])
    // a desktop in a window of this one
    close(open("\(folder)/wayland-0", O_CREAT | O_WRONLY, 0o600))
    #expect(place(["WAYLAND_DISPLAY": "wayland-0"]).waylandSockets == ["\(folder)/wayland-0"])
    #expect(place(["WAYLAND_DISPLAY": "wayland-7"]).waylandSockets.count == 3)
    // another session's
    #expect(restarted.niriSockets == [])
  }

  private func removeFolder(_ path: String) {
    for name in Folder.names(in: path) where unlink("\(path)/\(name)") != 0 {
      removeFolder("\(path)/\(name)")
    }
    rmdir(path)
  }
}
