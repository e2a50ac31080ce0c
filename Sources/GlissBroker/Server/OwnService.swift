import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

/// Answers calls on a socket, only for processes of the same user outside a sandbox.
package final class OwnService {
  /// The result of the method with that name; `nil` if there is no such method.
  package var answer: (String) -> JSON? = { _ in nil }
  package var deadlineDidMove: (() -> Void)? {
    didSet {
      server.deadlineDidMove = deadlineDidMove
      identifier.deadlineDidMove = deadlineDidMove
    }
  }

  private let socket: OwnSocket
  private let server: Server
  private let identifier: PeerIdentifier

  /// Starts to listen at `path`, as work of `loop`.
  package init(
    _ path: String, product: String, interface: String, text: String, on loop: InputLoop
  ) throws {
    socket = try OwnSocket(path, mode: 0o600)
    var limits = Limits()
    limits.connections = 8
    limits.allConnections = 32
    // so that sandboxed programs get a named error
    limits.sandboxConnections = 4
    limits.arrivingConnections = 16
    limits.keptConnections = 0
    // no helper: this process may read whatever the user's own programs may read
    identifier = PeerIdentifier(loop, path: nil)
    let service = VarlinkService(product, [VarlinkService.Interface(interface, text)])
    server = try Server(
      loop, limits: limits, identify: { [identifier] in identifier.identify($0, $1) },
      service: service)
    server.forget = { [identifier] in identifier.forget($0) }
    server.delegate = self
    try server.listen(on: socket.descriptor)
  }

  deinit { server.close() }

  package var deadline: EventTime? { EventTime.earlier(server.deadline, identifier.deadline) }

  package func advance(to time: EventTime) {
    identifier.advance(to: time)
    server.advance(to: time)
  }
}

extension OwnService: ServerDelegate {
  func answer(_ call: VarlinkCall, from connection: Connection) {
    let identity = connection.identity
    guard identity.uid == getuid(), identity.confinement.isFree else {
      return connection.send(VarlinkService.permissionDenied)
    }
    let result = answer(call.method).map { VarlinkReply.result($0, continues: false) }
    connection.send(result ?? VarlinkService.methodNotFound(call))
  }

  func stops(_ call: VarlinkCall) -> Bool { false }
  func connectionEnded(_ connection: Connection) {}
  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String) {}
}
