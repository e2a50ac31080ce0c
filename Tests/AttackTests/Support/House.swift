import Foundation
import Testing

/// The real `glissd` in a folder of its own, and real programs that use it.
final class House {
  let folder: URL
  private(set) var daemon: Player
  private let arguments: [String]
  private let notices: Notices
  private var helper: Player?

  var socket: String { folder.appending(path: "socket").path }
  /// A client that has a path of its own, and so can be granted something.
  var heckler: String { folder.appending(path: "heckler").path }

  /// Whom `glissd` is run as, where it is not root.
  static let daemonUser: UInt32 = 61_003

  /// Whose rights it has.
  enum Rights {
    case root
    /// As packaging/glissd.service gives them: a user of its own, in group `input`, without capabilities, beside the
    /// helper that glissd-programs.service runs, with the one that it needs.
    case unit
    /// The same without the helper.
    case withoutHelper
  }

  /// Returns when it serves.
  init(_ rights: Rights = .root, user: UInt32 = Theatre.user) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID().uuidString)")
    try Self.makeFolder(folder, 0o755, owner: rights == .root ? 0 : Self.daemonUser)
    for name in ["heckler", "glissd", "gliss"] {
      try Self.place(name == "heckler" ? "gliss-heckler" : name, in: folder.appending(path: name))
    }
    let store = folder.appending(path: "store")
    try Self.makeFolder(store, 0o700, owner: rights == .root ? 0 : Self.daemonUser)
    notices = try Notices(folder.appending(path: "notify").path)
    arguments =
      Self.prefix(rights) + [
        "/usr/bin/env", "NOTIFY_SOCKET=\(folder.path)/notify", "\(folder.path)/glissd",
        "--socket", "\(folder.path)/socket", "--store", store.path, "--user", "\(user)",
        // nobody is asked
        "--bus", "unix:path=\(folder.path)/no-bus", "--programs", "\(folder.path)/programs",
      ]
    if rights == .unit { helper = try Self.helper(in: folder) }
    daemon = try Player(arguments, hearsErrors: true)
    try awaitReady()
  }

  deinit {
    daemon.kill(SIGKILL)
    helper?.kill(SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  private static func makeFolder(_ folder: URL, _ mode: Int, owner: UInt32) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
    try FileManager.default.setAttributes(
      [.posixPermissions: mode, .ownerAccountID: owner], ofItemAtPath: folder.path)
  }

  /// Where all users can run it, wherever it was built.
  private static func place(_ name: String, in file: URL) throws {
    try copyProgram(try Theatre.programs().appending(path: name).path, to: file.path)
  }

  private static func prefix(_ rights: Rights) -> [String] {
    let groups = getgrnam("input").map { "--groups=\($0.pointee.gr_gid)" } ?? "--clear-groups"
    let user = ["/usr/bin/setpriv", "--reuid=\(daemonUser)", "--regid=\(daemonUser)", groups]
    return switch rights {
    case .root: []
    case .unit, .withoutHelper:
      user + ["--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    }
  }

  /// The service manager's part: the socket that only glissd may connect to, and the rights of the helper.
  private static func helper(in folder: URL) throws -> Player {
    let script = """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      s.bind(sys.argv[1] + "/programs"); s.listen(8)
      os.chmod(sys.argv[1] + "/programs", 0o600); os.chown(sys.argv[1] + "/programs", \(daemonUser), -1)
      print("listens", flush=True)
      os.dup2(s.fileno(), 3); os.set_inheritable(3, True)
      os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
      os.execv("/usr/bin/setpriv", [
          "setpriv", "--reuid=\(daemonUser + 1)", "--regid=\(daemonUser + 1)", "--clear-groups",
          "--inh-caps=-all,+sys_ptrace", "--ambient-caps=-all,+sys_ptrace", "--bounding-set=-all,+sys_ptrace",
          "--no-new-privs", sys.argv[1] + "/glissd", "--identify-programs"])
      """
    let player = try Player(["/usr/bin/python3", "-c", script, folder.path], hearsErrors: true)
    try player.hear("listens")
    return player
  }

  private func awaitReady() throws {
    try notices.hear("READY=1") {
      "glissd does not become ready; it said: \(daemon.said.suffix(5))"
    }
  }

  /// Starts it again, where it has ended.
  func restart() throws {
    daemon = try Player(arguments, hearsErrors: true)
    try awaitReady()
  }

  // MARK: Programs

  /// A client that obeys no rule.
  func client(as uid: UInt32? = Theatre.user, _ lines: String...) throws -> Player {
    try Player([heckler, socket] + lines, uid: uid)
  }

  /// `gliss`, which goes on.
  func start(_ arguments: [String], as uid: UInt32? = nil) throws -> Player {
    let gliss = folder.appending(path: "gliss").path
    return try Player(
      ["/usr/bin/env", "GLISS_SOCKET=\(socket)", "NO_COLOR=1", "LC_ALL=C.UTF-8", gliss] + arguments,
      uid: uid, hearsErrors: true)
  }

  /// What `gliss` has said, and its status.
  struct Answer {
    var status: Int32
    var text: String
  }

  /// `gliss`, to its end.
  func gliss(_ arguments: String..., as uid: UInt32? = nil) throws -> Answer {
    let player = try start(arguments, as: uid)
    return Answer(status: try player.end(), text: player.said.joined(separator: "\n"))
  }

  /// Root grants the heckler something.
  func grant(_ scope: String...) throws {
    let player = try start(["grants", "grant", heckler, "--user", "\(Theatre.user)"] + scope)
    guard try player.end() == 0 else {
      throw Player.Silence(description: "nothing was granted: \(player.said)")
    }
  }
}

/// The socket of a service manager.
final class Notices {
  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    // whoever glissd runs as
    guard status == 0, chmod(path, 0o666) == 0 else {
      throw Player.Silence(description: "\(path) cannot be made: \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// Waits for a message with `text` in it, and lets those before it go.
  func hear(_ text: String, otherwise complaint: () -> String) throws {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&wait, 1, Int32(Player.patience * 1000)) > 0 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).contains(text) { return }
    }
    throw Player.Silence(description: complaint())
  }
}
