import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissFocus

@Suite struct ActionTests {
  private func failure(_ step: () throws(DesktopFailure) -> Void) -> DesktopFailure? {
    do throws(DesktopFailure) {
      try step()
      return nil
    } catch {
      return error
    }
  }

  // MARK: sway

  @Test func swayIsGivenOneCommand() throws {
    var machine = SwayAction(.workspace(.number(3)))
    #expect(machine.greeting == SwayMachine.message(0, "workspace number 3"))
    let answer = swayFrame(0, #"[{"success":true}]"#)
    #expect(try machine.receive(Array(answer.prefix(20))) == [])
    #expect(machine.report == nil)
    #expect(try machine.receive(Array(answer.dropFirst(20))) == [])
    #expect(machine.report == .sway)
  }

  private static let focusedWindow = swayFrame(
    4, #"{"nodes":[{"focused":false,"nodes":[{"id":7,"focused":true,"pid":3,"app_id":"foot"}]}]}"#)

  @Test func swayActsOnTheFocusedWindowOnly() throws {
    var machine = SwayAction(.window(.tileLeft))
    #expect(machine.greeting == SwayMachine.message(4))
    #expect(
      try machine.receive(Self.focusedWindow)
        == SwayMachine.message(0, "[con_id=__focused__] floating disable, move left"))
    #expect(machine.report == nil)
    #expect(try machine.receive(swayFrame(0, #"[{"success":true},{"success":true}]"#)) == [])
    #expect(machine.report == .sway)
  }

  /// A workspace, a container of windows, or nothing: 'kill' would close all windows in it.
  @Test(
    arguments: [
      #"{"nodes":[{"type":"workspace","focused":true,"nodes":[{"pid":3,"app_id":"foot"}]}]}"#,
      #"{"nodes":[{"focused":false}]}"#,
    ])
  func swayClosesNoWorkspace(_ tree: String) {
    var machine = SwayAction(.window(.close))
    let problem = failure { () throws(DesktopFailure) in
      _ = try machine.receive(swayFrame(4, tree))
    }
    #expect(problem == .refused("no window has the focus"))
  }

  @Test(
    arguments: [
      ("no room", "sway or i3: no room"),
      // a launcher has the keyboard
      ("Criteria is empty", "no window has the focus"),
    ])
  func swaySaysWhyItRefuses(_ error: String, _ message: String) throws {
    var machine = SwayAction(.window(.close))
    _ = try machine.receive(Self.focusedWindow)
    let answer = swayFrame(0, #"[{"success":true},{"success":false,"error":"\#(error)"}]"#)
    #expect(
      failure { () throws(DesktopFailure) in _ = try machine.receive(answer) }
        == .refused(message))
  }

  // MARK: niri

  @Test(
    arguments: [
      (DesktopAction.window(.close), #"{"Action":{"CloseWindow":{"id":null}}}"#),
      (.window(.maximize), #"{"Action":{"MaximizeColumn":{}}}"#),
      (.workspace(.next), #"{"Action":{"FocusWorkspaceDown":{}}}"#),
      (.workspace(.number(3)), #"{"Action":{"FocusWorkspace":{"reference":{"Index":3}}}}"#),
    ])
  func niriIsGivenALine(_ action: DesktopAction, _ line: String) throws {
    var machine = NiriAction(action)
    #expect(String(decoding: machine.greeting, as: UTF8.self) == line + "\n")
    #expect(try machine.receive(Array(#"{"Ok":"#.utf8)) == [])
    #expect(machine.report == nil)
    #expect(try machine.receive(Array("\"Handled\"}\n".utf8)) == [])
    #expect(machine.report == .niri)
    let problem = failure { () throws(DesktopFailure) in
      _ = try machine.receive(Array("{\"Err\":\"no such thing\"}\n".utf8))
    }
    #expect(problem == .refused("niri: no such thing"))
  }

  // MARK: Hyprland

  @Test(
    arguments: [
      (DesktopAction.window(.close), "killactive", "hl.dsp.window.close()"),
      (.window(.maximize), "fullscreen 1", #"hl.dsp.window.fullscreen({ mode = "maximized" })"#),
      (.workspace(.next), "workspace e+1", #"hl.dsp.focus({ workspace = "e+1" })"#),
      (.workspace(.number(3)), "workspace 3", #"hl.dsp.focus({ workspace = "3" })"#),
    ])
  func hyprlandIsGivenWordsAndThenLua(
    _ action: DesktopAction, _ words: String, _ expression: String
  ) throws {
    var dispatch = HyprlandDispatch(action)
    #expect(dispatch.request == "dispatch \(words)")
    #expect(try !dispatch.isDone(after: Array("error: [string \"return hl.disp".utf8)))
    #expect(dispatch.request == "dispatch \(expression)")
    #expect(try dispatch.isDone(after: Array("ok".utf8)))
  }

  @Test func hyprlandIsNotAskedForEver() throws {
    var dispatch = HyprlandDispatch(.window(.close))
    #expect(try !dispatch.isDone(after: Array("error: a\nb".utf8)))
    let problem = failure { () throws(DesktopFailure) in
      _ = try dispatch.isDone(after: Array("error: c\nd".utf8))
    }
    #expect(problem == .refused("Hyprland: error: c"))
  }

  // MARK: Wayland's list

  private static let (first, second): (UInt32, UInt32) = (0xff00_0000, 0xff00_0001)

  /// The requests that follow a list in which the second window is activated, with these states.
  private func requests(_ action: DesktopAction?, _ states: [UInt32] = []) throws -> [UInt8] {
    let script = WaylandScript()
    var machine = WaylandAction(action)
    let bind = try machine.receive(script.globals)
    #expect(
      bind.starts(
        with: WaylandMessage.bytes(
          to: 2, 0, UInt32(9).nativeBytes, WaylandMessage.bytes(of: script.list.rawValue),
          UInt32(2).nativeBytes, UInt32(4).nativeBytes)))
    let state = script.message(
      Self.second, 4,
      UInt32(4 + states.count * 4).nativeBytes + UInt32(2).nativeBytes
        + states.flatMap(\.nativeBytes))
    let list =
      script.window(Self.first, "one") + script.opened(Self.second) + state
      + script.done(Self.second) + script.listed
    let request = try machine.receive(list)
    #expect(machine.report == nil)
    #expect(try machine.receive(script.numbers(6, 0, 0)) == [])
    #expect(machine.report == .wayland)
    return request
  }

  @Test func theActivatedWindowIsActedOn() throws {
    let end = WaylandMessage.bytes(to: 1, 0, UInt32(6).nativeBytes)
    func bytes(_ operation: UInt16) -> [UInt8] {
      WaylandMessage.bytes(to: Self.second, operation) + end
    }
    #expect(try requests(.window(.close)) == bytes(5))
    #expect(try requests(.window(.minimize)) == bytes(2))
    #expect(try requests(.window(.maximize)) == bytes(0))
    #expect(try requests(.window(.maximize), [0]) == bytes(1))
    #expect(try requests(.window(.fullscreen), [3]) == bytes(9))
    #expect(
      try requests(.window(.fullscreen))
        == WaylandMessage.bytes(to: Self.second, 8, UInt32(0).nativeBytes) + end)
  }

  @Test func withoutAnActivatedWindowNothingIsDone() throws {
    let script = WaylandScript()
    var machine = WaylandAction(.window(.close))
    _ = try machine.receive(script.globals)
    let problem = failure { () throws(DesktopFailure) in
      _ = try machine.receive(script.window(Self.first, "one") + script.listed)
    }
    #expect(problem == .refused("no window has the focus"))
  }

  @Test func aCompositorWithoutTheListLeavesItToOthers() throws {
    let script = WaylandScript()
    var machine = WaylandAction(.window(.close))
    let problem = failure { () throws(DesktopFailure) in
      _ = try machine.receive(script.global(1, "wl_compositor") + script.numbers(3, 0, 0))
    }
    guard case .unsupported? = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
    var found = WaylandAction(nil)
    #expect(try found.receive(script.globals) == [])
    #expect(found.report == .wayland)
  }

  // MARK: X11

  private static let window: UInt32 = 0x200

  private func server(_ supported: [String]) throws -> FakeXServer {
    var server = FakeXServer()
    // the machine's own questions name the atoms
    var machine = X11Action(.workspace(.next), nil)
    var bytes = FakeXServer.setup
    while !bytes.isEmpty {
      guard let request = try? machine.receive(bytes) else { break }
      bytes = server.answer(request)
    }
    let root = FakeXServer.root
    let atoms = supported.compactMap { server.atoms[$0] }
    server.set(root, "_NET_SUPPORTED", atoms.flatMap(\.nativeBytes), type: 4)
    server.set(root, "_NET_ACTIVE_WINDOW", Self.window.nativeBytes)
    server.set(root, "_NET_CURRENT_DESKTOP", UInt32(1).nativeBytes, type: 6)
    server.set(root, "_NET_NUMBER_OF_DESKTOPS", UInt32(4).nativeBytes, type: 6)
    return server
  }

  /// The window, type and first word of the message that is sent.
  private func sent(
    _ action: DesktopAction, _ supported: [String]
  ) throws -> (window: UInt32?, type: String?, words: [UInt32]) {
    var server = try server(supported)
    server.forgetRequests()
    var machine = X11Action(action, nil)
    var bytes = FakeXServer.setup
    while !bytes.isEmpty { bytes = server.answer(try machine.receive(bytes)) }
    #expect(machine.report == .x11)
    let message = try #require(server.messages.last)
    let type = message.number(at: 8, UInt32.self)
    let words = stride(from: 12, to: 32, by: 4).compactMap { message.number(at: $0, UInt32.self) }
    return (message.number(at: 4), server.atoms.first { $0.value == type }?.key, words)
  }

  @Test func theWindowManagerIsSentAMessage() throws {
    let close = try sent(.window(.close), ["_NET_CLOSE_WINDOW"])
    #expect(close.window == Self.window && close.type == "_NET_CLOSE_WINDOW")
    let minimize = try sent(.window(.minimize), [])
    #expect(minimize.type == "WM_CHANGE_STATE" && minimize.words[0] == 3)
    let full = try sent(.window(.fullscreen), ["_NET_WM_STATE_FULLSCREEN"])
    #expect(full.type == "_NET_WM_STATE" && full.words[0] == 2)
  }

  @Test(
    arguments: [
      (WorkspaceTarget.next, 2), (.previous, 0), (.number(4), 3), (.number(1), 0),
    ] as [(WorkspaceTarget, UInt32)])
  func desktopsAreCounted(_ target: WorkspaceTarget, _ index: UInt32) throws {
    let message = try sent(.workspace(target), ["_NET_CURRENT_DESKTOP"])
    #expect(message.window == FakeXServer.root && message.type == "_NET_CURRENT_DESKTOP")
    #expect(message.words[0] == index)
  }

  @Test func actionsUnknownToTheWindowManagerAreRefused() throws {
    #expect(throws: DesktopFailure.self) { try sent(.window(.close), ["_NET_WM_STATE"]) }
    #expect(throws: DesktopFailure.refused("there are only 4 workspaces")) {
      try sent(.workspace(.number(5)), ["_NET_CURRENT_DESKTOP"])
    }
  }

  // MARK: Any bytes

  private func feed(
    _ machine: some DesktopMachine<FocusKind>, _ bytes: [UInt8], _ random: inout RandomSource
  ) {
    var machine = machine
    var rest = bytes[...]
    do throws(DesktopFailure) {
      while !rest.isEmpty {
        let piece = rest.prefix(random.integer(1...64))
        rest = rest.dropFirst(piece.count)
        _ = try machine.receive(Array(piece))
        if machine.report != nil { return }
      }
    } catch {
      #expect(!error.description.isEmpty)
    }
  }

  @Test func changedBytesNeverTrap() {
    var random = Seed.source("actions")
    let script = WaylandScript()
    let wayland = script.globals + script.window(Self.first, "one", active: true) + script.listed
    let sway = Self.focusedWindow + swayFrame(0, #"[{"success":true}]"#)
    for _ in 0..<3000 {
      func changed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<random.integer(1...6) {
          bytes[random.integer(0...bytes.count - 1)] = UInt8(random.integer(0...255))
        }
        return bytes
      }
      let action = random.pick(DesktopAction.all)
      feed(WaylandAction(action), changed(wayland), &random)
      feed(SwayAction(action), changed(sway), &random)
      feed(X11Action(action, nil), changed(MutationTests.x11), &random)
      feed(NiriAction(action), changed(Array("{\"Ok\":\"Handled\"}\n".utf8)), &random)
      var dispatch = HyprlandDispatch(action)
      _ = try? dispatch.isDone(after: changed(Array("error: no".utf8)))
    }
  }
}
