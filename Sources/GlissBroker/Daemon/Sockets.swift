import CLinux
import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

/// A listening socket that we create, and remove when we end. Anyone may connect to the broker's:
/// what a client may see follows from the credentials that the kernel reports.
package final class OwnSocket {
  let path: String
  package let descriptor: Int32
  /// Identifies our file, so that another one of that name is not removed.
  private let file: (device: dev_t, inode: ino_t)?

  /// `mode` decides who may connect. Throws if something already listens there.
  package init(_ path: String, mode: UInt32 = 0o666) throws(SystemError) {
    self.path = path
    guard let address = SocketAddress(path) else {
      throw SystemError(path, "is too long for a socket", advice: "use at most 107 bytes")
    }
    try Self.makeFolder(of: path)
    try Self.clear(path, address)
    descriptor = try Self.make(path, address, mode)
    var status = stat()
    file = lstat(path, &status) == 0 ? (status.st_dev, status.st_ino) : nil
  }

  deinit {
    close(descriptor)
    var status = stat()
    guard let file, lstat(path, &status) == 0, file == (status.st_dev, status.st_ino) else {
      return
    }
    unlink(path)
  }

  private static func open(_ path: String) throws(SystemError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw failed(path, errno) }
    return descriptor
  }

  private static func makeFolder(of path: String) throws(SystemError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    guard mkdir(folder, 0o755) != 0, errno != EEXIST else { return }
    throw failed(folder, errno)
  }

  /// Removes a socket that a killed process has left behind.
  private static func clear(_ path: String, _ address: SocketAddress) throws(SystemError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw SystemError(path, "exists and is not a socket")
    }
    let descriptor = try open(path)
    defer { close(descriptor) }
    if address.call(connect, descriptor) == ECONNREFUSED {
      guard unlink(path) == 0 || errno == ENOENT else { throw failed(path, errno) }
      return
    }
    throw SystemError(
      path, "another process listens there already",
      advice: "end that glissd, or name another --socket")
  }

  private static func make(
    _ path: String, _ address: SocketAddress, _ mode: UInt32
  ) throws(SystemError) -> Int32 {
    let descriptor = try open(path)
    guard address.call(bind, descriptor) == 0, chmod(path, mode) == 0,
      listen(descriptor, SOMAXCONN) == 0
    else {
      let code = errno
      close(descriptor)
      throw failed(path, code)
    }
    return descriptor
  }

  private static func failed(_ place: String, _ code: Int32) -> SystemError {
    SystemError(
      place, failed: code,
      advice: code == EACCES ? "the folder must be writable for glissd" : nil)
  }
}

/// Sockets beside the public one: one for root, and one for the user at the seat. Each has its own
/// queue, which nobody else can fill.
///
/// The kernel stops others from connecting: root's socket has mode 0600, and the seat's has an
/// access control list entry for its user. glissd is not root but can create both, because it owns
/// them.
final class PrivateSockets {
  enum Kind: String {
    case root = ".root"
    case seat = ".seat"
  }

  /// Called with a socket that cannot be created and the reason, and with `nil` once it can or is
  /// not needed any more.
  var didFail: ((Kind, String?) -> Void)?

  private let path: String
  private let broker: Broker
  private var sockets: [Kind: OwnSocket] = [:]
  private var user: UInt32?

  init(beside path: String, _ broker: Broker) {
    self.path = path
    self.broker = broker
  }

  func start() { make(.root, for: 0) }

  /// Clients that were about to connect to the old user's socket have to try again.
  func seatChanged(to new: UInt32?) {
    guard new != user else { return }
    user = new
    remove(.seat)
    // root has one already
    if let new, new != 0 { make(.seat, for: new) } else { didFail?(.seat, nil) }
  }

  func close() {
    remove(.root)
    remove(.seat)
  }

  private func remove(_ kind: Kind) {
    guard let socket = sockets.removeValue(forKey: kind) else { return }
    broker.ignore(socket.descriptor)
  }

  private func make(_ kind: Kind, for user: UInt32) {
    do {
      let socket = try OwnSocket(path + kind.rawValue, mode: 0o600)
      if user != geteuid(), kind == .seat { try Self.admit(user, to: socket.path) }
      try broker.listen(on: socket.descriptor, user: user)
      sockets[kind] = socket
      didFail?(kind, nil)
    } catch {
      didFail?(kind, "\(error)")
    }
  }

  private static func admit(_ user: UInt32, to path: String) throws(SystemError) {
    // struct posix_acl_xattr_header and _entry of linux/posix_acl_xattr.h: the owner, the user, the
    // group, the mask, others
    let nobody = UInt32.max
    let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
      (0x01, 6, nobody), (0x02, 6, user), (0x04, 0, nobody), (0x10, 6, nobody), (0x20, 0, nobody),
    ]
    var bytes: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      withUnsafeBytes(of: entry.tag.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: entry.permissions.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: entry.id.littleEndian) { bytes += $0 }
    }
    guard setxattr(path, "system.posix_acl_access", bytes, bytes.count, 0) == 0 else {
      let code = errno
      throw SystemError(
        path, "cannot be opened to one user alone: \(String(cString: strerror(code)))",
        advice: "put it on a file system with access control lists, such as /run", code: code)
    }
  }
}

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
