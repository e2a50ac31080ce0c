import Foundation
import Glibc
import GlissEvents
import Synchronization
import Testing

/// A broker that says what it was told to say, on a socket of its own.
final class FakeBroker: Sendable {
  enum Answer: Sendable {
    case result(JSON)
    /// Answers that go on; then the connection stays open.
    case stream([JSON])
    /// The same, and then this error.
    case ending([JSON], String, JSON)
    case error(String, JSON)
    /// The connection ends.
    case hangUp
    /// Nothing is ever said.
    case silence
  }

  struct Call: Hashable, Sendable {
    var method: String
    var parameters: JSON
  }

  private struct Record {
    var calls: [Call] = []
    var open: Set<Int32> = []
    var isClosed = false
  }

  let path: String
  private let folder: TemporaryFolder
  private let listener: Int32
  private let record = Mutex(Record())
  private let answer: @Sendable (Call) -> Answer

  /// - Parameter answer: is called on threads of its own.
  init(_ answer: @escaping @Sendable (Call) -> Answer) throws {
    folder = try TemporaryFolder()
    path = folder.url.appending(path: "s").path
    self.answer = answer
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 16) == 0)
    Thread.detachNewThread { [listener, weak self] in
      // only here: if anybody else closed it, this could accept from whatever has its number next
      defer { Glibc.close(listener) }
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, let self else {
          if connection >= 0 { Glibc.close(connection) }
          return
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        let isOpen = record.withLock { record in
          if !record.isClosed { record.open.insert(connection) }
          return !record.isClosed
        }
        guard isOpen else { Glibc.close(connection); return }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  deinit { close() }

  /// What was called so far, in order.
  var calls: [Call] { record.withLock { $0.calls } }

  /// How many connections there are.
  var connectionCount: Int { record.withLock { $0.open.count } }

  func called(_ method: String) -> [JSON] {
    calls.filter { $0.method == method }.map(\.parameters)
  }

  /// Ends all connections, and takes others.
  func hangUp() { record.withLock { for each in $0.open { shutdown(each, Int32(SHUT_RDWR)) } } }

  /// Ends.
  func close() {
    record.withLock { record in
      guard !record.isClosed else { return }
      record.isClosed = true
      shutdown(listener, Int32(SHUT_RDWR))
      for each in record.open { shutdown(each, Int32(SHUT_RDWR)) }
    }
  }

  private func serve(_ connection: Int32) {
    defer {
      record.withLock { _ = $0.open.remove(connection) }
      Glibc.close(connection)
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(connection, &piece, piece.count)
      guard count > 0 else { return }
      bytes += piece.prefix(count)
      while let end = bytes.firstIndex(of: 0) {
        guard let json = try? JSON(parsing: Array(bytes[..<end])) else { return }
        bytes.removeSubrange(...end)
        let call = Call(
          method: json["method"]?.string ?? "", parameters: json["parameters"] ?? [:])
        record.withLock { $0.calls.append(call) }
        guard say(answer(call), over: connection) else { return }
      }
    }
  }

  private func say(_ answer: Answer, over connection: Int32) -> Bool {
    func send(_ json: JSON) {
      let bytes = json.encoded + [0]
      _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
    switch answer {
    case .result(let parameters): send(["parameters": parameters])
    case .stream(let all): for each in all { send(["parameters": each, "continues": true]) }
    case .ending(let all, let name, let parameters):
      for each in all { send(["parameters": each, "continues": true]) }
      send(["error": .string(name), "parameters": parameters])
    case .error(let name, let parameters):
      send(["error": .string(name), "parameters": parameters])
    case .hangUp: return false
    case .silence: break
    }
    return true
  }
}

extension FakeBroker {
  static func grant(
    _ id: Int64, client: JSON = "program:/usr/bin/foo", scope: JSON = ["tier": "gesture"],
    allowed: Bool = true, group: JSON = .null, uid: Int64 = 0
  ) -> JSON {
    [
      "id": .integer(id), "uid": .integer(uid), "client": client, "group": group, "scope": scope,
      "allowed": .bool(allowed),
      "availability": "whenUnlocked", "expiry": "never", "thisDeviceOnly": true,
      "created": 1_790_000_000, "modified": 1_790_000_000, "grantedBy": "root",
    ]
  }

  static func pending(
    _ number: Int64, client: JSON = "program:/usr/bin/foo", reason: String
  ) -> JSON {
    [
      "number": .integer(number), "uid": 0, "pid": 4711, "client": client,
      "scope": ["tier": "raw", "events": ["key"], "keys": ["media"]], "reason": .string(reason),
      "since": 1_790_000_000,
    ]
  }

  static let status: JSON = [
    "version": "0.1.0",
    "session": [
      "state": "secureInput", "user": 0, "name": "c2",
      "secureInput": .array([
        ["holder": "pinentry (pinentry, process 12)", "uid": 0, "remaining": .decimal(41.2)],
        ["holder": "vault (vault, process 13)", "uid": 0, "remaining": .decimal(7.5)],
      ]),
    ],
    "clients": [
      [
        "pid": 99, "uid": 0, "name": "program:/usr/bin/foo", "since": .decimal(0.5),
        "doing": "events",
        "granted": [
          ["scope": ["tier": "gesture", "events": ["gesture"]], "availability": "always"]
        ],
        "delivered": 17, "lost": 3,
      ]
    ],
    "hotkeys": [["hotkey": "super+t", "holder": "foo, process 99", "uid": 0]],
    "devices": ["Pad"], "problems": ["the store is read-only"],
  ]
}

extension Command {
  /// Runs `gliss` to its end, with `broker` as the broker.
  static func run(_ broker: FakeBroker, _ arguments: String...) throws -> Command {
    let process = try process(arguments, environment: ["GLISS_SOCKET": broker.path])
    return try run(process)
  }
}
