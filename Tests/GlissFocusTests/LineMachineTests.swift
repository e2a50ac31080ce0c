import GlissEvents
import Testing

@testable import GlissFocus

@Suite struct NiriMachineTests {
  static func window(_ number: Int, _ name: String, focused: Bool) -> String {
    #"{"id":\#(number),"title":"T\#(number)","app_id":"\#(name)","pid":\#(number * 10),"workspace_id":1,"#
      + #""is_focused":\#(focused),"is_floating":false,"is_urgent":false,"layout":{"tile_size":[1.5,2]}}"#
  }

  /// What niri 26.04 sends first.
  static let beginning = [
    #"{"Ok":"Handled"}"#,
    #"{"WorkspacesChanged":{"workspaces":[{"id":1,"idx":1,"name":null,"output":"eDP-1"}]}}"#,
    #"{"WindowsChanged":{"windows":[\#(window(1, "foot", focused: true)),\#(window(2, "firefox, b", focused: false))]}}"#,
    #"{"KeyboardLayoutsChanged":{"keyboard_layouts":{"names":["German"],"current_idx":0}}}"#,
    #"{"OverviewOpenedOrClosed":{"is_open":false}}"#,
  ]

  private func machine(after lines: [String]) throws -> NiriMachine {
    var machine = NiriMachine()
    for line in lines { #expect(try machine.receive(Array("\(line)\n".utf8)).isEmpty) }
    return machine
  }

  @Test func nothingIsKnownBeforeTheListOfWindows() throws {
    #expect(try machine(after: Array(Self.beginning.prefix(2))).focus == .unknown)
    #expect(
      try machine(after: Self.beginning).focus
        == .window(FocusedWindow(names: ["foot"], title: "T1", pid: 10)))
  }

  @Test(
    arguments: [
      ([#"{"WindowFocusChanged":{"id":2}}"#], "firefox, b"),
      // an empty workspace, or a layer-shell surface
      ([#"{"WindowFocusChanged":{"id":null}}"#], nil),
      ([#"{"WindowFocusChanged":{"id":null}}"#, #"{"WindowFocusChanged":{"id":1}}"#], "foot"),
      ([#"{"WindowClosed":{"id":2}}"#], "foot"),
      ([#"{"WindowClosed":{"id":1}}"#], nil),
      ([#"{"WindowOpenedOrChanged":{"window":\#(window(3, "mpv", focused: true))}}"#], "mpv"),
      ([#"{"WindowOpenedOrChanged":{"window":\#(window(3, "mpv", focused: false))}}"#], "foot"),
      ([#"{"WindowsChanged":{"windows":[]}}"#], nil),
      // unknown and unreadable lines
      ([#"{"CastStarted":{"id":1}}"#, "", "[]", "{\"WindowFocusChanged\":", "7"], "foot"),
    ] as [([String], String?)])
  func eventsChangeTheFocus(_ lines: [String], _ name: String?) throws {
    let machine = try machine(after: Self.beginning + lines)
    #expect(machine.focus.window?.names.first == name)
    #expect(machine.focus != .unknown)
  }

  @Test func anOldNiriIsNotSupported() {
    var machine = NiriMachine()
    #expect(throws: DesktopFailure.self) {
      _ = try machine.receive(Array("{\"Err\":\"error parsing request\"}\n".utf8))
    }
  }
}

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
    machine.asked()
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

  @Test func whatHyprlandAnswersHasTheCommasInPlace() throws {
    var machine = HyprlandMachine()
    try machine.receive(Array("activewindow>>a,b,title\n".utf8))
    _ = machine.answered(
      Array(#"{"address":"0x1","class":"a,b","title":"title","initialClass":"a,b","pid":9}"#.utf8))
    #expect(machine.focus == .window(FocusedWindow(names: ["a,b"], title: "title", pid: 9)))
  }

  @Test func anEmptyEventNeedsNoQuestion() throws {
    var machine = HyprlandMachine()
    _ = machine.answered(Array(#"{"class":"a","title":"b","pid":9}"#.utf8))
    machine.asked()
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

@Suite struct TextTests {
  @Test(
    arguments: [
      ([], ""), ([0x61], "a"), ([0x61, 0xc3], "a"), ([0xc3, 0xa9], "é"), ([0xf0, 0x9f, 0x98], ""),
      ([0xf0, 0x9f, 0x98, 0x80], "😀"), ([0x80, 0x80], "\u{fffd}\u{fffd}"), ([0xff], "\u{fffd}"),
      ([0xc3, 0x28], "\u{fffd}("),
    ] as [([UInt8], String)])
  func onlyACutCharacterIsLeftOut(_ bytes: [UInt8], _ text: String) {
    #expect(String(cut: bytes) == text)
  }

  @Test(arguments: [(0, ""), (1, ""), (2, "é"), (3, "é"), (5, "éé"), (9, "éé")])
  func aTextIsCutBetweenCharacters(_ limit: Int, _ text: String) {
    #expect("éé".limited(toBytes: limit) == text)
  }

  @Test func namesAreKeptOnceAndTitlesStayOutOfDescriptions() {
    let window = FocusedWindow(names: [nil, "", "a", "b", "a"], title: "secret", pid: 0)
    #expect(window.names == ["a", "b"])
    #expect(window.pid == nil)
    #expect(
      "\(window) \(String(reflecting: window)) \(Optional(window) as Any)".contains("secret")
        == false)
  }
}
