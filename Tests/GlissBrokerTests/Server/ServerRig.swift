import CLinux
import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissBroker

/// A server on a socket of its own, whose clock and loop are moved by hand.
final class ServerRig: ServerDelegate {
  /// A clock that tests move.
  final class Clock {
    var time = EventTime(microseconds: 1_000_000)
    /// How far it moves each time it is read, because all work takes some time.
    var step = EventInterval.zero

    func look() -> EventTime {
      time = time + step
      return time
    }
  }

  let loop: InputLoop
  let server: Server
  let clock = Clock()
  let path: String
  private let folder: String
  private let listener: Int32
  private var ownListener: Int32 = -1

  private(set) var calls: [(call: VarlinkCall, connection: Connection)] = []
  private(set) var ended: [Connection] = []
  private(set) var refusals: [String] = []
  /// Answers calls at once.
  var answer: (VarlinkCall, Connection) -> Void = { _, _ in }

  init(
    _ change: (inout Limits) -> Void = { _ in },
    identify: Server.Identify? = nil
  ) throws {
    var limits = Limits()
    change(&limits)
    var template = Array("/tmp/gliss-server-XXXXXX".utf8CString)
    folder = String(cString: try #require(mkdtemp(&template)))
    path = folder + "/socket"
    listener = try Self.listen(at: path)
    loop = try InputLoop()
    let user: Server.Identify = { peer, answer in
      answer(
        ClientIdentity(
          uid: peer.uid, pid: peer.pid, startTime: 1, confinement: .none, program: nil))
    }
    server = try Server(
      loop, limits: limits, now: { [clock] in clock.look() }, identify: identify ?? user)
    server.delegate = self
    try server.listen(on: listener)
  }

  deinit {
    server.close()
    close(listener)
    if ownListener >= 0 { close(ownListener) }
    unlink(path)
    unlink(path + ".own")
    rmdir(folder)
  }

  private static func listen(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    try #require(Client.address(path) { bind(descriptor, $0, $1) } == 0)
    try #require(Glibc.listen(descriptor, 1024) == 0)
    return descriptor
  }

  /// Another socket, to which only `user` may connect.
  func openSocket(of user: UInt32) throws -> String {
    let path = path + ".own"
    ownListener = try Self.listen(at: path)
    // the folder belongs to the test's own user
    try #require(chmod(folder, 0o755) == 0 && chmod(path, 0o777) == 0)
    try server.listen(on: ownListener, user: user)
    return path
  }

  /// Lets the loop turn until nothing is ready and nothing is left to do.
  func turn() throws {
    repeat {} while try loop.work?() == true || loop.wait(until: .zero) > 0
  }

  /// Lets the loop turn once.
  func turnOnce() throws { try loop.wait(until: .zero) }

  func pass(_ milliseconds: Double) {
    clock.time = clock.time + .milliseconds(milliseconds)
    server.advance(to: clock.time)
  }

  /// A client whose connection was accepted.
  func connect() throws -> Client {
    let client = try Client(path)
    try turn()
    return client
  }

  /// A client that follows the events that ``post(_:)`` sends.
  func follower() throws -> Client {
    let before = answer
    answer = { $1.follow() }
    defer { answer = before }
    let client = try connect()
    try client.call("Monitor", more: true)
    try turn()
    return client
  }

  /// Sends an event to all clients that follow.
  func post(_ message: [UInt8]) {
    for connection in server.connections { connection.send(event: message) }
  }

  // MARK: The delegate

  /// The methods that stop something.
  var stopping: Set<String> = []

  func stops(_ call: VarlinkCall) -> Bool { stopping.contains(call.method) }

  func answer(_ call: VarlinkCall, from connection: Connection) {
    calls.append((call, connection))
    answer(call, connection)
  }

  func connectionEnded(_ connection: Connection) { ended.append(connection) }

  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String) {
    refusals.append(reason)
  }
}

/// The client's end of a connection.
final class Client {
  private(set) var descriptor: Int32
  private var received: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    try #require(Self.address(path) { connect(descriptor, $0, $1) } == 0)
  }

  deinit { hangUp() }

  static func address(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  func hangUp() {
    // a process that another test is just starting may hold a copy for a moment
    shutdown(descriptor, Int32(SHUT_RDWR))
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Closes the sending side, but still reads.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// - Returns: how many bytes the socket had room for; -1 if the other end is gone.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Int {
    Glibc.send(
      descriptor, Array(bytes), bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
  }

  func call(_ method: String, more: Bool = false, oneway: Bool = false) throws {
    let text =
      #"{"method":"org.gliss.Broker.\#(method)","more":\#(more),"oneway":\#(oneway)}"# + "\0"
    try #require(send(text.utf8) == text.utf8.count)
  }

  /// Reads the available data, at most `limit` bytes.
  func read(_ limit: Int = .max) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var left = limit
    while left > 0 {
      let count = recv(descriptor, &buffer, min(left, buffer.count), Int32(MSG_DONTWAIT))
      guard count > 0 else { return }
      received += buffer[..<count]
      left -= count
    }
  }

  /// All complete messages received.
  func messages() -> [String] {
    read()
    guard let end = received.lastIndex(of: 0) else { return [] }
    let whole = received[..<end].split(separator: 0, omittingEmptySubsequences: false)
    received.removeFirst(end + 1)
    return whole.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether part of a message was received.
  var hasPart: Bool { !received.isEmpty }

  /// Whether the other end has closed and everything was read.
  var isClosed: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
    return count == 0 || (count < 0 && errno != EAGAIN)
  }
}

extension VarlinkReply {
  static let done = VarlinkReply.result([:], continues: false)
}
