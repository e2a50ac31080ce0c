package import Glibc

/// Why something of the system failed: a device, file, socket, process or option, with advice.
///
/// A device that cannot be opened is a ``RefusedDevice`` instead: the others are still read. If
/// nothing can be read at all, ``LiveDevices`` throws, unless ``LiveDevices/didRefuse`` is set.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What failed: a path, system call or option.
  public var place: String
  /// What is wrong.
  public var problem: String
  /// How to fix it.
  public var advice: String?
  /// The system's error number; 0 if it gave no number.
  public var code: Int32

  /// A failure at a place, such as a path, with what to do about it.
  public init(_ place: String, _ problem: String, advice: String? = nil, code: Int32 = 0) {
    self.place = place
    self.problem = problem
    self.advice = advice
    self.code = code
  }

  /// A system call that failed with `code`.
  package init(_ place: String, failed code: Int32, advice: String? = nil) {
    self.init(place, String(cString: strerror(code)), advice: advice, code: code)
  }

  public var description: String {
    "\(place): \(problem)" + (advice.map { "; \($0)" } ?? "")
  }
}

/// Simple queries on folders, mainly in /proc and /sys.
package enum Folder {
  /// Whether `path` is a folder, or a link to one.
  package static func isOne(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in it, without `.` and `..`; empty if it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    return names(in: folder)
  }

  /// The same for an open folder.
  package static func names(in folder: OpaquePointer) -> [String] {
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The target of a symbolic link; `nil` if it cannot be read or is not valid UTF-8.
  package static func target(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink(path, start, buffer.count)
      guard count > 0, count < buffer.count else { return nil }
      return String(validating: buffer.prefix(count), as: UTF8.self)
    }
  }

  /// Makes the folder at `path`, and those above it that are missing.
  package static func make(_ path: String, mode: mode_t) throws(SystemError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, mode) == 0 { continue }
      let code = errno
      // an existing folder may also be denied or on a file system that cannot be written
      guard code == EEXIST || access(made, F_OK) == 0 else {
        throw SystemError(made, failed: code)
      }
    }
  }
}

package enum FileBytes {
  /// The beginning of a file, at most `count` bytes; `nil` if it cannot be read. It never waits for
  /// the writer of a pipe.
  package static func start(of path: String, upTo count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? read(descriptor, of: path, upTo: count)
  }

  /// All bytes of an open file or pipe, which errors call `path`; `size` is 0 if it is not known.
  /// Throws EFBIG if there are more than `limit` bytes.
  package static func read(
    _ descriptor: Int32, of path: String, size: off_t = 0, limit: Int
  ) throws(SystemError) -> [UInt8] {
    let bytes = try read(descriptor, of: path, upTo: limit + 1, expecting: Int(size))
    guard bytes.count <= limit else { throw SystemError(path, failed: EFBIG) }
    return bytes
  }

  private static func read(
    _ descriptor: Int32, of path: String, upTo count: Int, expecting size: Int = 0
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(0, min(size, count)))
    while bytes.count < count {
      var (got, code): (Int, Int32) = (0, 0)
      let room = min(65_536, count - bytes.count)
      bytes += [UInt8](unsafeUninitializedCapacity: room) { piece, size in
        got = Glibc.read(descriptor, piece.baseAddress, piece.count)
        code = errno
        size = max(0, got)
      }
      if got == 0 { break }
      if got < 0, code != EINTR { throw SystemError(path, failed: code) }
    }
    return bytes
  }

  /// Replaces the file at `path` as a whole, or leaves it as it is.
  ///
  /// - Parameter mode: Who may read and write it.
  /// - Returns: 0 once the contents are on disk and the file is replaced, or the error number; a
  ///   power cut may still bring the old one back.
  package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t) -> Int32 {
    var template = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return errno }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var code = write(bytes[...], to: descriptor).code
    if code == 0, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    if code == 0, rename(template, path) != 0 { code = errno }
    if code != 0 { unlink(template) }
    return code
  }

  /// Writes `bytes`, however long that takes; without `mayWait`, what can be written now. Returns
  /// the bytes that were not written, and the error number; 0 without an error.
  package static func write(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, mayWait: Bool = true
  ) -> (rest: ArraySlice<UInt8>, code: Int32) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        return (rest, EIO)
      } else if errno == EAGAIN {
        if !mayWait { break }
        // somebody else has made the terminal or pipe non-blocking
        wait(for: descriptor)
      } else if errno != EINTR {
        return (rest, errno)
      }
    }
    return (rest, 0)
  }

  /// Waits until something can be written.
  package static func wait(for descriptor: Int32) {
    var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&readiness, 1, -1)
  }
}

package struct SocketAddress {
  private var address = sockaddr_un()
  private let size: socklen_t

  /// - Parameter mayBeAbstract: a `@` begins a name that is in no file system.
  /// - Returns: `nil` if the path is empty, too long, or contains a NUL.
  package init?(_ path: String, mayBeAbstract: Bool = false) {
    let isAbstract = mayBeAbstract && path.utf8.first == UInt8(ascii: "@")
    let bytes = isAbstract ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8) + [0]
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count > 1, bytes.count <= capacity, !path.utf8.contains(0) else { return nil }
    size = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + bytes.count)
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Calls bind(2) or connect(2). Returns the system's error number; 0 if it worked.
  package func call(
    _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32
  ) -> Int32 {
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { function(descriptor, $0, size) }
    }
    return result == 0 ? 0 : errno
  }
}

/// A variable of this process's environment; `nil` if it is not set.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}

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
