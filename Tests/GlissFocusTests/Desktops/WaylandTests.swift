import Testing

@testable import GlissFocus

/// What a compositor would send.
struct WaylandScript {
  var list = ToplevelProtocol.wlroots

  func numbers(_ object: UInt32, _ operation: UInt16, _ numbers: UInt32...) -> [UInt8] {
    message(object, operation, numbers.flatMap(\.nativeBytes))
  }

  func message(_ object: UInt32, _ operation: UInt16, _ body: [UInt8]) -> [UInt8] {
    object.nativeBytes + (UInt32(8 + body.count) << 16 | UInt32(operation)).nativeBytes + body
  }

  func text(_ object: UInt32, _ operation: UInt16, _ text: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - (text.count + 1) % 4) % 4)
    return message(object, operation, UInt32(text.count + 1).nativeBytes + text + [0] + padding)
  }

  func global(_ number: UInt32, _ interface: String) -> [UInt8] {
    var body = WaylandMessage.bytes(
      to: 2, 0, number.nativeBytes, WaylandMessage.bytes(of: interface), UInt32(3).nativeBytes)
    body.removeFirst(8)
    return message(2, 0, body)
  }

  /// A global that does not matter, the list, and the end of the globals.
  var globals: [UInt8] {
    global(1, "wl_compositor") + global(9, list.rawValue) + numbers(3, 0, 0)
  }

  var listed: [UInt8] { numbers(5, 0, 0) }

  func opened(_ window: UInt32) -> [UInt8] { numbers(4, 0, window) }
  func title(_ window: UInt32, _ title: String) -> [UInt8] {
    text(window, list == .cosmic ? 2 : 0, Array(title.utf8))
  }
  func name(_ window: UInt32, _ name: String) -> [UInt8] {
    text(window, list == .cosmic ? 3 : 1, Array(name.utf8))
  }
  func state(_ window: UInt32, _ states: UInt32...) -> [UInt8] {
    message(
      window, list == .cosmic ? 8 : 4,
      UInt32(states.count * 4).nativeBytes + states.flatMap(\.nativeBytes))
  }
  func done(_ window: UInt32) -> [UInt8] { numbers(window, list == .cosmic ? 1 : 5) }
  func closed(_ window: UInt32) -> [UInt8] { numbers(window, list == .cosmic ? 0 : 6) }

  /// A window that is there when the list is asked for.
  func window(_ window: UInt32, _ name: String, active: Bool = false) -> [UInt8] {
    opened(window) + title(window, "T " + name) + self.name(window, name)
      + (active ? state(window, 0, 2) : state(window)) + done(window)
  }
}

@Suite struct WaylandMachineTests {
  private static let (first, second): (UInt32, UInt32) = (0xff00_0000, 0xff00_0001)

  private func started(_ script: WaylandScript) throws -> WaylandMachine {
    var machine = WaylandMachine()
    let bind = try machine.receive(script.globals)
    #expect(
      bind.starts(
        with: WaylandMessage.bytes(
          to: 2, 0, UInt32(9).nativeBytes, WaylandMessage.bytes(of: script.list.rawValue),
          UInt32(1).nativeBytes, UInt32(4).nativeBytes)))
    _ = try machine.receive(
      script.window(Self.first, "one", active: true) + script.window(Self.second, "two"))
    #expect(machine.focus == .unknown)
    _ = try machine.receive(script.listed)
    #expect(machine.focus == .window(FocusedWindow(names: ["one"], title: "T one")))
    return machine
  }

  @Test(arguments: [ToplevelProtocol.wlroots, .cosmic])
  func theActivatedWindowHasTheFocus(_ list: ToplevelProtocol) throws {
    let script = WaylandScript(list: list)
    var machine = try started(script)
    let (first, second) = (Self.first, Self.second)
    // not before `done`
    _ = try machine.receive(script.state(first) + script.state(second, 2))
    #expect(machine.focus.window?.names == ["one"])
    _ = try machine.receive(script.done(first))
    #expect(machine.focus == .nothing)
    _ = try machine.receive(script.done(second))
    #expect(machine.focus.window?.names == ["two"])
    _ = try machine.receive(script.title(second, "new") + script.done(second))
    #expect(machine.focus.window?.title == "new")
  }

  @Test(arguments: [ToplevelProtocol.wlroots, .cosmic])
  func aClosedWindowIsDestroyedAndHasNoFocus(_ list: ToplevelProtocol) throws {
    let script = WaylandScript(list: list)
    var machine = try started(script)
    let answer = try machine.receive(script.closed(Self.first))
    #expect(answer == WaylandMessage.bytes(to: Self.first, list.destroy))
    #expect(machine.focus == .nothing)
    // what still comes for it, or for nobody
    _ = try machine.receive(script.done(Self.first) + script.title(77, "x") + script.closed(77))
    #expect(machine.focus == .nothing)
  }

  @Test func theNewerOfTwoActivatedWindowsCounts() throws {
    let script = WaylandScript()
    var machine = try started(script)
    _ = try machine.receive(script.state(Self.second, 2) + script.done(Self.second))
    #expect(machine.focus.window?.names == ["two"])
    _ = try machine.receive(script.closed(Self.second))
    #expect(machine.focus.window?.names == ["one"])
  }

  @Test func aCompositorWithoutAListIsNotSupported() {
    var machine = WaylandMachine()
    let script = WaylandScript()
    #expect(throws: DesktopFailure.self) {
      _ = try machine.receive(script.global(1, "wl_compositor") + script.numbers(3, 0, 0))
    }
  }

  @Test func aNameThatIsNotUTF8IsRepaired() throws {
    let script = WaylandScript()
    var machine = try started(script)
    _ = try machine.receive(script.text(Self.first, 1, [0xff, 0x41]) + script.done(Self.first))
    #expect(machine.focus.window?.names == ["\u{fffd}A"])
  }

  @Test(
    arguments: [
      // sizes below the head, and not of whole words
      [1, 0, 0, 0, 0, 0, 4, 0], [1, 0, 0, 0, 0, 0, 9, 0],
      // an error; a global that ends too early; a text longer than its message
      WaylandScript().numbers(1, 0, 1, 2, 3), WaylandScript().message(2, 0, [1, 0]),
      WaylandScript().numbers(2, 0, 1, .max, 0), WaylandScript().numbers(2, 0, 1, 0x7fff_ffff),
    ] as [[UInt8]])
  func nonsenseEndsTheConnection(_ bytes: [UInt8]) {
    var machine = WaylandMachine()
    #expect(throws: DesktopFailure.self) { _ = try machine.receive(bytes) }
  }
}
