import Glibc
import GlissDevices
import GlissEvents

/// Hyprland's events, one per line.
///
/// An event gives class and title, separated by a comma and cut at 1024 bytes. Both may contain
/// commas, so Hyprland is asked for them. If it does not answer, the event itself is used.
struct HyprlandMachine {
  private(set) var focus = Focus.unknown
  /// Whether the focus has changed since Hyprland was asked.
  var mustAsk = true
  private var event = Focus.unknown
  private var input = InputBuffer()

  static let question = "j/activewindow"
  /// The longest line, in bytes: longer than any that Hyprland sends.
  private static let longestLine = 1 << 20

  mutating func receive(_ bytes: [UInt8]) throws(DesktopFailure) {
    input.append(bytes)
    while let line = try input.takeLine(upTo: Self.longestLine) {
      guard let separator = line.firstIndex(of: UInt8(ascii: ">")) else { continue }
      guard line[..<separator].elementsEqual("activewindow".utf8) else { continue }
      event = Self.focus(line[separator...].dropFirst(2))
      // there is nothing to ask if no window has the focus
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

  /// Whether the last event said that no window has the focus. No earlier answer changes that.
  var isCertain: Bool { event == .nothing }

  /// Takes the answer to ``question``, or `nil` if Hyprland gave none. Returns `false` if neither
  /// the answer nor an event names the focus.
  mutating func answered(_ bytes: [UInt8]?) -> Bool {
    guard let answer = bytes.flatMap(JSON.init(desktop:)), case .object(let members) = answer else {
      focus = event
      return event != .unknown
    }
    let names = [answer["class"]?.string, answer["initialClass"]?.string]
    focus = members.isEmpty ? .nothing : .window(FocusedWindow(names: names, describedBy: answer))
    return true
  }
}

/// A request to Hyprland on its own connection, which ends with the answer.
///
/// Once Hyprland has accepted a connection it waits for the request, so that is sent at once.
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

/// The users allowed to serve Hyprland's sockets. The folder of older versions is in /tmp, and
/// another user can create it first.
private let trusted: Set<UInt32> = [getuid(), 0]

/// The focus from Hyprland: one socket sends events, the other answers questions.
final class HyprlandFocus: DesktopConnection {
  private let folder: String
  private let loop: InputLoop
  private let users: Set<UInt32>
  private let events: LocalSocket
  private var question: HyprlandRequest?
  private var machine = HyprlandMachine()
  private var report: DesktopReporting<Focus>?

  init(
    _ folder: String, on loop: InputLoop, servedBy users: Set<UInt32> = trusted
  ) throws(DesktopFailure) {
    self.folder = folder
    self.loop = loop
    self.users = users
    events = try LocalSocket(folder + "/.socket2.sock", on: loop, servedBy: users)
  }

  func start(_ report: @escaping DesktopReporting<Focus>) throws(DesktopFailure) {
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
    // an answer that is still to come would be older than this event
    question = nil
    report?(.success(machine.focus))
  }

  private func ask() {
    // otherwise ask when the pending answer has come
    guard question == nil else { return }
    machine.mustAsk = false
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

/// One dispatch for Hyprland, as a pure machine from answers to requests.
///
/// Since version 0.55, with a configuration in Lua, Hyprland expects an expression instead of
/// words. It says so only by reporting an error for the words, so both are tried.
struct HyprlandDispatch {
  private let action: DesktopAction?
  private var isLua = false

  init(_ action: DesktopAction?) { self.action = action }

  var request: String {
    guard let action else { return "version" }
    let texts = Self.texts(for: action)
    return "dispatch \(isLua ? texts.lua : texts.words)"
  }

  /// Takes the answer to the request. Returns `false` if there is another request to make.
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

  /// Windows are minimized to the special workspace; tiling can only be done by moving.
  private static func texts(for action: DesktopAction) -> (words: String, lua: String) {
    switch action {
    case .window(.close): ("killactive", "hl.dsp.window.close()")
    case .window(.minimize):
      (
        "movetoworkspacesilent special",
        #"hl.dsp.window.move({ workspace = "special", follow = false })"#
      )
    case .window(.maximize): ("fullscreen 1", #"hl.dsp.window.fullscreen({ mode = "maximized" })"#)
    case .window(.fullscreen):
      ("fullscreen 0", #"hl.dsp.window.fullscreen({ mode = "fullscreen" })"#)
    case .window(.float): ("togglefloating", #"hl.dsp.window.float({ action = "toggle" })"#)
    case .window(.tileLeft): ("movewindow l", #"hl.dsp.window.move({ direction = "l" })"#)
    case .window(.tileRight): ("movewindow r", #"hl.dsp.window.move({ direction = "r" })"#)
    case .workspace(let target):
      (
        "workspace \(selector(of: target))",
        "hl.dsp.focus({ workspace = \"\(selector(of: target))\" })"
      )
    }
  }

  /// Selects among existing workspaces, as Hyprland's example configuration does.
  private static func selector(of target: WorkspaceTarget) -> String {
    switch target {
    case .next: "e+1"
    case .previous: "e-1"
    case .number(let number): "\(number)"
    }
  }
}

final class HyprlandAction: DesktopConnection {
  private let folder: String
  private let loop: InputLoop
  private var dispatch: HyprlandDispatch
  private var request: HyprlandRequest?

  init(_ action: DesktopAction?, _ folder: String, on loop: InputLoop) {
    dispatch = HyprlandDispatch(action)
    self.folder = folder
    self.loop = loop
  }

  func start(_ report: @escaping DesktopReporting<FocusKind>) throws(DesktopFailure) {
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
