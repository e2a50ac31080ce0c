import GlissPortal
import Testing

@Suite struct PortalsConfTests {
  private static let key = PortalsConf.key

  /// A file, and what `on` makes of it.
  static let edits: [(String, String)] = [
    ("", "[preferred]\n\(key)=gliss\n"),
    (
      "[preferred]\ndefault=gtk\norg.freedesktop.impl.portal.ScreenCast=wlr\n",
      "[preferred]\ndefault=gtk\norg.freedesktop.impl.portal.ScreenCast=wlr\n\(key)=gliss\n"
    ),
    ("[preferred]\n\(key)=hyprland\n", "[preferred]\n\(key)=gliss;hyprland\n"),
    ("[preferred]\n\(key)=none\n", "[preferred]\n\(key)=gliss\n"),
    ("[preferred]\n  \(key) = kde; gnome;\n", "[preferred]\n\(key)=gliss;kde;gnome\n"),
    // already on
    ("[preferred]\n\(key)=gliss;kde\n", "[preferred]\n\(key)=gliss;kde\n"),
    // comments, other sections, blank lines at the end
    (
      "# mine\n\n[preferred]\ndefault=gtk # really\n\n\n[other]\n\(key)=x\n",
      "# mine\n\n[preferred]\ndefault=gtk # really\n\(key)=gliss\n\n\n[other]\n\(key)=x\n"
    ),
    ("[other]\na=b\n", "[other]\na=b\n\n[preferred]\n\(key)=gliss\n"),
    ("[preferred]\n#\(key)=kde\n", "[preferred]\n#\(key)=kde\n\(key)=gliss\n"),
    ("[preferred]\r\ndefault=gtk\r\n", "[preferred]\r\ndefault=gtk\r\n\(key)=gliss\n"),
    // without a last line end
    ("[preferred]\ndefault=gtk", "[preferred]\ndefault=gtk\n\(key)=gliss\n"),
  ]

  @Test(arguments: edits) func turningOnChangesOneLine(_ before: String, _ after: String) {
    var conf = PortalsConf(before)
    conf.turnOn()
    #expect(conf.text == after)
    #expect(conf.isOn)
  }

  @Test(arguments: [
    ("[preferred]\ndefault=gtk\n", "[preferred]\ndefault=gtk\n"),
    ("[preferred]\n\(key)=gliss\n", "[preferred]\n"),
    ("[preferred]\n\(key)=gliss;kde\n", "[preferred]\n\(key)=kde\n"),
    ("[preferred]\n\(key)=kde;gliss\ndefault=gtk\n", "[preferred]\n\(key)=kde\ndefault=gtk\n"),
  ]) func turningOffTakesOnlyOursOut(_ before: String, _ after: String) {
    var conf = PortalsConf(before)
    conf.turnOff()
    #expect(conf.text == after)
    #expect(!conf.isOn)
  }
}

@Suite struct PortalPlacesTests {
  private static let key = PortalsConf.key

  private func places(
    _ files: [String: String], desktop: String = "sway:wlroots"
  ) -> PortalPlaces {
    PortalPlaces(
      environment: { ["XDG_CURRENT_DESKTOP": desktop][$0] }, home: "/home/me",
      read: { files[$0] },
      list: { folder in
        files.keys.filter { $0.hasPrefix(folder + "/") }.map {
          String($0.dropFirst(folder.count + 1))
        }
      })
  }

  private let own = "/home/me/.config/xdg-desktop-portal"
  private let shipped = "/usr/share/xdg-desktop-portal"

  /// A user's file replaces the desktop's wholly: without the copy ScreenCast would be lost.
  @Test func theFileInForceIsCopied() throws {
    let text = "[preferred]\ndefault=gtk\norg.freedesktop.impl.portal.ScreenCast=wlr\n"
    let before = [
      "\(shipped)/sway-portals.conf": text, "\(shipped)/portals.conf": "[preferred]\ndefault=x\n",
    ]
    let change = try #require(places(before).turningOn)
    #expect(change.path == "\(own)/sway-portals.conf")
    #expect(change.source == "\(shipped)/sway-portals.conf")
    let written = try #require(change.text)
    #expect(written.hasSuffix(text + "\(Self.key)=gliss\n"))
    // and back again
    var files = before
    files[change.path] = written
    let after = places(files)
    #expect(after.inForce?.path == change.path)
    #expect(after.turningOn == nil)
    #expect(after.turningOff == PortalPlaces.Change(path: change.path, text: nil))
    // what the user has added since then stays
    files[change.path] = written + "org.freedesktop.impl.portal.Secret=keyring\n"
    let off = try #require(places(files).turningOff?.text)
    #expect(off.contains("Secret=keyring"))
    #expect(off.contains("ScreenCast=wlr"))
    #expect(!off.contains("gliss;") && !off.contains("=gliss"))
  }

  @Test func theUsersOwnFileIsChangedInItsPlace() throws {
    let files = ["\(own)/portals.conf": "[preferred]\ndefault=gtk\n"]
    let change = try #require(places(files).turningOn)
    #expect(change.path == "\(own)/portals.conf")
    #expect(change.source == nil)
    #expect(change.text == "[preferred]\ndefault=gtk\n\(Self.key)=gliss\n")
  }

  /// Without any file the portal goes by the backends' own words, and a new file must say the same.
  @Test func withoutAFileTheBackendsOfTheDesktopStay() throws {
    let files = [
      "\(shipped)/portals/wlr.portal": "[portal]\nInterfaces=x;\nUseIn=wlroots;sway;\n",
      "\(shipped)/portals/gnome.portal": "[portal]\nUseIn=gnome\n",
      "\(shipped)/portals/gtk.portal": "[portal]\nUseIn=gnome\n",
      "\(shipped)/portals/gliss.portal": "[portal]\nUseIn=sway\n",
    ]
    let here = places(files)
    #expect(here.description == "\(shipped)/portals/gliss.portal")
    let change = try #require(here.turningOn)
    #expect(change.text == "[preferred]\ndefault=wlr;gtk;*\n\(Self.key)=gliss\n")
    var after = files
    after[change.path] = change.text
    #expect(places(after).turningOff == PortalPlaces.Change(path: change.path, text: nil))
  }

  @Test func anAdministratorMayTurnItOn() {
    let files = ["/etc/xdg/xdg-desktop-portal/portals.conf": "[preferred]\n\(Self.key)=gliss\n"]
    #expect(places(files).turningOn == nil)
    #expect(places(files).turningOff == nil)
  }

  @Test func desktopsWithABackendOfTheirOwn() {
    #expect(places([:], desktop: "KDE").desktopWithBackend == "KDE")
    #expect(places([:], desktop: "ubuntu:GNOME").desktopWithBackend == "GNOME")
    #expect(places([:], desktop: "Hyprland").desktopWithBackend == "Hyprland")
    #expect(places([:], desktop: "sway:wlroots").desktopWithBackend == nil)
    #expect(places([:], desktop: "").turningOn?.path == "\(own)/portals.conf")
  }
}
