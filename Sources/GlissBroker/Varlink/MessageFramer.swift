/// Takes what comes from a socket, in whatever pieces, and gives the messages that NULs end.
///
/// It holds no more than one message of full length and what came with its end, if nothing is added while there is a
/// whole message or one that is too long.
package struct MessageFramer {
  /// What was not given yet begins at `start`.
  private var bytes: [UInt8] = []
  private var start = 0
  /// There is no NUL before this.
  private var searched = 0
  private let limit: Int

  package init(limit: Int) { self.limit = limit }

  /// Whether a message has begun and is not whole.
  package var isInside: Bool { start < bytes.count && !hasMessage }

  /// Where the first whole message ends.
  private var end: Int?

  package var hasMessage: Bool { end != nil }

  /// Whether what has begun is longer than a message may be, be it whole or not.
  package var isTooLong: Bool { (end ?? bytes.count) - start > limit }

  package mutating func append(_ chunk: some Collection<UInt8>) {
    bytes.append(contentsOf: chunk)
    search()
  }

  /// The first whole message, without its NUL.
  ///
  /// - Throws: where it is too long, or will be.
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

  /// Moves what is left to the front, and gives back the memory that a long message took.
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
