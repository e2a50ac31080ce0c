import Glibc

/// What /proc shows of one process: small, never more than so much, and nothing where it is not readable.
struct ProcessFiles {
  private let folder: String

  init(_ pid: Int32) { folder = "/proc/\(pid)" }

  /// The whole of a file.
  ///
  /// - Returns: `nil` where it cannot be read, or is longer than `limit`: half of it could mean something else.
  func read(_ name: String, limit: Int = 65_536) -> [UInt8]? {
    // what lies below `root` is the process' own: a pipe there must not stop us, nor a terminal become ours
    let descriptor = open(
      "\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while true {
      var failed = false
      let piece = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        failed = got < 0
        count = max(0, got)
      }
      if failed { return nil }
      if piece.isEmpty { return bytes }
      bytes += piece
      if bytes.count > limit { return nil }
    }
  }

  /// What a link says; `nil` where it may not be read, or is no text.
  func target(of name: String) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("\(folder)/\(name)", start, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(validating: buffer.prefix(count), as: UTF8.self)
    }
  }
}
