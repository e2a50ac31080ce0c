import Glibc
import GlissDevices
import GlissEvents
import Testing

@testable import GlissFocus

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
  func anInvalidPidIsLeftOut(_ text: String, _ pid: Int32?) {
    let focus = KWinScript.focus(
      file: "org.kde.konsole", windowClass: "konsole", name: "konsole", title: "~", pid: text)
    #expect(
      focus
        == .window(FocusedWindow(names: ["org.kde.konsole", "konsole"], title: "~", pid: pid)))
  }
}
