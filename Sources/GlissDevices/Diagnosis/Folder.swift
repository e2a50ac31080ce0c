import Glibc

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
  static func firstLine(of path: String) -> String? {
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
