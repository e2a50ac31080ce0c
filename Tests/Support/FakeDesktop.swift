import Glibc
import GlissDevices

/// A desktop's socket in a folder of its own. Each connection is served by a thread.
package final class FakeDesktop {
  package let folder: String
  package let path: String
  private let listener: Int32

  /// - Parameter serve: is given each connection, which is closed when it returns.
  package init(_ name: String, in folder: String? = nil, serve: @escaping @Sendable (Int32) -> Void)
    throws
  {
    var template = Array("/tmp/gliss-desktop-XXXXXX".utf8CString)
    self.folder = try folder ?? String(cString: Self.made(mkdtemp(&template)))
    path = "\(self.folder)/\(name)"
    // no process that a test starts meanwhile may keep a connection open
    let socket = Glibc.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    guard bound == 0, listen(socket, 5) == 0 else { throw SystemError(path, failed: errno) }
    listener = socket
    _ = BackgroundThread.start {
      while true {
        let connection = accept(socket, nil, nil)
        guard connection >= 0 else { break }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        serve(connection)
        close(connection)
      }
      // only here: meanwhile its number could be that of another desktop's socket
      close(socket)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    unlink(path)
    rmdir(folder)
  }

  /// Writes all of it, however long that takes. `false` if the reader has gone.
  @discardableResult
  package static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  package static func read(_ connection: Int32, upTo count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = recv(connection, &bytes, count, 0)
    return Array(bytes.prefix(max(0, received)))
  }

  package static func waitForEnd(_ connection: Int32) {
    while !read(connection, upTo: 4096).isEmpty {}
  }

  private static func made(
    _ folder: UnsafeMutablePointer<CChar>?
  ) throws(SystemError) -> UnsafeMutablePointer<CChar> {
    guard let folder else { throw SystemError("a folder", failed: errno) }
    return folder
  }

  /// A message of sway's protocol.
  package static func swayFrame(_ kind: UInt32, _ text: String) -> [UInt8] {
    var bytes = Array("i3-ipc".utf8)
    for number in [UInt32(text.utf8.count), kind] { withUnsafeBytes(of: number) { bytes += $0 } }
    return bytes + Array(text.utf8)
  }
}
