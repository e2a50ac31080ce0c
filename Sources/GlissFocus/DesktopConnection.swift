import GlissDevices
import GlissEvents

/// One desktop's way to report who has the focus.
///
/// A source lives on the loop of its ``FocusWatch`` and wakes it only when the desktop says
/// something. It makes one attempt: when it fails, a new one is made.
package protocol FocusSource: AnyObject {
  /// Begins to report, now or when the desktop has answered. Nothing is reported any more after a
  /// failure, which may come at any time, or once the source is released.
  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure)
}

/// What a source reports.
package enum FocusReport {
  case focus(Focus)
  case failed(FocusFailure)
}

/// Why a source reports nothing, or nothing any more.
package enum FocusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody answers there.
  case unreachable(String, code: Int32)
  /// Another user's program answers there.
  case foreign(String, user: UInt32)
  /// The desktop is there but does not report this.
  case unsupported(String)
  /// The desktop ended the connection.
  case closed
  /// It did not answer in time.
  case silent
  /// It sent something that makes no sense.
  case malformed(String)

  package var description: String {
    switch self {
    case .unreachable(let place, let code):
      "\(place): \(SystemError("", failed: code).problem)"
    case .foreign(let place, let user): "\(place): user \(user) serves it, not you or root"
    case .unsupported(let text): text
    case .closed: "the desktop ended the connection"
    case .silent: "the desktop does not answer"
    case .malformed(let text): "the desktop sent \(text)"
    }
  }
}

/// What one desktop says over a socket: pure, from bytes to focus.
package protocol FocusMachine {
  /// What is sent as soon as the connection is there.
  var greeting: [UInt8] { get }
  /// Takes what has come, in any pieces.
  ///
  /// - Returns: what to send back.
  mutating func receive(_ bytes: [UInt8]) throws(FocusFailure) -> [UInt8]
  var focus: Focus { get }
}

/// A source that is one socket and one machine.
final class SocketSource<Machine: FocusMachine>: FocusSource {
  private let socket: LocalSocket
  private var machine: Machine
  private var report: ((FocusReport) -> Void)?

  init(_ path: String, on loop: InputLoop, _ machine: Machine) throws(FocusFailure) {
    socket = try LocalSocket(path, on: loop)
    self.machine = machine
  }

  func start(_ report: @escaping (FocusReport) -> Void) throws(FocusFailure) {
    self.report = report
    try socket.watch { [weak self] in self?.step() }
    try socket.send(machine.greeting)
  }

  /// Takes all that has come, and reports what that led to: a reader that was stalled is not
  /// interested in what lies between.
  private func step() {
    let before = machine.focus
    do throws(FocusFailure) {
      try socket.receive { bytes throws(FocusFailure) in
        let answer = try machine.receive(bytes)
        try socket.send(answer)
      }
    } catch {
      socket.ignore()
      report?(.failed(error))
      return
    }
    if machine.focus != before { report?(.focus(machine.focus)) }
  }
}

/// One attempt to do an action on one desktop.
package protocol ActionAttempt: AnyObject {
  /// Begins. `end` is called at most once, with `nil` if the desktop has done it, and not any more
  /// once the attempt is released.
  func start(_ end: @escaping (ActionFailure?) -> Void) throws(ActionFailure)
}

/// Does one action over a desktop's socket: pure, from bytes to bytes.
protocol ActionMachine {
  /// What is sent as soon as the connection is there.
  var greeting: [UInt8] { get }
  /// Takes what has come, in any pieces.
  mutating func receive(_ bytes: [UInt8]) throws(ActionFailure) -> ActionStep
  /// The desktop has ended the connection.
  mutating func ended() throws(ActionFailure) -> ActionStep
}

extension ActionMachine {
  mutating func ended() throws(ActionFailure) -> ActionStep { throw .absent(.closed) }
}

/// What an ``ActionMachine`` needs next.
enum ActionStep: Hashable {
  /// More bytes, after these were sent.
  case send([UInt8])
  /// Another connection, for the new greeting.
  case reconnect
  /// Nothing: the desktop has done it.
  case done
}

/// An attempt that is one machine, and usually one connection.
final class SocketAttempt<Machine: ActionMachine>: ActionAttempt {
  private let path: String
  private let users: Set<UInt32>?
  private let loop: InputLoop
  private var socket: LocalSocket
  private var machine: Machine
  private var received = 0
  private var end: ((ActionFailure?) -> Void)?

  /// - Parameter users: who may serve the socket; `nil` for anybody.
  init(
    _ path: String, on loop: InputLoop, servedBy users: Set<UInt32>? = nil, _ machine: Machine
  ) throws(ActionFailure) {
    self.path = path
    self.users = users
    self.loop = loop
    self.machine = machine
    socket = try Self.connect(path, users, loop)
  }

  private static func connect(
    _ path: String, _ users: Set<UInt32>?, _ loop: InputLoop
  ) throws(ActionFailure) -> LocalSocket {
    do throws(FocusFailure) { return try LocalSocket(path, on: loop, servedBy: users) } catch {
      throw .absent(error)
    }
  }

  func start(_ end: @escaping (ActionFailure?) -> Void) throws(ActionFailure) {
    self.end = end
    try greet()
  }

  private func greet() throws(ActionFailure) {
    do throws(FocusFailure) {
      try socket.watch { [weak self] in self?.step() }
      try socket.send(machine.greeting)
    } catch {
      throw .absent(error)
    }
  }

  private func step() {
    do throws(ActionFailure) {
      switch try takeAll() {
      case .send(let bytes):
        do throws(FocusFailure) { try socket.send(bytes) } catch { throw .absent(error) }
      case .reconnect:
        socket = try Self.connect(path, users, loop)
        try greet()
      case .done: finish(nil)
      }
    } catch {
      finish(error)
    }
  }

  /// Hands the machine what has come, and the end of the connection if it still waits for more.
  private func takeAll() throws(ActionFailure) -> ActionStep {
    var bytes: [UInt8] = []
    var isOver = false
    do throws(FocusFailure) { try socket.receive { bytes += $0 } } catch { isOver = true }
    received += bytes.count
    guard received <= JSON.longestMessage else { throw .absent(.malformed("an endless answer")) }
    let step = try machine.receive(bytes)
    guard isOver, case .send = step else { return step }
    return try machine.ended()
  }

  private func finish(_ failure: ActionFailure?) {
    socket.ignore()
    let end = end
    self.end = nil
    end?(failure)
  }
}

/// Why an action was not done.
package enum ActionFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// This desktop is not there. Another one may be.
  case absent(FocusFailure)
  /// The desktop is there and does not do it.
  case refused(String)

  package var description: String {
    switch self {
    case .absent(let failure): failure.description
    case .refused(let text): text
    }
  }
}
