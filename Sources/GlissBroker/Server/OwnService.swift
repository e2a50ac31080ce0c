import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

/// Answers calls of an interface on a socket, to processes of the same user and to nobody else.
package final class OwnService {
  /// An answer to a call.
  package enum Answer: Sendable {
    case result(JSON)
    /// The error's full name, and what belongs to it.
    case error(String, JSON)
    case methodNotFound
  }

  /// Called with a method's name and its parameters.
  package var answer: (String, JSON) -> Answer = { _, _ in .methodNotFound }
  /// Called when ``deadline`` is earlier than it was.
  package var deadlineDidMove: (() -> Void)? {
    get { server.deadlineDidMove }
    set { server.deadlineDidMove = newValue }
  }

  private let socket: OwnSocket
  private let server: Server

  /// Listens at `path` from now on, as work of `loop`.
  package init(
    _ path: String, product: String, interface: String, text: String, on loop: EventLoop
  ) throws {
    socket = try OwnSocket(path, mode: 0o600)
    var limits = Limits()
    limits.connections = 8
    limits.allConnections = 8
    limits.keptConnections = 0
    let service = VarlinkService(product, [VarlinkService.Interface(interface, text)])
    server = try Server(loop, limits: limits, identify: Self.identify, service: service)
    server.delegate = self
    try server.listen(on: socket.descriptor)
  }

  deinit { server.close() }

  /// When ``advance(to:)`` must be called.
  package var deadline: EventTime? { server.deadline }
  package func advance(to time: EventTime) { server.advance(to: time) }

  private static func identify(_ descriptor: Int32) throws(BrokerError) -> (ClientIdentity, Peer?) {
    guard let uid = Socket.user(of: descriptor), uid == getuid() else {
      throw BrokerError("client", "is another user's")
    }
    return (ClientIdentity(uid: uid, pid: 0, startTime: 0, confinement: .none, program: nil), nil)
  }
}

extension OwnService: ServerDelegate {
  func answer(_ call: VarlinkCall, from connection: Connection) {
    switch answer(call.method, call.parameters) {
    case .result(let parameters): connection.send(.result(parameters, continues: false))
    case .error(let name, let parameters): connection.send(.error(name, parameters))
    case .methodNotFound: connection.send(VarlinkService.methodNotFound(call))
    }
  }

  func connectionEnded(_ connection: Connection) {}
  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String) {}
}
