package import GlissEvents

/// Splits the bytes from a socket, in whatever pieces they come, into messages that end with a NUL.
///
/// Callers add nothing while a complete or too long message waits. So it holds at most one message
/// of full length, and whatever arrived together with its end.
package struct MessageFramer {
  /// The bytes that were not returned yet begin at `start`.
  private var bytes: [UInt8] = []
  private var start = 0
  /// There is no NUL before this index.
  private var searched = 0
  private let limit: Int

  /// Bytes of the longest message that the broker accepts.
  package static let longestCall = 65_536

  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun but is not complete.
  package var isInside: Bool { start < bytes.count && !hasMessage }

  /// The index at which the first complete message ends.
  private var end: Int?

  package var hasMessage: Bool { end != nil }

  /// Whether the first message, complete or not, is longer than allowed.
  package var isTooLong: Bool { (end ?? bytes.count) - start > limit }

  package mutating func append(_ chunk: some Collection<UInt8>) {
    bytes.append(contentsOf: chunk)
    search()
  }

  /// The first complete message, without its NUL.
  ///
  /// - Throws: if it is too long, or will be.
  package mutating func next() throws(VarlinkError) -> [UInt8]? {
    guard !isTooLong else { throw .tooLong(limit) }
    guard let end else { return nil }
    let message = Array(bytes[start..<end])
    start = end + 1
    searched = start
    self.end = nil
    search()
    release()
    return message
  }

  private mutating func search() {
    guard end == nil else { return }
    end = bytes[searched...].firstIndex(of: 0)
    searched = end ?? bytes.count
  }

  /// Moves the rest to the front, and frees the memory of a long message.
  private mutating func release() {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
    } else if end == nil {
      bytes = Array(bytes[start...])
    } else {
      return
    }
    start = 0
    searched = bytes.count
  }
}

/// Why a message is not a valid call.
package enum VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is longer than this many bytes.
  case tooLong(Int)
  case notJSON(JSONError)
  /// The member is missing or has the wrong type.
  case wrongType(member: String)
  /// The process with this pid sent it, but did not connect.
  case foreign(Int32)

  package var description: String {
    switch self {
    case .tooLong(let limit): "a message of more than \(limit) bytes"
    case .notJSON(let error): "a message that is not JSON: \(error)"
    case .wrongType(let member): "a message that is not a call: \(member)"
    case .foreign(let pid):
      "a message of process \(pid), which has not made this connection: each process makes its own"
    }
  }
}
