import Glibc
import GlissDevices
import Testing

@testable import GlissFocus

@Suite struct GnomeExtensionTests {
  @Test(
    arguments: [
      // ours, Appmatcher's and xremap's
      (
        #"{"app_id":"org.gnome.Console","wm_class":"kgx","wm_class_instance":"kgx","title":"~","pid":5}"#,
        FocusedWindow(names: ["org.gnome.Console", "kgx"], title: "~", pid: 5)
      ),
      (
        #"{"wm_class":"Foo, bar","pid":7,"id":123456789012,"title":"T","focus":true}"#,
        FocusedWindow(names: ["Foo, bar"], title: "T", pid: 7)
      ),
      (#"{"wm_class":"firefox","title":""}"#, FocusedWindow(names: ["firefox"])),
      (#"{"app_id":null,"wm_class":"a","title":null,"pid":0}"#, FocusedWindow(names: ["a"])),
    ])
  func aWindowIsRead(_ text: String, _ window: FocusedWindow) {
    #expect(GnomeExtension.focus(text) == .window(window))
  }

  @Test(arguments: ["", "{}", "null", "[]", "{", #"{"wm_class":"","title":""}"#])
  func anythingElseIsNoWindow(_ text: String) {
    #expect(GnomeExtension.focus(text) == .nothing)
  }
}

@Suite struct KWinScriptTests {
  /// KWin keeps the script of a process that was killed; its file says so.
  @Test func scriptsOfProcessesThatHaveEndedAreFound() throws {
    var template = Array("/tmp/gliss-scripts-XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer { rmdir(folder) }
    let own = KWinScript(in: folder, number: 5)
    let text = KWinScript.text(for: ":1.5", following: .focused)
    try own.write(text)
    #expect(throws: DesktopFailure.self) { try own.write(text) }
    // no process has such a number
    for name in ["gliss-focus-2147483647-9.js", "gliss-focus-x-9.js", "gliss-focus-.js"] {
      close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600))
    }
    #expect(KWinScript.takeLeftovers(in: folder) == ["gliss-focus-2147483647-9"])
    #expect(KWinScript.takeLeftovers(in: folder) == [])
    own.remove()
    unlink("\(folder)/gliss-focus-x-9.js")
    unlink("\(folder)/gliss-focus-.js")
    #expect(Folder.names(in: folder) == [])
  }

  @Test func emptyTextsMeanNoWindow() {
    let focus = KWinScript.focus(file: "", windowClass: "", name: "", title: "", pid: "")
    #expect(focus == .nothing)
  }

  @Test(arguments: [("7", 7), ("-1", nil), ("", nil), ("99999999999", nil), ("x", nil)])
  func whatIsNoNumberOfAProcessIsLeftOut(_ text: String, _ pid: Int32?) {
    let focus = KWinScript.focus(
      file: "org.kde.konsole", windowClass: "konsole", name: "konsole", title: "~", pid: text)
    #expect(
      focus
        == .window(FocusedWindow(names: ["org.kde.konsole", "konsole"], title: "~", pid: pid)))
  }
}
