import Foundation
import GlissPortal
import Testing

/// `gliss portal on` and `off`, and `gliss shortcuts`, in a home of their own.
@Suite struct PortalTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func run(_ arguments: String..., desktop: String = "sway") throws -> Command {
    let process = try Command.process(
      arguments,
      environment: [
        "HOME": home.url.path, "XDG_CURRENT_DESKTOP": desktop,
        "XDG_DATA_DIRS": home.url.appending(path: "share").path, "XDG_CONFIG_DIRS": "/nowhere",
      ])
    return try Command.run(process)
  }

  private func write(_ text: String, _ path: String) throws {
    let file = home.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func text(_ path: String) -> String? {
    try? String(contentsOf: home.url.appending(path: path), encoding: .utf8)
  }

  /// A portal of that version, as D-Bus knows it.
  private func install(
    version: String = "1.20.0", desktop: String = "sway", program command: String? = nil
  ) throws {
    let program = home.url.appending(path: "bin/xdg-desktop-portal").path
    let command = command ?? "echo xdg-desktop-portal \(version)"
    try write("#!/bin/sh\nexec \(command)\n", "bin/xdg-desktop-portal")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    try write(
      "[D-BUS Service]\nExec=\(program)\n",
      "share/dbus-1/services/org.freedesktop.portal.Desktop.service")
    try write(
      "[portal]\nInterfaces=\(PortalsConf.key)\nUseIn=\(desktop)\n",
      "share/xdg-desktop-portal/portals/gliss.portal")
  }

  private let own = ".config/xdg-desktop-portal/sway-portals.conf"
  private let shared = "share/xdg-desktop-portal/sway-portals.conf"

  @Test func onCopiesWhatIsInForceAndOffTakesItAway() throws {
    try install(desktop: "river")
    try FileManager.default.removeItem(
      at: home.url.appending(path: "share/xdg-desktop-portal/portals/gliss.portal"))
    try write("[preferred]\ndefault=gtk\norg.x=wlr\n", shared)
    #expect(try run("portal").status == 1)
    let on = try run("portal", "on")
    #expect(on.status == 0, "\(on.errors)")
    #expect(on.output.contains("a copy of \(home.url.path)/\(shared)"))
    #expect(on.output.contains("systemctl --user restart xdg-desktop-portal"))
    // it says that the package is missing
    #expect(on.errors.contains("gliss.portal"))
    #expect(text(own)?.contains("default=gtk\norg.x=wlr\n") == true)
    #expect(text(own)?.contains("GlobalShortcuts=gliss\n") == true)
    let status = try run("portal")
    #expect(status.status == 1 && status.output.contains("does not work"))
    try install(desktop: "river")
    #expect(try run("portal").status == 0)
    #expect(try run("portal", "on").output.hasPrefix("it is on"))
    #expect(try run("portal", "off").output.hasPrefix("off: removed"))
    #expect(text(own) == nil)
    #expect(text(shared) == "[preferred]\ndefault=gtk\norg.x=wlr\n")
    #expect(try run("portal", "off").output == "it is off\n")
  }

  /// As soon as the package is installed, the portal uses it on the desktops that it names.
  @Test func offTurnsOffWhatNoFileHasTurnedOn() throws {
    try install()
    let status = try run("portal")
    #expect(status.status == 0 && status.output.contains("because gliss.portal is installed"))
    #expect(try run("portal", "off").output.hasPrefix("off: "))
    #expect(try run("portal").status == 1)
    #expect(text(own)?.contains("GlobalShortcuts=none\n") == true)
    #expect(try run("portal", "on").status == 0)
    #expect(try run("portal").status == 0)
  }

  /// It prints for ever, or nothing.
  @Test(arguments: ["yes", "sleep 1000"]) func aPortalWithoutAVersionIsNotWaitedFor(
    _ program: String
  ) throws {
    try install(program: program)
    #expect(try run("portal").status == 0)
  }

  @Test func anOldPortalCannotBeSwitched() throws {
    try install(version: "1.16.0")
    #expect(try run("portal").status == 0)
    #expect(try run("portal", "on").output.hasPrefix("it is on: "))
    let off = try run("portal", "off")
    #expect(off.status == 1 && off.errors.contains("only removing the package"))
    #expect(text(own) == nil)
  }

  @Test func desktopsWithABackendAreLeftAlone() throws {
    try install()
    try write(
      "[portal]\nInterfaces=\(PortalsConf.key)\nUseIn=KDE\n",
      "share/xdg-desktop-portal/portals/kde.portal")
    let refused = try run("portal", "on", desktop: "KDE")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("the backend kde gives applications global shortcuts"))
    #expect(try run("portal", desktop: "KDE").status == 0)
    #expect(try run("portal", "on", "--force", desktop: "KDE").status == 0)
    #expect(text(".config/xdg-desktop-portal/kde-portals.conf")?.contains("=gliss") == true)
  }

  /// A user may keep it elsewhere, as one does with dotfiles.
  @Test func aLinkStaysALinkAndAFileKeepsItsMode() throws {
    try install()
    try write("[preferred]\ndefault=gtk\n", "dotfiles/portals.conf")
    let real = home.url.appending(path: "dotfiles/portals.conf").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    let link = home.url.appending(path: own)
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: real)
    #expect(try run("portal", "on").status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == real)
    #expect(text("dotfiles/portals.conf")?.contains("GlobalShortcuts=gliss\n") == true)
    let mode = try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  /// Answers in another file would be dropped when this one is written.
  @Test func aFileOfAnswersIncludesNoOther() throws {
    let file = ".config/gliss/shortcuts.yaml"
    try write("org.app:\n  talk: {trigger: f5}\n", ".config/gliss/more.yaml")
    try write("include: more.yaml\n", file)
    #expect(try run("shortcuts").status == 2)
    #expect(try run("shortcuts", "set", "org.app", "talk", "f6").status == 2)
    #expect(text(file) == "include: more.yaml\n")
  }

  @Test func shortcutsAreListedSetAndForgotten() throws {
    let empty = try run("shortcuts")
    #expect(empty.status == 0 && empty.output == "")
    #expect(try run("shortcuts", "set", "org.app", "talk", "CTRL+ALT+p").status == 0)
    #expect(try run("shortcuts", "set", "org.app", "wave", "hold 3").status == 0)
    #expect(try run("shortcuts", "set", "org.app", "quit", "none").status == 0)
    #expect(try run("shortcuts", "set", "org.app", "open", "f9", "--share").status == 0)
    let file = ".config/gliss/shortcuts.yaml"
    #expect(
      text(file)?.hasSuffix(
        """
        org.app:
          talk: {trigger: ctrl+alt+p}
          wave: {trigger: {gesture: hold, fingers: 3}}
          quit: {trigger: none}
          open: {trigger: f9, consume: false}

        """) == true, "\(text(file) ?? "")")
    let list = try run("shortcuts")
    #expect(list.output.hasPrefix("org.app\n  talk  Ctrl+Alt+P\n"))
    #expect(list.output.contains("not allowed"))
    #expect(try run("shortcuts", "forget", "org.app", "talk").status == 0)
    #expect(try run("shortcuts", "forget", "org.app", "talk").status == 2)
    #expect(try run("shortcuts", "forget", "org.app").status == 0)
    #expect(try run("shortcuts").output == "")
  }

  @Test func impossibleShortcutsAreRefusedWithAReason() throws {
    let typed = try run("shortcuts", "set", "org.app", "talk", "a")
    #expect(typed.status == 2)
    #expect(typed.errors.contains("it could be typed"))
    let unknown = try run("shortcuts", "set", "org.app", "talk", "ctrl+banana")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("banana"))
    try write("org.app:\n  talk: {trigger: ctrl+banana}\n", ".config/gliss/shortcuts.yaml")
    let broken = try run("shortcuts", "set", "org.app", "talk", "f5")
    #expect(broken.status == 2)
    #expect(broken.errors.contains("shortcuts.yaml:2:24"))
    // the user's file is not overwritten
    #expect(text(".config/gliss/shortcuts.yaml")?.contains("banana") == true)
  }

  @Test func ownRulesThatHaveTheKeysAreNamed() throws {
    try write(
      "hotkeys:\n  - {name: mine, hotkey: ctrl+alt+p, do: {run: [x]}}\n", ".config/gliss/gliss.yaml"
    )
    let set = try run("shortcuts", "set", "org.app", "talk", "ctrl+alt+p")
    #expect(set.status == 0)
    #expect(set.errors.contains("your own rule “mine” has these keys"))
  }

  @Test func servingNeedsABus() throws {
    let command = try run("portal", "serve")
    #expect(command.status == 1)
    #expect(command.errors.contains("session bus") || command.errors.contains("cannot be reached"))
  }

  /// Before the answer: otherwise a terminal whose own process ends at once counts as one that opened
  /// no window.
  @Test func aWindowSaysThatItIsOpen() throws {
    try write(
      #"{"number":1,"application":"app","shortcuts":[{"id":"talk"}]}"#, "asking/question.json")
    let folder = home.url.appending(path: "asking").path
    let command = try Command.shell(
      """
      cd \(folder) && mkfifo typed answer
      HOME=$PWD gliss portal ask --in $PWD <typed >/dev/null 2>&1 & exec 3>typed
      timeout 20 head -c 1 answer | wc -c
      exec 3>&-; wait
      """)
    #expect(command.output == "1\n")
  }
}
