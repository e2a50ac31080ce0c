import GlissEvents
import TestSupport
import Testing

@testable import GlissFocus

let swayFrame = FakeDesktop.swayFrame

@Suite struct SwayMachineTests {
  static let subscribed = swayFrame(2, #"{"success": true}"#)
  static let emptyTree = #"{"id":1,"nodes":[{"id":4,"type":"workspace","focused":true}]}"#
  static let question = swayFrame(4, "")

  static func window(_ change: String, _ container: String) -> [UInt8] {
    swayFrame(0x8000_0003, #"{"change":"\#(change)","container":\#(container)}"#)
  }

  static func foot(_ number: Int, _ name: String, _ title: String = "t") -> String {
    #"{"id":\#(number),"app_id":"\#(name)","name":"\#(title)","pid":7,"focused":true}"#
  }

  static func workspace(_ change: String, focus: String) -> [UInt8] {
    swayFrame(0x8000_0000, #"{"change":"\#(change)","current":{"id":2,"focus":\#(focus)}}"#)
  }

  private func started(_ tree: String = emptyTree) throws -> SwayMachine {
    var machine = SwayMachine()
    #expect(machine.focus == .unknown)
    #expect(try machine.receive(Self.subscribed + swayFrame(4, tree)).isEmpty)
    return machine
  }

  @Test func aWorkspaceThatHasTheFocusMeansNoWindow() throws {
    #expect(try started().focus == .nothing)
  }

  @Test func theTreeNamesTheFocusedWindowAlsoAmongFloatingOnes() throws {
    let tree = #"""
      {"nodes":[{"focused":false,"nodes":[],"floating_nodes":[{"id":9,"pid":44,"app_id":null,
      "focused":true,"name":"A, b","window":77,"window_properties":{"class":"Gimp, the","instance":"gimp"}}]}]}
      """#
    let window = FocusedWindow(names: ["Gimp, the", "gimp"], title: "A, b", pid: 44)
    #expect(try started(tree).focus == .window(window))
  }

  @Test(
    arguments: [
      ([window("focus", foot(1, "one"))], "one"),
      ([window("focus", foot(1, "one")), window("focus", foot(2, "two"))], "two"),
      // another window's title and end do not matter
      ([window("focus", foot(1, "one")), window("title", foot(2, "two"))], "one"),
      ([window("focus", foot(1, "one")), window("close", foot(2, "two"))], "one"),
      ([window("focus", foot(1, "one")), window("close", foot(1, "one"))], nil),
      ([window("new", foot(1, "one"))], nil),
      ([window("focus", foot(1, "one")), workspace("focus", focus: "[]")], nil),
      // its workspace was initialized, not shown
      ([window("focus", foot(1, "one")), workspace("init", focus: "[]")], "one"),
    ] as [([[UInt8]], String?)])
  func eventsChangeTheFocus(_ events: [[UInt8]], _ name: String?) throws {
    var machine = try started()
    #expect(try machine.receive(events.flatMap(\.self)).isEmpty)
    #expect(machine.focus.window?.names.first == name)
    #expect(machine.focus != .unknown)
  }

  @Test func aTitleOfTheFocusedWindowIsFollowed() throws {
    var machine = try started()
    _ = try machine.receive(Self.window("focus", Self.foot(1, "one", "First")))
    _ = try machine.receive(Self.window("title", Self.foot(1, "one", "Zweites Fenster ü")))
    #expect(machine.focus.window?.title == "Zweites Fenster ü")
  }

  /// Of what no event says where it goes, the tree is asked, and once for many.
  @Test func anUnknownWindowIsAskedForOnce() throws {
    var machine = try started()
    let moves = Self.window("focus", Self.foot(1, "one")) + Self.window("move", Self.foot(1, "one"))
    #expect(try machine.receive(moves + Self.workspace("focus", focus: "[5]")) == Self.question)
    #expect(try machine.receive(Self.window("move", Self.foot(1, "one"))).isEmpty)
    // the answer is older than the last event
    #expect(try machine.receive(swayFrame(4, Self.emptyTree)) == Self.question)
    #expect(try machine.receive(swayFrame(4, Self.emptyTree)).isEmpty)
    #expect(machine.focus == .nothing)
  }

  @Test func anEventThatIsNotJSONLeadsToAQuestion() throws {
    var machine = try started()
    #expect(try machine.receive(swayFrame(0x8000_0003, "{")) == Self.question)
  }

  @Test func invalidUTF8InATitleIsReplaced() throws {
    var machine = try started()
    let text = Array(#"{"change":"focus","container":{"id":1,"pid":1,"app_id":"a","name":""#.utf8)
    let payload = text + [0xc3, 0x28, 0xf0, 0x9f] + Array(#""}}"#.utf8)
    let length = UInt32(payload.count).nativeBytes
    let head = Array("i3-ipc".utf8) + length + UInt32(0x8000_0003).nativeBytes
    _ = try machine.receive(head + payload)
    #expect(machine.focus.window?.title == "\u{fffd}(\u{fffd}")
  }

  @Test func aTitleOfAMegabyteAndControlCharactersAreCutAndKept() throws {
    var machine = try started()
    let title = #"\u001b[31m\n\u0007"# + String(repeating: "ü", count: 1 << 19)
    let bytes = Self.window("focus", Self.foot(1, "one", title))
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      _ = try machine.receive(Array(bytes[start..<min(start + 65_536, bytes.count)]))
    }
    let found = try #require(machine.focus.window?.title)
    #expect(found.hasPrefix("\u{1b}[31m\n\u{7}ü"))
    #expect(
      (FocusedWindow.longestTitle - 3...FocusedWindow.longestTitle).contains(found.utf8.count))
  }

  @Test(
    arguments: [
      Array("i4-ipc".utf8) + [UInt8](repeating: 0, count: 8),
      Array("i3-ipc".utf8) + UInt32.max.nativeBytes + UInt32(4).nativeBytes,
      swayFrame(2, #"{"success": false}"#), swayFrame(2, ""), swayFrame(4, "no"),
    ])
  func nonsenseEndsTheConnection(_ bytes: [UInt8]) {
    var machine = SwayMachine()
    #expect(throws: DesktopFailure.self) { _ = try machine.receive(bytes) }
  }
}
