import Glibc
import GlissDevices
import GlissEvents
import TestSupport
import Testing

@testable import GlissFocus

/// KWin and GNOME Shell as they speak on a bus of the test's own.
@Suite(
  .serialized, .enabled(if: FakeServices.isAvailable, "dbus-daemon or python3-dbus is missing"))
struct BusServiceTests {
  private static let kwin = """
    class Script(dbus.service.Object):
        runs = 0
        @dbus.service.method("org.kde.kwin.Script")
        def run(self):
            Script.runs += 1

    class Scripting(dbus.service.Object):
        client, number, texts, names, unloaded, starts = None, 7, [], [], [], 0

        @dbus.service.method(
            "org.kde.kwin.Scripting", in_signature="ss", out_signature="i", sender_keyword="sender")
        def loadScript(self, file, name, sender=None):
            self.client = sender
            self.names.append(str(name))
            self.texts.append(open(file).read())
            return self.number

        @dbus.service.method("org.kde.kwin.Scripting")
        def start(self):
            self.starts += 1
            report("org.kde.konsole", "konsole", "konsole", "~", "7")

        @dbus.service.method("org.kde.kwin.Scripting", in_signature="s", out_signature="b")
        def unloadScript(self, name):
            self.unloaded.append(str(name))
            return True

    def report(*texts):
        bus.call_async(
            scripting.client, "/org/gliss/Focus", "org.gliss.Focus", "Focus", "sssss", texts, None, None)

    scripting = Scripting(bus, "/Scripting")
    script = Script(bus, "PATH")
    owned = dbus.service.BusName("org.kde.KWin", bus)
    """

  private static let gnome = """
    class Extension(dbus.service.Object):
        acts, followers, answer, window = [], 0, "", '{"wm_class":"kgx","title":"~","pid":5}'

        @dbus.service.method("INTERFACE", out_signature="s")
        def ActiveWindow(self):
            return self.window

        @dbus.service.method("INTERFACE", out_signature="s")
        def FollowPointer(self):
            self.followers += 1
            return self.window

        @dbus.service.signal("INTERFACE", signature="s")
        def WindowUnderPointerChanged(self, window):
            pass

        @dbus.service.method("INTERFACE", in_signature="s", out_signature="s")
        def Act(self, words):
            self.acts.append(str(words))
            return self.answer

        @dbus.service.signal("INTERFACE", signature="s")
        def ActiveWindowChanged(self, window):
            pass

    extension = Extension(bus, "/INTERFACE".replace(".", "/"))
    owned = dbus.service.BusName("org.gnome.Shell", bus)
    """

  /// A session that has nothing but a bus.
  private final class Rig {
    let services: FakeServices
    let loop: InputLoop
    let folder: String

    init(_ service: String) throws {
      services = try FakeServices()
      try services.serve(service)
      loop = try InputLoop()
      var template = Array("/tmp/gliss-bus-XXXXXX".utf8CString)
      folder = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { rmdir(folder) }

    var environment: DesktopEnvironment {
      let variables = ["DBUS_SESSION_BUS_ADDRESS": services.address, "XDG_RUNTIME_DIR": folder]
      return DesktopEnvironment { variables[$0] }
    }

    func watch(_ window: FollowedWindow = .focused) throws -> FocusWatch {
      let environment = environment
      return try FocusWatch(on: loop, following: window) { environment.focusChoices }
    }

    func outcome(of action: DesktopAction) throws -> DesktopActor.Outcome? {
      let environment = environment
      let actor = try DesktopActor(on: loop, patience: .seconds(3600)) { environment.actionChoices }
      var outcome: DesktopActor.Outcome?
      actor.perform(action) { outcome = $0 }
      try GlissFocusTests.wait(loop) { outcome != nil }
      return outcome
    }

    /// Waits until that is so in the service, as Python has it.
    func expect(_ fact: String) throws {
      try wait(for: fact) {
        _ = try loop.wait(until: .zero)
        return (try? services.order("assert \(fact)")) != nil
      }
    }
  }

  @Test func kwinReportsTheFocusUntilItIsReplaced() throws {
    let rig = try Rig(Self.kwin.replacing("PATH", with: "/Scripting/Script7"))
    var watch: FocusWatch? = try rig.watch()
    let konsole = FocusedWindow(names: ["org.kde.konsole", "konsole"], title: "~", pid: 7)
    try wait(rig.loop) { watch?.window == konsole }
    try rig.services.order("assert Script.runs == 1 and scripting.starts == 1")
    try rig.services.order("assert 'activated.connect(show)' in scripting.texts[0]")
    try rig.services.order("report('', '', '', '', '')")
    try wait(rig.loop) { watch?.focus == .nothing }
    #expect(Folder.names(in: rig.folder).count == 1)
    try rig.services.order("bus.release_name('org.kde.KWin')")
    try wait(rig.loop) { watch?.status == .missing([.init(kind: .kwin, failure: .closed)]) }
    watch = nil
    #expect(Folder.names(in: rig.folder) == [])
  }

