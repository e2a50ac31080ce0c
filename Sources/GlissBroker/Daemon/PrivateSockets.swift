import CLinux
import Glibc
import GlissDevices

/// Sockets beside the public one: one for root, and one for the user at the seat. Each has its own
/// queue, which nobody else can fill.
///
/// The kernel stops others from connecting: root's socket has mode 0600, and the seat's has an
/// access control list entry for its user. glissd is not root but can create both, because it owns
/// them.
final class PrivateSockets {
  /// The suffix added to the path of the public socket.
  enum Kind: String {
    case root = ".root"
    case seat = ".seat"
  }

  /// Called with a socket that cannot be created and the reason, and with `nil` once it can.
  var didFail: ((Kind, String?) -> Void)?

  private let path: String
  private let broker: Broker
  private var sockets: [Kind: OwnSocket] = [:]
  private var user: UInt32?

  /// - Parameter path: the path of the public socket.
  init(beside path: String, _ broker: Broker) {
    self.path = path
    self.broker = broker
  }

  /// Creates root's socket.
  func start() { make(.root, for: 0) }

  /// Replaces the seat's socket for its new user. Clients that were about to connect to the old one
  /// have to try again.
  func seatChanged(to new: UInt32?) {
    guard new != user else { return }
    user = new
    remove(.seat)
    // root has one already
    if let new, new != 0 { make(.seat, for: new) }
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

  /// Lets only that user connect.
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
        advice: "have it on a file system with access control lists, as /run is", code: code)
    }
  }
}
