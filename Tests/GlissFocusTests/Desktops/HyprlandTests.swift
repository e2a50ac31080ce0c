import Testing

@testable import GlissFocus

@Suite struct HyprlandMachineTests {
  @Test(
    arguments: [
      ("activewindow>>kitty,~ – fish\nactivewindowv2>>55d0\n", ["kitty"], "~ – fish"),
      // the first comma separates
      ("activewindow>>kitty,a, b\n", ["kitty"], "a, b"),
      ("activewindow>>kitty,\n", ["kitty"], ""),
      ("activewindow>>,untitled\n", [], "untitled"),
      ("workspace>>2\nactivewindow>>a>>b,c\n", ["a>>b"], "c"),
    ])
  func anEventIsTakenIfHyprlandDoesNotAnswer(_ text: String, _ names: [String], _ title: String)
    throws
  {
    var machine = HyprlandMachine()
    machine.mustAsk = false
    try machine.receive(Array(text.utf8))
    #expect(machine.mustAsk)
    #expect(machine.focus == .unknown)
    let isKnown = machine.answered(nil)
    #expect(isKnown)
    #expect(machine.focus == .window(FocusedWindow(names: names, title: title)))
  }

  @Test(arguments: [nil, "", "unknown request", "[1]"])
  func nothingIsKnownWithoutAnEventOrAnAnswer(_ answer: String?) {
    var machine = HyprlandMachine()
    let isKnown = machine.answered(answer.map { Array($0.utf8) })
    #expect(!isKnown)
    #expect(machine.focus == .unknown)
  }

  @Test func anAnswerOfHyprlandMayHaveCommas() throws {
    var machine = HyprlandMachine()
    try machine.receive(Array("activewindow>>a,b,title\n".utf8))
    _ = machine.answered(
      Array(#"{"address":"0x1","class":"a,b","title":"title","initialClass":"a,b","pid":9}"#.utf8))
    #expect(machine.focus == .window(FocusedWindow(names: ["a,b"], title: "title", pid: 9)))
  }

  @Test func anEmptyEventNeedsNoQuestion() throws {
    var machine = HyprlandMachine()
    _ = machine.answered(Array(#"{"class":"a","title":"b","pid":9}"#.utf8))
    machine.mustAsk = false
    try machine.receive(Array("activewindow>>,\nactivewindowv2>>\n".utf8))
    #expect(!machine.mustAsk)
    #expect(machine.focus == .nothing)
  }

  @Test func anEmptyAnswerMeansNoWindow() {
    var machine = HyprlandMachine()
    _ = machine.answered(Array("{}".utf8))
    #expect(machine.focus == .nothing)
  }

  /// Hyprland cuts its events at 1024 bytes.
  @Test func aCharacterThatWasCutIsLeftOut() throws {
    var machine = HyprlandMachine()
    let event = Array("activewindow>>a,".utf8) + Array(String(repeating: "é", count: 600).utf8)
    try machine.receive(event.prefix(1014 + 13) + [0x0a])
    _ = machine.answered(nil)
    let title = try #require(machine.focus.window?.title)
    #expect(title == String(repeating: "é", count: title.count))
    #expect(title.count == 505)
  }

  @Test func aLineWithoutAnEndIsRefused() {
    var machine = HyprlandMachine()
    #expect(throws: DesktopFailure.self) {
      for _ in 0..<20 { try machine.receive([UInt8](repeating: 0x61, count: 65_536)) }
    }
  }
}
