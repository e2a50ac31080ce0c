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

  static let question = "j/activewindow"
  /// Of one line, with room for longer ones than Hyprland sends.
  private static let longestLine = 1 << 20

  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) {
    input.append(bytes)
    while let line = try input.takeLine(upTo: Self.longestLine) {
      guard let separator = line.firstIndex(of: UInt8(ascii: ">")) else { continue }
      guard line[..<separator].elementsEqual("activewindow".utf8) else { continue }
      event = Self.focus(line[separator...].dropFirst(2))
      // nothing needs no question
      if event == .nothing { focus = event }
      mustAsk = event != .nothing
    }
  }

  private static func focus(_ data: ArraySlice<UInt8>) -> Focus {
    let parts = data.split(
      separator: UInt8(ascii: ","), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(cut: parts[0])
    let title = parts.count > 1 ? String(cut: parts[1]) : ""
    return Focus(FocusedWindow(names: [name], title: title))
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
    let names = [answer["class"]?.string, answer["initialClass"]?.string]
    focus =
      members.isEmpty ? .nothing : .window(FocusedWindow(names: names, describedBy: answer))
    return true
  }
}

/// A request to Hyprland, on a connection of its own, which ends with the answer.
///
/// Hyprland waits for a request once it has accepted a connection, so it is sent at once.
private final class HyprlandRequest {
  private let socket: LocalSocket
  private var answer: [UInt8] = []

  init(
    _ text: String, to folder: String, on loop: InputLoop, servedBy users: Set<UInt32>,
    _ end: @escaping (Result<[UInt8], DesktopFailure>) -> Void
  ) throws(DesktopFailure) {
    socket = try LocalSocket(folder + "/.socket.sock", on: loop, servedBy: users)
    try socket.send(Array(text.utf8))
    try socket.watch { [weak self] in self?.read(end) }
  }

  private func read(_ end: (Result<[UInt8], DesktopFailure>) -> Void) {
    do throws(DesktopFailure) {
      try socket.receive { bytes throws(DesktopFailure) in
        answer += bytes
        if answer.count > JSON.longestMessage { throw .malformed("an endless answer") }
      }
    } catch .closed {
      end(.success(answer))
    } catch {
      end(.failure(error))
    }
  }
}

/// The users who may serve Hyprland's sockets. An older Hyprland has their folder in /tmp, where
/// another user can make it first.
private let trusted: Set<UInt32> = [getuid(), 0]

/// The focus from Hyprland: events arrive on one socket, and the other one takes questions.
final class HyprlandFocus: DesktopConnection {
  private let folder: String
  private let loop: InputLoop
  private let users: Set<UInt32>
  private let events: LocalSocket
  private var question: HyprlandRequest?
  private var machine = HyprlandMachine()
  private var report: ((Result<Focus, DesktopFailure>) -> Void)?

  /// - Parameter folder: of this instance's sockets.
  init(
    _ folder: String, on loop: InputLoop, servedBy users: Set<UInt32> = trusted
  ) throws(DesktopFailure) {
    self.folder = folder
    self.loop = loop
    self.users = users
    events = try LocalSocket(folder + "/.socket2.sock", on: loop, servedBy: users)
  }

  func start(
    _ report: @escaping (Result<Focus, DesktopFailure>) -> Void
  ) throws(DesktopFailure) {
    self.report = report
    try events.watch { [weak self] in self?.step() }
    ask()
  }

  private func step() {
    do throws(DesktopFailure) {
      try events.receive { bytes throws(DesktopFailure) in try machine.receive(bytes) }
    } catch {
      events.ignore()
      report?(.failure(error))
      return
    }
    if machine.mustAsk { return ask() }
    guard machine.isCertain else { return }
    // an answer that is still to come is about an earlier time
    question = nil
    report?(.success(machine.focus))
  }

  private func ask() {
    // or when the answer has come
    guard question == nil else { return }
    machine.asked()
    do throws(DesktopFailure) {
      question = try HyprlandRequest(
        HyprlandMachine.question, to: folder, on: loop, servedBy: users
      ) { [weak self] in self?.finish(try? $0.get()) }
    } catch {
      finish(nil)
    }
  }

  private func finish(_ answer: [UInt8]?) {
    question = nil
    if machine.mustAsk { return ask() }
    report?(machine.answered(answer) ? .success(machine.focus) : .failure(.silent))
  }
}

/// One dispatch for Hyprland: pure, from answers to requests.
///
/// With a configuration in Lua, since version 0.55, Hyprland takes an expression instead of the words
/// of before, and says nothing of it but the error that the words are. So both are tried.
struct HyprlandDispatch {
  private let action: DesktopAction?
  private var isLua = false

  init(_ action: DesktopAction?) { self.action = action }

  var request: String {
    guard let action else { return "version" }
    return "dispatch \(isLua ? Self.expression(for: action) : Self.words(for: action))"
  }

  /// Takes the answer to the request.
  ///
  /// - Returns: `false` if there is another request to make.
  mutating func isDone(after answer: [UInt8]) throws(DesktopFailure) -> Bool {
    let text = String(decoding: answer, as: UTF8.self)
    if text.isEmpty { throw .closed }
    if action == nil || text.hasPrefix("ok") { return true }
    guard !isLua, text.hasPrefix("error") else {
      throw .refused("Hyprland: \(text.prefix { !$0.isNewline })")
    }
    isLua = true
    return false
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
}

/// One action for Hyprland.
final class HyprlandAction: DesktopConnection {
  private let folder: String
  private let loop: InputLoop
  private var dispatch: HyprlandDispatch
  private var request: HyprlandRequest?

  /// - Parameter folder: of this instance's sockets.
  init(_ action: DesktopAction?, _ folder: String, on loop: InputLoop) {
    dispatch = HyprlandDispatch(action)
    self.folder = folder
    self.loop = loop
  }

  func start(
    _ report: @escaping (Result<FocusKind, DesktopFailure>) -> Void
  ) throws(DesktopFailure) {
    request = try HyprlandRequest(dispatch.request, to: folder, on: loop, servedBy: trusted) {
      [weak self] answer in
      do throws(DesktopFailure) {
        guard let self else { return }
        if try dispatch.isDone(after: answer.get()) {
          report(.success(.hyprland))
        } else {
          try start(report)
        }
      } catch {
        report(.failure(error))
      }
    }
  }
}
