import GlissEvents
import Testing

@testable import GlissFocus

/// A small X server: answers requests about properties, in their order.
struct FakeXServer {
  var properties: [UInt32: [UInt32: (type: UInt32, format: UInt8, bytes: [UInt8])]] = [:]
  private(set) var atoms: [String: UInt32] = ["WM_CLASS": 67, "WM_NAME": 39, "WM_STATE": 100]
  /// The events that were sent to the root window.
  private(set) var messages: [[UInt8]] = []
  private(set) var watched: Set<UInt32> = []
  /// The windows in each window, the lowest first.
  var children: [UInt32: [UInt32]] = [:]
  /// The window of the root that the pointer is over.
  var pointed: UInt32 = 0
  /// Whether it is part of a Wayland desktop, and says so by an extension.
  var isXwayland = false
  /// The name of its output, as RandR knows it.
  var output: String?
  private var sequence: UInt16 = 0
  static let root: UInt32 = 0x50

  static var setup: [UInt8] {
    var body = [UInt8](repeating: 0, count: 32)
    body.replaceSubrange(16..<18, with: UInt16(5).nativeBytes)
    body[21] = 2
    body += Array("Xvfb!".utf8) + [0, 0, 0] + [UInt8](repeating: 0, count: 16) + root.nativeBytes
    return [1, 0] + UInt16(11).nativeBytes + UInt16(0).nativeBytes
      + UInt16(body.count / 4).nativeBytes + body
  }

  /// A new connection begins.
  mutating func forgetRequests() { sequence = 0 }

  mutating func answer(_ requests: [UInt8]) -> [UInt8] {
    var rest = requests[...]
    var answer: [UInt8] = []
    while let operation = rest.first, let words: UInt16 = rest.number(at: 2), words > 0 {
      let request = Array(rest.prefix(Int(words) * 4))
      rest = rest.dropFirst(request.count)
      sequence &+= 1
      answer += reply(to: operation, request)
    }
    return answer
  }

  private mutating func reply(to operation: UInt8, _ request: [UInt8]) -> [UInt8] {
    let window: UInt32 = request.number(at: 4) ?? 0
    let isThere = window == Self.root || properties[window] != nil || children[window] != nil
    switch operation {
    case 16:
      let length: UInt16 = request.number(at: 4) ?? 0
      let name = String(decoding: request[8..<8 + Int(length)], as: UTF8.self)
      let atom = atoms[name] ?? UInt32(300 + atoms.count)
      atoms[name] = atom
      return reply(atom.nativeBytes)
    case 2:
      guard isThere else { return error }
      if request.number(at: 12, UInt32.self) == 0 {
        watched.remove(window)
      } else {
        watched.insert(window)
      }
      return []
    case 20:
      guard isThere else { return error }
      let value = properties[window]?[request.number(at: 8) ?? 0] ?? (0, 0, [])
      let count = value.format == 0 ? 0 : UInt32(value.bytes.count) / UInt32(value.format / 8)
      return reply(
        value.type.nativeBytes + UInt32(0).nativeBytes + count.nativeBytes, format: value.format,
        more: value.bytes)
    case 15:
      guard isThere else { return error }
      let inside = children[window] ?? []
      return reply(
        Self.root.nativeBytes + UInt32(0).nativeBytes + UInt16(inside.count).nativeBytes,
        more: inside.flatMap(\.nativeBytes))
    case 98:
      let isRandr = request[8...].starts(with: Array("RANDR".utf8))
      return reply([isRandr ? output == nil ? 0 : 1 : isXwayland ? 1 : 0, 140, 0, 0])
    case 140 where request[1] == 25:
      let head = UInt64(0).nativeBytes + UInt16(2).nativeBytes + UInt16(1).nativeBytes
      return reply(head, more: [1, 2, 0x77].flatMap { UInt32($0).nativeBytes })
    case 140 where request[1] == 9 && request.number(at: 4, UInt32.self) == 0x77:
      let name = Array((output ?? "").utf8)
      // up to 36 bytes it is fixed: screens, modes, clones and the name's length at its end
      let head = [UInt8](repeating: 0, count: 18) + [1, 0, 1, 0]
      let rest = UInt16(0).nativeBytes + UInt16(name.count).nativeBytes
      let fixed = head + UInt16(0).nativeBytes
      return reply(fixed, more: [UInt8](rest) + UInt64(0).nativeBytes + name)
    case 38: return reply(Self.root.nativeBytes + pointed.nativeBytes)
    case 25:
      messages.append(Array(request[12...]))
      return []
    case _: return error
    }
  }

