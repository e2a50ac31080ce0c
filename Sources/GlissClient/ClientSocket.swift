import CLinux
import Glibc
import GlissDevices
package import GlissEvents
import Synchronization

/// A socket to the broker. ``shut()`` ends a wait on it at once, from any thread and from a signal
/// handler. The descriptor is closed when nobody holds the socket any more.
final class ClientSocket: Sendable {
  let descriptor: Int32
  private let isShut = Atomic<Bool>(false)

  /// Takes over a socket that is already connected.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
  }

  /// Connects to this user's private socket if there is one beside `path`, and otherwise to `path`.
  convenience init(path: String, timeout: EventInterval) throws(ClientError) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system(errno) }
    // limits how long connecting waits if the broker is too busy to accept it
    let microseconds = max(1, timeout.microseconds)
    var limit = timeval(
      tv_sec: time_t(microseconds / 1_000_000), tv_usec: suseconds_t(microseconds % 1_000_000))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var code: Int32 = ENOENT
    for candidate in [Self.privatePath(beside: path), path] where code != 0 {
      if let candidate {
        code = SocketAddress(candidate)?.call(Glibc.connect, descriptor) ?? ENAMETOOLONG
      }
    }
    guard code == 0 else {
      Glibc.close(descriptor)
      throw .noBroker(path: path, code: code)
    }
    self.init(descriptor: descriptor)
  }

  /// `nil` if others may write to the folder: anybody could create a socket with that name there.
  private static func privatePath(beside path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    var status = stat()
    guard stat(folder.isEmpty ? "/" : folder, &status) == 0, status.st_mode & 0o022 == 0 else {
      return nil
    }
    return path + (geteuid() == 0 ? ".root" : ".seat")
  }

  deinit { Glibc.close(descriptor) }

  func shut() {
    isShut.store(true, ordering: .releasing)
    let code = errno
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    errno = code
  }

  /// Whether this side has shut it.
  var isClosed: Bool { isShut.load(ordering: .acquiring) }

  private var hasEnded: ClientError { isClosed ? .closed : .disconnected }

  func send(_ bytes: [UInt8], until deadline: EventTime?) throws(ClientError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        let rest = UnsafeRawBufferPointer(rebasing: $0[sent...])
        return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: guard try wait(for: POLLOUT, until: deadline) else { throw .timedOut }
      case EPIPE, ECONNRESET: throw hasEnded
      case let code: throw .system(code)
      }
    }
  }

  /// The data received, up to 64 KiB, or only up to the first `last` in it; `nil` if none comes by
  /// `deadline`.
  func receive(
    until deadline: EventTime?, upTo last: UInt8? = nil
  ) throws(ClientError) -> [UInt8]? {
    while true {
      // nothing is read from a socket that was shut
      if isClosed { throw .closed }
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        let flags = last == nil ? 0 : Int32(MSG_PEEK)
        var received = recv(descriptor, buffer.baseAddress, buffer.count, flags)
        if received > 0, let last {
          let end = buffer.prefix(received).firstIndex(of: last).map { $0 + 1 } ?? received
          received = recv(descriptor, buffer.baseAddress, end, 0)
        }
        if received < 0 { code = errno }
        count = max(0, received)
      }
      if !bytes.isEmpty { return bytes }
      switch code {
      case 0, ECONNRESET: throw hasEnded
      case EINTR: continue
      case EAGAIN: guard try wait(for: POLLIN, until: deadline) else { return nil }
      case _: throw .system(code)
      }
    }
  }

  /// Whether the socket is ready before `deadline`. A deadline in the past checks without waiting.
  private func wait(for events: Int32, until deadline: EventTime?) throws(ClientError) -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&entry, 1, Self.milliseconds(until: deadline))
      if count > 0 { return true }
      guard count == 0 else {
        if errno == EINTR { continue }
        throw .system(errno)
      }
      if let deadline, InputLoop.now >= deadline { return false }
    }
  }

  /// At most a day, rounded up; -1 for no deadline.
  private static func milliseconds(until deadline: EventTime?) -> Int32 {
    guard let deadline else { return -1 }
    let left = min(max(0, (deadline - InputLoop.now).microseconds), 86_400_000_000)
    return Int32((left + 999) / 1000)
  }
}

/// Splits the bytes from a socket, in whatever pieces they come, into messages that end with a NUL.
///
/// Callers add nothing while a complete or too long message waits. So it holds at most one message
/// of full length, and whatever arrived together with its end.
package struct MessageFramer {
  /// The bytes that were not returned yet.
  private var bytes: [UInt8] = []
  /// There is no NUL before this index.
  private var searched = 0
  private let limit: Int

  /// Bytes of the longest message that the broker accepts.
  package static let longestCall = 65_536

  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun but is not complete.
  package var isInside: Bool { !bytes.isEmpty && !hasMessage }

  /// The index at which the first complete message ends.
  private var end: Int?

  package var hasMessage: Bool { end != nil }

  /// Whether the first message, complete or not, is longer than allowed.
  package var isTooLong: Bool { (end ?? bytes.count) > limit }

  package mutating func append(_ chunk: some Collection<UInt8>) {
    bytes.append(contentsOf: chunk)
    search()
  }

  /// The first complete message, without its NUL. Throws if it is too long, or will be.
  package mutating func next() throws(VarlinkError) -> [UInt8]? {
    guard !isTooLong else { throw .tooLong(limit) }
    guard let end else { return nil }
    let message = Array(bytes[..<end])
    // another array, which frees the memory of a long message
    bytes = Array(bytes[(end + 1)...])
    (self.end, searched) = (nil, 0)
    search()
    return message
  }

  private mutating func search() {
    guard end == nil else { return }
    end = bytes[searched...].firstIndex(of: 0)
    searched = end ?? bytes.count
  }
}

/// Why a message is not a valid call.
package enum VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is longer than this many bytes.
  case tooLong(Int)
  case notJSON(JSONError)
  /// It is JSON, but not a call. Has the reason.
  case notACall(String)
  /// The process with this pid sent it, but did not connect.
  case foreign(Int32)

  package var description: String {
    switch self {
    case .tooLong(let limit): "a message of more than \(limit) bytes"
    case .notJSON(let error): "a message that cannot be read as JSON: \(error)"
    case .notACall(let reason): "a message that is not a call: \(reason)"
    case .foreign(let pid):
      "a message of process \(pid), which has not made this connection: each process makes its own"
    }
  }
}
