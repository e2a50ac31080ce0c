import Glibc
import GlissConfiguration

/// A folder that nobody else can change. It is kept open, so that it stays the folder that was
/// checked.
struct TrustedFolder: ~Copyable {
  let path: String
  private let descriptor: Int32
  private let trust: Trust

  /// - Parameter acceptsSticky: whether others may create files of their own in it.
  init(
    _ path: String, privateGroup: gid_t?, acceptsSticky: Bool = false
  ) throws(ConfigurationFileError) {
    self.path = path
    trust = Trust(privateGroup: privateGroup)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ConfigurationFileError(path: path, reason: .unreadable(errno))
    }
    // all members are set, so if this throws, `deinit` closes the descriptor
    try trust.check(descriptor, path, acceptsSticky: acceptsSticky)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The names of its entries, in byte order.
  borrowing func names() throws(ConfigurationFileError) -> [String] {
    // a descriptor with its own read position, closed with the stream
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let code = errno
      if copy >= 0 { close(copy) }
      throw ConfigurationFileError(path: path, reason: .unreadable(code))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The text of a file in it, if nobody else can write the file.
  borrowing func text(
    of name: String, path: String
  ) throws(ConfigurationFileError) -> ConfigurationText {
    // opening a FIFO would otherwise block until it has a writer
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw ConfigurationFileError(path: path, reason: .unreadable(errno)) }
    defer { close(file) }
    let status = try trust.check(file, path)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationFileError(path: path, reason: .notAFile)
    }
    var link = stat()
    if fstatat(descriptor, name, &link, AT_SYMLINK_NOFOLLOW) != 0
      || link.st_mode & S_IFMT == S_IFLNK
    {
      try trust.checkFolder(of: file, status, path)
    }
    return ConfigurationText(name: path, bytes: try Self.bytes(of: file, status.st_size, path))
  }

  private static func bytes(
    of file: Int32, _ size: off_t, _ path: String
  ) throws(ConfigurationFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(0, min(Int(size), Configuration.largestFile)))
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &piece, piece.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += piece.prefix(count)
      } else if errno != EINTR {
        throw ConfigurationFileError(path: path, reason: .unreadable(errno))
      }
      if bytes.count > Configuration.largestFile {
        throw ConfigurationFileError(path: path, reason: .tooLarge)
      }
    }
  }
}

/// Which owners and modes of files are trusted.
private struct Trust {
  let privateGroup: gid_t?

  /// Checks what is open, so that it cannot be replaced between check and use.
  @discardableResult func check(
    _ descriptor: Int32, _ path: String, acceptsSticky: Bool = false
  ) throws(ConfigurationFileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ConfigurationFileError(path: path, reason: .unreadable(errno))
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw ConfigurationFileError(path: path, reason: .foreign(owner: status.st_uid))
    }
    let others = status.st_gid == privateGroup ? S_IWOTH : S_IWGRP | S_IWOTH
    let isSticky = acceptsSticky && status.st_mode & S_ISVTX != 0
    guard status.st_mode & others == 0 || isSticky else {
      throw ConfigurationFileError(path: path, reason: .writable(mode: status.st_mode))
    }
    return status
  }

  /// Checks the folder that a link led to. If others can write it, they could replace the file.
  func checkFolder(
    of file: Int32, _ status: stat, _ path: String
  ) throws(ConfigurationFileError) {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(file)", &buffer, buffer.count - 1)
    guard count > 0 else {
      throw ConfigurationFileError(path: path, reason: .unreadable(errno))
    }
    let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let slash = target.utf8.lastIndex(of: UInt8(ascii: "/")) ?? target.startIndex
    let name = String(target[slash...].dropFirst())
    let folderPath = slash == target.startIndex ? "/" : String(target[..<slash])
    let folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw ConfigurationFileError(path: folderPath, reason: .unreadable(errno))
    }
    defer { close(folder) }
    try check(folder, folderPath, acceptsSticky: true)
    var there = stat()
    guard fstatat(folder, name, &there, 0) == 0, there.st_ino == status.st_ino,
      there.st_dev == status.st_dev
    else { throw ConfigurationFileError(path: path, reason: .unreadable(ESTALE)) }
  }
}