  private var error: [UInt8] { [0, 3] + sequence.nativeBytes + [UInt8](repeating: 0, count: 28) }

  private func reply(_ head: [UInt8], format: UInt8 = 0, more: [UInt8] = []) -> [UInt8] {
    let padded = more + [UInt8](repeating: 0, count: (4 - more.count % 4) % 4)
    let start = [1, format] + sequence.nativeBytes + UInt32(padded.count / 4).nativeBytes + head
    return start + [UInt8](repeating: 0, count: 32 - start.count) + padded
  }

  func changed(_ window: UInt32, _ name: String) -> [UInt8] {
    [28, 0] + sequence.nativeBytes + window.nativeBytes + (atoms[name] ?? 0).nativeBytes
      + [UInt8](repeating: 0, count: 20)
  }

  /// The pointer enters or leaves a window.
  func crossing(_ window: UInt32, isEntry: Bool = true) -> [UInt8] {
    [isEntry ? 7 : 8, 1] + sequence.nativeBytes + [UInt8](repeating: 0, count: 4)
      + Self.root.nativeBytes + window.nativeBytes + [UInt8](repeating: 0, count: 16)
  }

  /// A window is made in the root window.
  func made(_ window: UInt32) -> [UInt8] {
    [16, 0] + sequence.nativeBytes + Self.root.nativeBytes + window.nativeBytes
      + [UInt8](repeating: 0, count: 20)
  }

  mutating func set(_ window: UInt32, _ name: String, _ bytes: [UInt8], type: UInt32 = 31) {
    let format: UInt8 = name == "_NET_ACTIVE_WINDOW" || name == "_NET_WM_PID" ? 32 : 8
    properties[window, default: [:]][atoms[name] ?? 0] = (type, format, bytes)
  }
}

@Suite struct X11MachineTests {
  private let window: UInt32 = 0x200

  /// Lets both talk until neither has more to say.
  private func talk(
    _ machine: inout X11Machine, _ server: inout FakeXServer, _ first: [UInt8]
  ) throws {
    var bytes = first
    while !bytes.isEmpty { bytes = server.answer(try machine.receive(bytes)) }
  }

  @Test func aServerWithAScreenOfItsOwnIsTaken() throws {
    var server = FakeXServer()
    server.output = "HDMI-1"
    _ = try started(&server)
  }

  private func started(_ server: inout FakeXServer) throws -> X11Machine {
    var machine = X11Machine(nil)
    try talk(&machine, &server, FakeXServer.setup)
    #expect(machine.focus == .nothing)
    return machine
  }

  private func activate(
    _ active: UInt32, _ machine: inout X11Machine, _ server: inout FakeXServer
  ) throws {
    server.set(FakeXServer.root, "_NET_ACTIVE_WINDOW", active.nativeBytes)
    try talk(&machine, &server, server.changed(FakeXServer.root, "_NET_ACTIVE_WINDOW"))
  }

