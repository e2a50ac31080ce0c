import Glibc

/// Writes files completely or not at all.
enum WholeFile {
  /// Replaces the file at `path` with `bytes`. Only its owner can read it.
  ///
  /// - Returns: 0 once the file is on disk, or the error number.
  static func write(_ bytes: [UInt8], to path: String) -> Int32 {
    // a device or pipe cannot be replaced as a whole
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return fill(path, bytes) }
    var template = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return errno }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var code = deliver(bytes, to: descriptor)
    if code == 0, fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    if code == 0, rename(template, path) != 0 { code = errno }
    if code != 0 { unlink(template) }
    return code
  }

  private static func fill(_ path: String, _ bytes: [UInt8]) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return deliver(bytes, to: descriptor)
  }

  private static func deliver(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Reads a whole file, or standard input if the path is `-`.
  ///
  /// - Returns: Its bytes or an error number; EFBIG if there are more than `limit` bytes.
  static func read(_ path: String, limit: Int) -> Result<[UInt8], Failure> {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(Failure(code: errno)) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      bytes.reserveCapacity(max(0, min(Int(status.st_size), limit)))
    }
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return .success(bytes) }
      if count > 0 {
        bytes += piece.prefix(count)
        if bytes.count > limit { return .failure(Failure(code: EFBIG)) }
      } else if errno != EINTR {
        return .failure(Failure(code: errno))
      }
    }
  }

  struct Failure: Error {
    var code: Int32
    var text: String { String(cString: strerror(code)) }
  }
}
