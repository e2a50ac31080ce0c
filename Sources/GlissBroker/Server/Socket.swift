import CLinux
import Glibc

/// The socket calls of a connection. None of them blocks or raises SIGPIPE.
enum Socket {
  enum Sent: Hashable {
    /// This many bytes were taken.
    case bytes(Int)
    /// There is no room.
    case full
    /// The other end is gone, or the socket is unusable.
    case failed(Int32)
  }

  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Sent {
    while true {
      let count = Glibc.send(
        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      case let code: return .failed(code)
      }
    }
  }

  /// Sends a final message, if there is room for it.
  static func send(_ reply: VarlinkReply, to descriptor: Int32) {
    _ = (reply.encoded + [0]).withUnsafeBytes { send($0, to: descriptor) }
  }

  enum Received: Hashable {
    case bytes(Int)
    case nothing
    /// The other end sends no more, or the socket is unusable.
    case end
    /// The data came from the process with this pid, which is not the one that connected.
    case foreign(Int32)
  }

  /// - Parameter owner: the process that connected.
  ///
  /// Data sent just as the connection was accepted may arrive without a sender. It counts as the
  /// owner's. Nobody gains from that, because the owner could have sent it.
  static func receive(
    into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, of owner: Int32
  ) -> Received {
    var sender: Int32 = 0
    let count = gliss_receive(descriptor, bytes.baseAddress, bytes.count, &sender)
    if count > 0 { return sender == 0 || sender == owner ? .bytes(count) : .foreign(sender) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }
}