  @Test func theActiveWindowIsFollowedWithItsTitle() throws {
    var server = FakeXServer()
    var machine = try started(&server)
    server.set(window, "WM_CLASS", Array("bar,r\0Foo\0".utf8))
    server.set(window, "WM_NAME", [0xfc, 0x62])
    server.set(window, "_NET_WM_PID", UInt32(42).nativeBytes)
    try activate(window, &machine, &server)
    // WM_NAME is Latin-1
    #expect(
      machine.focus == .window(FocusedWindow(names: ["Foo", "bar,r"], title: "üb", pid: 42)))
    server.set(window, "_NET_WM_NAME", Array("Fenster ü".utf8), type: 300)
    try talk(&machine, &server, server.changed(window, "_NET_WM_NAME"))
    #expect(machine.focus.window?.title == "Fenster ü")
    try activate(0, &machine, &server)
    #expect(machine.focus == .nothing)
    #expect(server.watched == [FakeXServer.root])
  }

  @Test func aWindowThatIsGoneWhenItIsAskedForHasNoFocus() throws {
    var server = FakeXServer()
    var machine = try started(&server)
    try activate(0x999, &machine, &server)
    #expect(machine.focus == .nothing)
    // the failures did not displace later replies
    server.set(window, "WM_CLASS", Array("a\0b\0".utf8))
    try activate(window, &machine, &server)
    #expect(machine.focus.window?.names == ["b", "a"])
  }

  /// Some window managers name the root window. It must go on being watched.
  @Test func theRootWindowIsNoFocusAndStaysWatched() throws {
    var server = FakeXServer()
    var machine = try started(&server)
    server.set(window, "WM_CLASS", Array("a\0b\0".utf8))
    server.set(0x300, "WM_CLASS", Array("c\0d\0".utf8))
    server.set(FakeXServer.root, "WM_NAME", Array("status".utf8))
    try activate(FakeXServer.root, &machine, &server)
    #expect(machine.focus == .nothing)
    try activate(window, &machine, &server)
    try activate(0x300, &machine, &server)
    #expect(machine.focus.window?.names == ["d", "c"])
    #expect(server.watched == [FakeXServer.root, 0x300])
  }

  @Test func manyChangesLeadToFewQuestions() throws {
    var server = FakeXServer()
    var machine = try started(&server)
    server.set(window, "WM_CLASS", Array("a\0b\0".utf8))
    server.set(FakeXServer.root, "_NET_ACTIVE_WINDOW", window.nativeBytes)
    let burst = (0..<1000).flatMap { _ in server.changed(FakeXServer.root, "_NET_ACTIVE_WINDOW") }
    let questions = try machine.receive(burst)
    #expect(questions.count == 24)
    try talk(&machine, &server, server.answer(questions))
    #expect(machine.focus.window?.names == ["b", "a"])
  }

  // MARK: The pointer

  private func startedAtPointer(_ server: inout FakeXServer) throws -> X11Machine {
    var machine = X11Machine(nil, following: .underPointer)
    try talk(&machine, &server, FakeXServer.setup)
    return machine
  }

  /// A frame, and what the window manager has put into it.
  private func add(_ frame: UInt32, _ name: String, to server: inout FakeXServer, depth: UInt32) {
    server.children[FakeXServer.root, default: []].append(frame)
    for level in 0..<depth {
      server.children[frame + level] = [frame + level + 1, frame + 0x80 + level]
      server.children[frame + 0x80 + level] = []
    }
    server.set(frame + depth, "WM_CLASS", Array("\(name)\0\(name.uppercased())\0".utf8))
    // without a frame it is a menu, which nothing manages
    if depth > 0 { server.set(frame + depth, "WM_STATE", UInt32(1).nativeBytes) }
    // as i3's
    if depth == 1 { server.set(frame, "WM_CLASS", Array("i3-frame\0i3-frame\0".utf8)) }
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt32])
  func theApplicationUnderThePointerIsFoundInItsFrame(_ depth: UInt32) throws {
    var server = FakeXServer()
    add(0x1000, "one", to: &server, depth: depth)
    add(0x2000, "two", to: &server, depth: depth)
    var machine = try startedAtPointer(&server)
    #expect(machine.focus == .nothing)
    #expect(server.watched == [FakeXServer.root, 0x1000, 0x2000])
    server.pointed = 0x2000
    try talk(&machine, &server, server.crossing(0x2000))
    #expect(machine.focus.window?.names == ["TWO", "two"])
    server.set(0x2000 + depth, "WM_NAME", Array("Title".utf8))
    try talk(&machine, &server, server.changed(0x2000 + depth, "WM_NAME"))
    #expect(machine.focus.window?.title == "Title")
    server.pointed = 0x1000
    try talk(&machine, &server, server.crossing(0x2000, isEntry: false))
    #expect(machine.focus.window?.names == ["ONE", "one"])
    server.pointed = 0
    try talk(&machine, &server, server.crossing(0x1000, isEntry: false))
    #expect(machine.focus == .nothing)
    #expect(server.watched.isSuperset(of: [FakeXServer.root, 0x1000, 0x2000]))
    // one that opens later
    add(0x3000, "three", to: &server, depth: depth)
    server.pointed = 0x3000
    try talk(&machine, &server, server.made(0x3000))
    #expect(machine.focus.window?.names == ["THREE", "three"])
    #expect(server.watched.contains(0x3000))
  }

  /// The pointer moves on at once, and many times.
  @Test func manyCrossingsLeadToFewQuestions() throws {
    var server = FakeXServer()
    add(0x1000, "one", to: &server, depth: 1)
    var machine = try startedAtPointer(&server)
    server.pointed = 0x1000
    let questions = try machine.receive((0..<1000).flatMap { _ in server.crossing(0x1000) })
    #expect(questions.count == 8)
    try talk(&machine, &server, server.answer(questions))
    #expect(machine.focus.window?.names == ["ONE", "one"])
  }

  /// A server, or a client of it, can make as many windows as it likes.
  @Test func aSearchEnds() throws {
    var server = FakeXServer()
    server.children[FakeXServer.root] = [0x1000]
    server.children[0x1000] = [0x1000] + (0..<5000).map { 0x1000 + $0 }
    var machine = try startedAtPointer(&server)
    server.pointed = 0x1000
    try talk(&machine, &server, server.crossing(0x1000))
    #expect(machine.focus == .nothing)
    // and the window may be gone
    server.pointed = 0x9999
    try talk(&machine, &server, server.crossing(0x1000))
    #expect(machine.focus == .nothing)
  }

  @Test func aServerThatAdmitsNobodyIsReported() {
    var machine = X11Machine(nil)
    let refusal: [UInt8] =
      [0, 5, 11, 0, 0, 0] + UInt16(2).nativeBytes + Array("sorry".utf8) + [0, 0, 0]
    #expect(throws: DesktopFailure.self) { _ = try machine.receive(refusal) }
  }

  @Test(arguments: [(true, nil), (true, "eDP-1"), (false, "XWAYLAND0")])
  func theServerOfAWaylandDesktopIsRefused(_ isXwayland: Bool, _ output: String?) throws {
    var server = FakeXServer()
    server.isXwayland = isXwayland
    server.output = output
    var machine = X11Machine(nil)
    let failure = #expect(throws: DesktopFailure.self) {
      try talk(&machine, &server, FakeXServer.setup)
    }
    #expect(failure?.description.contains("Wayland") == true)
    #expect(machine.focus == .unknown)
  }

  // MARK: Cookies

  private static func entry(
    _ family: UInt16, _ address: String, _ number: String, _ name: String, _ data: [UInt8]
  ) -> [UInt8] {
    func text(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
    }
    return [UInt8(family >> 8), UInt8(family & 0xff)] + text(Array(address.utf8))
      + text(Array(number.utf8)) + text(Array(name.utf8)) + text(data)
  }

  private static let file =
    entry(256, "elsewhere", "0", XAuthority.method, [1])
    + entry(256, "here", "1", XAuthority.method, [2])
    + entry(256, "here", "0", "XDM-AUTHORIZATION-1", [3])
    + entry(256, "here", "0", XAuthority.method, [4])
    + entry(65535, "", "", XAuthority.method, [5])

  @Test(arguments: [("0", "here", 4), ("1", "here", 2), ("7", "here", 5), ("0", "nobody", 5)])
  func theCookieOfThisDisplayIsFound(_ display: String, _ host: String, _ cookie: UInt8) {
    let found = XAuthority.cookie(display: display, host: host, in: Self.file)
    #expect(found == [cookie])
  }

  @Test func aFileThatWasCutHasTheCookiesBeforeTheCut() {
    for count in 0..<Self.file.count {
      let found = XAuthority.cookie(display: "7", host: "x", in: Array(Self.file.prefix(count)))
      #expect(found == nil)
    }
  }
}