  @Test(arguments: ["/Scripting/Script7", "/7"])
  func kwinRunsAScriptForEachAction(_ path: String) throws {
    let rig = try Rig(Self.kwin.replacing("PATH", with: path))
    #expect(try rig.outcome(of: .window(.close)) == .success(.kwin))
    #expect(try rig.outcome(of: .workspace(.next)) == .success(.kwin))
    try rig.services.order("assert Script.runs == 2 and scripting.starts == 2")
    try rig.services.order("assert 'slotWindowClose' in scripting.texts[0]")
    try rig.services.order("assert 'slotSwitchDesktopNext' in scripting.texts[1]")
    try rig.expect("scripting.unloaded == scripting.names and len(set(scripting.names)) == 2")
    #expect(Folder.names(in: rig.folder) == [])
    let float = FocusKind.kwin.refusal(of: .window(.float)) ?? ""
    #expect(try rig.outcome(of: .window(.float)) == .failure(.refused(float)))
  }

  @Test func aScriptThatDoesNotRunIsReported() throws {
    let rig = try Rig(Self.kwin.replacing("PATH", with: "/elsewhere"))
    #expect(try rig.outcome(of: .window(.close)) == .failure(.refused("KWin runs no script")))
    try rig.services.order("scripting.number = -1")
    #expect(try rig.outcome(of: .window(.close)) == .failure(.refused("KWin loads no script")))
  }

  @Test(arguments: [GnomeExtension.gliss, .appmatcher])
  func anExtensionReportsTheFocus(_ kind: GnomeExtension) throws {
    let rig = try Rig(Self.gnome.replacing("INTERFACE", with: kind.rawValue))
    let watch = try rig.watch()
    try wait(rig.loop) { watch.window == FocusedWindow(names: ["kgx"], title: "~", pid: 5) }
    #expect(watch.status == .watching(.gnome))
    try rig.services.order(#"extension.ActiveWindowChanged('{"wm_class":"b"}')"#)
    try wait(rig.loop) { watch.window == FocusedWindow(names: ["b"]) }
    try rig.services.order("bus.release_name('org.gnome.Shell')")
    try wait(rig.loop) { watch.status == .missing([.init(kind: .gnome, failure: .closed)]) }
  }

  @Test func ourExtensionIsAskedToFollowThePointerAgainAfterItWasEnabledAgain() throws {
    let rig = try Rig(Self.gnome.replacing("INTERFACE", with: GnomeExtension.gliss.rawValue))
    let watch = try rig.watch(.underPointer)
    try wait(rig.loop) { watch.window?.names == ["kgx"] }
    try rig.services.order(#"extension.WindowUnderPointerChanged('{"wm_class":"b"}')"#)
    try wait(rig.loop) { watch.window?.names == ["b"] }
    try rig.services.order("extension.WindowUnderPointerChanged('')")
    try rig.expect("extension.followers == 2")
    try wait(rig.loop) { watch.window?.names == ["kgx"] }
  }

  /// xremap's extension has no signal.
  @Test func anExtensionThatReportsNoChangesIsAskedAgain() throws {
    let rig = try Rig(Self.gnome.replacing("INTERFACE", with: GnomeExtension.xremap.rawValue))
    let watch = try rig.watch()
    try wait(rig.loop) { watch.window?.names == ["kgx"] }
    try rig.services.order(#"extension.window = '{"wm_class":"b"}'"#)
    try wait(rig.loop) { watch.window?.names == ["b"] }
  }

  @Test func ourExtensionDoesActions() throws {
    let rig = try Rig(Self.gnome.replacing("INTERFACE", with: GnomeExtension.gliss.rawValue))
    #expect(try rig.outcome(of: .window(.tileLeft)) == .success(.gnome))
    #expect(try rig.outcome(of: .workspace(.number(2))) == .success(.gnome))
    try rig.services.order("assert extension.acts == ['window tile-left', 'workspace 2']")
    try rig.services.order("extension.answer = 'no window has the focus'")
    #expect(
      try rig.outcome(of: .window(.close)) == .failure(.refused("no window has the focus")))
    try rig.services.order("extension.remove_from_connection()")
    let failure = try #require(try rig.outcome(of: .window(.close)))
    #expect("\(failure)".contains("enable it as docs/focus.md says"))
  }

  @Test func withoutAnExtensionTheAttemptsAreNamed() throws {
    let rig = try Rig(Self.gnome.replacing("INTERFACE", with: "org.example.Other"))
    let watch = try rig.watch()
    try wait(rig.loop) { watch.status != .searching }
    let gnome = DesktopFailure.unsupported(
      "GNOME Shell has no extension that reports which application has the focus")
    #expect(
      watch.status
        == .missing([
          .init(kind: .kwin, failure: .unreachable("org.kde.KWin", code: ENOENT)),
          .init(kind: .gnome, failure: gnome),
        ]))
  }
}
