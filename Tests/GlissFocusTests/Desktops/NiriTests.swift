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
