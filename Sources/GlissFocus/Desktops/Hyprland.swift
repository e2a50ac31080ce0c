import Glibc
import GlissDevices
import GlissEvents

/// Hyprland's events: a line for each.
///
/// An event gives class and title separated by a comma, cut at 1024 bytes. Both may contain commas, so
/// Hyprland is asked what they are; only if it does not answer, the event is taken as it is.
struct HyprlandMachine {
  private(set) var focus = Focus.unknown
  /// The focus has changed since Hyprland was asked.
  private(set) var mustAsk = true
  /// What the last event said.
  private var event = Focus.unknown
  private var input = InputBuffer()

  static let question = Array("j/activewindow".utf8)
  /// Of one line, with room for longer ones than Hyprland sends.
  private static let longestLine = 1 << 20

  mutating func receive(_ bytes: [UInt8]) throws(FocusFailure) {
    input.append(bytes)
    while let line = input.takeLine() {
      guard let separator = line.firstIndex(of: UInt8(ascii: ">")) else { continue }
      guard line[..<separator].elementsEqual("activewindow".utf8) else { continue }
      event = Self.focus(line[separator...].dropFirst(2))
      // nothing needs no question
      if event == .nothing { focus = event }
      mustAsk = event != .nothing
    }
    guard input.count <= Self.longestLine else { throw .malformed("a line without an end") }
  }

  private static func focus(_ data: ArraySlice<UInt8>) -> Focus {
    let parts = data.split(
      separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(cut: parts[0])
    let title = parts.count > 1 ? String(cut: parts[1]) : ""
    if name.isEmpty, title.isEmpty { return .nothing }
    return .window(FocusedWindow(names: [name], title: title))
  }

  mutating func asked() { mustAsk = false }

  /// Whether the last event said that nothing has the focus, which no earlier answer changes.
  var isCertain: Bool { event == .nothing }

  /// Takes the answer to ``question``, or `nil` if Hyprland gave none.
  ///
  /// - Returns: `false` if nothing is known, neither from the answer nor from an event.
  mutating func answered(_ bytes: [UInt8]?) -> Bool {
    guard let answer = bytes.flatMap(JSON.init(desktop:)), case .object(let members) = answer else {
      focus = event
      return event != .unknown
    }
    guard !members.isEmpty else {
      focus = .nothing
      return true
    }
    focus = .window(
      FocusedWindow(
        names: [answer["class"]?.string, answer["initialClass"]?.string],
        title: answer["title"]?.string, pid: answer["pid"]?.integer.flatMap { Int32(exactly: $0) }))
    return true
  }
}

/// Hyprland's two sockets: events arrive on one; on the other, each question has its own connection.
///
/// Hyprland waits for a question once it has accepted a connection, so the question is sent at once
/// and the connection ends with the answer.
final class HyprlandSource: FocusSource {
  private let folder: String
  private let loop: InputLoop
  private let users: Set<UInt32>
  private let events: LocalSocket
  private var question: LocalSocket?
  private var answer: [UInt8] = []
  private var machine = HyprlandMachine()
  private var report: ((FocusReport) -> Void)?

  /// - Parameters:
  ///   - folder: of this instance's sockets. An older Hyprland has it in /tmp, where another user can
  ///     make it first.
  ///   - users: the users who may serve them.
  init(
    _ folder: String, on loop: InputLoop, servedBy users: Set<UInt32> = [getuid(), 0]
  ) throws(FocusFailure) {
    self.folder = folder
    self.loop = loop
    self.users = users
    events = try LocalSocket(folder + "/.socket2.sock", on: loop, servedBy: users)
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    try events.watch { [weak self] in self?.step() }
    ask()
  }

  private func step() {
    let before = machine.focus
    do throws(FocusFailure) {
      try events.receive { bytes throws(FocusFailure) in try machine.receive(bytes) }
    } catch {
      events.ignore()
      report?(.failed(error))
      return
    }
    if machine.mustAsk { return ask() }
    // an answer that is still to come is about an earlier time
    if machine.isCertain { question = nil }
    guard machine.focus != before else { return }
    report?(.focus(machine.focus))
  }

