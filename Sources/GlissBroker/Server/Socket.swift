import Glibc

/// The calls that a connection's socket needs; none of them blocks, or brings SIGPIPE.
enum Socket {
  enum Sent: Hashable {
    /// So many bytes were taken.
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

  enum Received: Hashable {
    case bytes(Int)
    case nothing
    /// The other end sends no more, or the socket is unusable.
    case end
  }

  static func receive(into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Received
  {
    let count = recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
    if count > 0 { return .bytes(count) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }

  /// The user who has connected; `nil` where the kernel does not say.
  static func user(of descriptor: Int32) -> UInt32? {
    // struct ucred: the numbers of the process, its user and its group
    var credentials: (Int32, UInt32, UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0,
      size == MemoryLayout.size(ofValue: credentials)
    else { return nil }
    return credentials.1
  }
}
