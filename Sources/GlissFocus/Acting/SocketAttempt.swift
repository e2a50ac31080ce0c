import GlissDevices
import GlissEvents

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
