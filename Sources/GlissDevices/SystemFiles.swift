package import Glibc

/// Simple queries on folders, mainly in /proc and /sys.
package enum Folder {
  /// The names in it, without `.` and `..`; empty if it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The target of a symbolic link.
  package static func target(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  /// The first line of a small file, without its line feed.
  package static func firstLine(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      guard count >= 0 else { return nil }
      return String(decoding: buffer.prefix(count).prefix { $0 != 0x0a }, as: UTF8.self)
    }
  }
}

/// Reads descriptors to their end.
package enum FileBytes {
  package struct Failure: Error {
    package let code: Int32
    package var text: String { String(cString: strerror(code)) }

    package init(code: Int32) { self.code = code }
  }

  /// - Parameter size: The expected size; 0 if it is not known.
  /// - Throws: EFBIG if there are more than `limit` bytes.
  package static func read(
    _ descriptor: Int32, size: off_t, limit: Int
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(0, min(Int(size), limit)))
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += piece.prefix(count)
        if bytes.count > limit { throw Failure(code: EFBIG) }
      } else if errno != EINTR {
        throw Failure(code: errno)
      }
    }
  }
}

/// A variable of this process's environment; `nil` if it is not set.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

/// The kernel that runs.
package enum RunningKernel {
  /// As in `uname -r`; empty if it is unknown.
  package static var release: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "" }
    return withUnsafeBytes(of: &names.release) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