  private func ask() {
    // or when the answer has come
    guard question == nil else { return }
    machine.asked()
    answer = []
    do throws(FocusFailure) {
      let socket = try LocalSocket(folder + "/.socket.sock", on: loop, servedBy: users)
      question = socket
      try socket.send(HyprlandMachine.question)
      try socket.watch { [weak self] in self?.readAnswer() }
    } catch {
      finish(nil)
    }
  }

  private func readAnswer() {
    do throws(FocusFailure) {
      try question?.receive { bytes throws(FocusFailure) in
        answer += bytes
        if answer.count > JSON.longestMessage { throw .malformed("an endless answer") }
      }
    } catch .closed {
      finish(answer)
    } catch {
      finish(nil)
    }
  }

  private func finish(_ answer: [UInt8]?) {
    question = nil
    if machine.mustAsk { return ask() }
    let before = machine.focus
    guard machine.answered(answer) else {
      report?(.failed(.silent))
      return
    }
    if machine.focus != before { report?(.focus(machine.focus)) }
  }
}

/// One dispatch for Hyprland, whose connection ends with the answer.
///
/// With a configuration in Lua, since version 0.55, Hyprland takes an expression instead of the words
/// of before, and says nothing of it but the error that the words are. So both are tried.
struct HyprlandAction: ActionMachine {
  private let action: DesktopAction?
  private var isLua = false
  private var answer: [UInt8] = []

  init(_ action: DesktopAction?) { self.action = action }

  var greeting: [UInt8] {
    guard let action else { return Array("version".utf8) }
    return Array("dispatch \(isLua ? Self.expression(for: action) : Self.words(for: action))".utf8)
  }

  /// The special workspace is where windows are put away; moving is what tiling comes to.
  static func words(for action: DesktopAction) -> String {
    switch action {
    case .window(.close): "killactive"
    case .window(.minimize): "movetoworkspacesilent special"
    case .window(.maximize): "fullscreen 1"
    case .window(.fullscreen): "fullscreen 0"
    case .window(.float): "togglefloating"
    case .window(.tileLeft): "movewindow l"
    case .window(.tileRight): "movewindow r"
    case .workspace(let target): "workspace \(selector(of: target))"
    }
  }

  static func expression(for action: DesktopAction) -> String {
    switch action {
    case .window(.close): "hl.dsp.window.close()"
    case .window(.minimize): #"hl.dsp.window.move({ workspace = "special", follow = false })"#
    case .window(.maximize): #"hl.dsp.window.fullscreen({ mode = "maximized" })"#
    case .window(.fullscreen): #"hl.dsp.window.fullscreen({ mode = "fullscreen" })"#
    case .window(.float): #"hl.dsp.window.float({ action = "toggle" })"#
    case .window(.tileLeft): #"hl.dsp.window.move({ direction = "l" })"#
    case .window(.tileRight): #"hl.dsp.window.move({ direction = "r" })"#
    case .workspace(let target): "hl.dsp.focus({ workspace = \"\(selector(of: target))\" })"
    }
  }

  /// Of those that exist, as its own example does.
  private static func selector(of target: WorkspaceTarget) -> String {
    switch target {
    case .next: "e+1"
    case .previous: "e-1"
    case .number(let number): "\(number)"
    }
  }

  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep {
    answer += bytes
    return .send([])
  }

  mutating func ended() throws(ActionFailure) -> ActionStep {
    let text = String(decoding: answer, as: UTF8.self)
    answer = []
    if text.isEmpty { throw .absent(.closed) }
    if action == nil || text.hasPrefix("ok") { return .done }
    guard !isLua, text.hasPrefix("error") else {
      throw .refused("Hyprland: \(text.prefix { !$0.isNewline })")
    }
    isLua = true
    return .reconnect
  }
}
