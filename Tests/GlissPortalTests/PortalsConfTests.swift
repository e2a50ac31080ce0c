import Testing

@testable import GlissPortal

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
    _ files: [String: String], desktop: String = "sway:wlroots", hasConf: Bool = true
  ) -> PortalPlaces {
    var places = PortalPlaces(
      environment: { ["XDG_CURRENT_DESKTOP": desktop][$0] }, home: "/home/me",
      read: { files[$0] },
      list: { folder in
        files.keys.filter { $0.hasPrefix(folder + "/") }.map {
          String($0.dropFirst(folder.count + 1))
        }
      })
    places.hasConf = hasConf
    return places
  }

  private static let here = "/usr/share/xdg-desktop-portal/portals"
  private static let gliss = [
    "\(here)/gliss.portal": "[portal]\nDBusName=x\nInterfaces=\(key);\nUseIn=sway;i3;\n"
  ]
  private static let wlr = [
    "\(here)/wlr.portal":
      "[portal]\nInterfaces=org.freedesktop.impl.portal.ScreenCast;\nUseIn=sway\n"
  ]
  private static let kde = ["\(here)/kde.portal": "[portal]\nInterfaces=a;\(key)\nUseIn=KDE\n"]

  /// What is installed and in portals.conf, the desktop, and whether the portal uses Gliss.
  private static let choices: [(conf: String?, desktop: String, isOn: Bool)] = [
    // gliss.portal names the desktop
    (nil, "sway", true), ("[preferred]\ndefault=gtk\n", "sway", true),
    ("[preferred]\ndefault=*\n", "sway", true), ("[preferred]\n\(key)=wlr\n", "sway", true),
    (nil, "KDE", false), (nil, "Budgie", false), ("[preferred]\ndefault=gtk\n", "Budgie", false),
    // the file names it
    ("[preferred]\ndefault=gtk;gliss\n", "Budgie", true),
    ("[preferred]\n\(key)=gliss\n", "KDE", true),
    ("[preferred]\n\(key)=kde;gliss\n", "sway", false), ("[preferred]\n\(key)=*\n", "sway", true),
    // none
    ("[preferred]\n\(key)=none\n", "sway", false), ("[preferred]\ndefault=none\n", "sway", false),
    ("[preferred]\ndefault=none\n\(key)=gliss\n", "sway", true),
    ("[preferred]\n\(key)=gliss;none\n", "sway", false),
    // a file without keys is not in force
    ("[preferred]\n# \(key)=none\n", "sway", true),
  ]

  @Test(arguments: choices.indices) func theChoiceIsThePortals(_ index: Int) throws {
    let choice = Self.choices[index]
    var files = Self.gliss.merging(Self.wlr) { $1 }.merging(Self.kde) { $1 }
    files["\(own)/portals.conf"] = choice.conf
    let places = places(files, desktop: choice.desktop)
    #expect(places.isOn == choice.isOn, "\(choice)")
    // off is off, and on is on again
    if let off = places.turningOff { files[off.path] = off.text }
    #expect(!self.places(files, desktop: choice.desktop).isOn, "\(choice)")
    if let on = self.places(files, desktop: choice.desktop).turningOn { files[on.path] = on.text }
    #expect(self.places(files, desktop: choice.desktop).isOn, "\(choice)")
  }

  /// Off is for the other backend, if there is one, and never for none of both.
  @Test func offLeavesShortcutsToTheOtherBackend() throws {
    let luminous = [
      "\(Self.here)/luminous.portal": "[portal]\nInterfaces=\(Self.key)\nUseIn=sway\n"
    ]
    var files = Self.gliss.merging(luminous) { $1 }
    let off = try #require(places(files).turningOff)
    #expect(off.text?.hasSuffix("\(Self.key)=luminous\n") == true)
    files[off.path] = off.text
    #expect(!places(files).isOn && places(files).other == "luminous")
    // the user's own file counts
    files = Self.gliss.merging(Self.kde) { $1 }
    files["\(own)/portals.conf"] = "[preferred]\n\(Self.key)=none\n"
    #expect(places(files, desktop: "KDE").other == nil)
    files["\(own)/portals.conf"] = "[preferred]\n\(Self.key)=kde\n"
    #expect(places(files).other == "kde")
  }

  /// Whatever is installed: a line that names it goes.
  @Test func whatIsNotInstalledIsTurnedOff() throws {
    let files = ["/etc/xdg/xdg-desktop-portal/portals.conf": "[preferred]\n\(Self.key)=gliss\n"]
    #expect(places(files).turningOff?.text?.hasSuffix("\(Self.key)=none\n") == true)
  }

  /// It takes what is installed: the first for the desktop, or else any.
  @Test(arguments: [("sway", true), ("GNOME", true), ("KDE", false)])
  func anOldPortalReadsNoFile(_ desktop: String, _ isOn: Bool) {
    var files = Self.gliss.merging(Self.kde) { $1 }
    if desktop == "GNOME" { files = Self.gliss }
    files["\(own)/portals.conf"] = "[preferred]\n\(Self.key)=none\n"
    let places = places(files, desktop: desktop, hasConf: false)
    #expect(places.isOn == isOn)
    #expect(places.turningOn == nil && places.turningOff == nil)
  }

  @Test func theProgramIsThatOfTheBus() {
    let file = "/usr/share/dbus-1/services/org.freedesktop.portal.Desktop.service"
    let text = "[D-BUS Service]\nName=x\nExec=/usr/libexec/xdg-desktop-portal -v\n"
    #expect(places([file: text]).program == "/usr/libexec/xdg-desktop-portal")
    #expect(places([:]).program == nil)
  }

  /// Its comments stay, and what was in force stays in force.
  @Test func aFileWithoutKeysIsContinued() throws {
    let comment = "# mine\n[preferred]\n# default=gtk"
    let files = [
      "\(own)/sway-portals.conf": comment, "\(shipped)/portals.conf": "[preferred]\ndefault=gtk\n",
    ]
    let change = try #require(places(files).turningOn)
    #expect(change.path == "\(own)/sway-portals.conf")
    #expect(change.text?.hasPrefix(comment + "\n") == true)
    #expect(change.text?.hasSuffix("[preferred]\ndefault=gtk\n\(Self.key)=gliss\n") == true)
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
      "\(shipped)/portals/gliss.portal": "[portal]\nInterfaces=\(Self.key)\nUseIn=river\n",
    ]
    let here = places(files)
    #expect(here.description == "\(shipped)/portals/gliss.portal")
    let change = try #require(here.turningOn)
    #expect(change.text == "[preferred]\ndefault=wlr;gtk;*\n\(Self.key)=gliss\n")
    var after = files
    after[change.path] = change.text
    #expect(places(after).turningOff == PortalPlaces.Change(path: change.path, text: nil))
  }

  /// What an administrator has turned on, users may turn off for themselves.
  @Test func anAdministratorMayTurnItOn() throws {
    let conf = ["/etc/xdg/xdg-desktop-portal/portals.conf": "[preferred]\n\(Self.key)=gliss\n"]
    let files = conf.merging(Self.gliss) { $1 }
    #expect(places(files).turningOn == nil)
    let off = try #require(places(files).turningOff)
    #expect(off.path == "\(own)/sway-portals.conf")
    #expect(off.text?.hasSuffix("\(Self.key)=none\n") == true)
  }

  /// Whatever the desktop is called, its backend must be installed and serve shortcuts.
  @Test func desktopsWithABackendOfTheirOwn() {
    #expect(places(Self.kde, desktop: "KDE").other == "kde")
    #expect(places(Self.gliss, desktop: "KDE").other == nil)
    let gnome = ["\(Self.here)/gnome.portal": "[portal]\nInterfaces=a;b;\nUseIn=gnome\n"]
    #expect(places(gnome, desktop: "ubuntu:GNOME").other == nil)
    #expect(places(Self.wlr, desktop: "sway:wlroots").other == nil)
    #expect(places([:], desktop: "").turningOn?.path == "\(own)/portals.conf")
  }
}
