import Glibc
import GlissEvents
import Testing

@testable import GlissClient

/// The other end of a client's connection, which says what a test has written.
///
/// What it says is in the socket before it is asked: nothing has to wait for anything.
final class FakeBroker: Sendable {
  let descriptor: Int32
  let client: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    (descriptor, client) = (ends[0], ends[1])
  }

  deinit { close(descriptor) }

  /// A connection to it, which takes its end over.
  var connection: BrokerConnection { BrokerConnection(descriptor: client) }

  /// Says whole messages.
  func say(_ messages: String...) {
    for message in messages { write(Array(message.utf8) + [0]) }
  }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says nothing more, and still hears.
  func hangUp() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// What the client has sent so far, each message as JSON.
  func heard() throws -> [JSON] {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return try bytes[..<max(0, count)].split(separator: 0).map { try JSON(parsing: Array($0)) }
  }

  /// What the client sends next; nothing if it does not within 10 s, or has left.
  func nextHeard() throws -> [JSON] {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&entry, 1, 10_000)
    return try heard()
  }

  /// Whether the client has ended the connection, or does so soon.
  func isLeft(within milliseconds: Int32 = 0) -> Bool {
    // POLLRDHUP, which Glibc's module lacks
    var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }

  static let verdict =
    #"{"parameters":{"verdict":{"standing":"granted","granted":[{"scope":{"tier":"gesture","#
    + #""events":["gesture"]},"availability":"whenUnlocked"}],"advice":"keys are not"}},"#
    + #""continues":true}"#
}

extension ClientError {
  var isMalformed: Bool { if case .malformed = self { true } else { false } }
}
