import Glibc
import GlissEvents

/// Where a store is kept, with checks, before each opening and writing, that nobody else could have
/// written there. Verdicts come from memory, which no file can change.
struct StoreFile {
  /// The folder, with symbolic links resolved.
  let folder: String
  let name: String
  var path: String { folder == "/" ? "/" + name : folder + "/" + name }

  init(_ name: String, in folder: String) throws(GateError) {
    self.name = name
    guard let real = realpath(folder, nil) else {
      throw Self.failure(
        folder, errno, advice: "make it: mkdir -m 700 \(folder), owned by glissd's user")
    }
    defer { free(real) }
    self.folder = String(cString: real)
  }

  /// Tells the file from another one that took its name.
  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// - Returns: `nil` if the file does not exist.
  /// - Throws: if someone else could have written it, or it is not a regular file.
  func check() throws(GateError) -> Identity? {
    try checkFolders()
    // SQLite would read these as part of the file
    for suffix in ["-wal", "-journal"] { _ = try self.status(ofFileAt: path + suffix) }
    guard let status = try self.status(ofFileAt: path) else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Before it is opened: SQLite would call a missing permission a problem of the disk.
  func checkAccess() throws(GateError) {
    for file in [path, path + "-wal"] where access(file, R_OK | W_OK) < 0 && errno != ENOENT {
      throw Self.failure(file, errno, advice: "let glissd's user read and write it")
    }
  }

  private func status(ofFileAt path: String) throws(GateError) -> stat? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure(path, errno, advice: nil)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK:
      throw GateError(
        .store, path, "is a symbolic link, which could lead anywhere",
        advice: "put the file itself there")
    case _: throw GateError(.store, path, "is not a regular file", advice: "move it away")
    }
    try check(status, at: path)
    return status
  }

  /// Only we or root may write to the folder. Folders above it may be writable by others only if
  /// they are sticky (/tmp), because others cannot rename our files there.
  private func checkFolders() throws(GateError) {
    var path = folder
    while true {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw Self.failure(path, errno, advice: nil) }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw GateError(.store, path, "is not a folder any more")
      }
      let isSticky = path != folder && status.st_mode & S_ISVTX != 0
      if !isSticky { try check(status, at: path) }
      if path == "/" || !path.contains("/") { return }
      path = path.folderAndName.folder
    }
  }

  private func check(_ status: stat, at path: String) throws(GateError) {
    // both files are in the same folders, so those are described alike
    let (content, deed) =
      name == "audit.db" && path.hasPrefix(self.path)
      ? ("says", "changed what it says") : ("grants", "granted themselves something")
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw GateError(
        .store, path, "belongs to user \(status.st_uid), and this is user \(geteuid())",
        advice: "chown it to glissd's user once you know that what it \(content) is right")
    }
    guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw GateError(
        .store, path, "other users can write it and may have \(deed)",
        advice: "see what it \(content), then chmod go-w \(path) and restart glissd")
    }
  }

  /// The other files that start with this name: its WAL, its backups.
  func companions() throws(GateError) -> [String] {
    guard let directory = opendir(folder) else { throw Self.failure(folder, errno, advice: nil) }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let entryName = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if entryName.hasPrefix(name), entryName != name, !entryName.hasPrefix(temporaryName) {
        found.append(entryName)
      }
    }
    return found.sorted()
  }

  private var temporaryName: String { name + ".new" }

  /// Creates a file completely or not at all. `fill` gets the path of an empty file that only we
  /// can read, which is then renamed. Remains of an earlier attempt are removed.
  func make(fill: (String) throws(GateError) -> Void) throws(GateError) {
    let temporary = folder + "/" + temporaryName
    for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(temporary, errno, advice: nil) }
    // before SQLite opens it: closing this descriptor later would release SQLite's locks
    close(descriptor)
    do {
      try fill(temporary)
    } catch {
      unlink(temporary)
      throw error
    }
    // SQLite has synced the file itself (`synchronous=FULL`)
    guard rename(temporary, path) == 0 else { throw Self.failure(path, errno, advice: nil) }
    let place = open(folder, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard place >= 0 else { throw Self.failure(folder, errno, advice: nil) }
    defer { close(place) }
    guard fsync(place) == 0 else { throw Self.failure(folder, errno, advice: nil) }
  }

  private static func failure(_ path: String, _ code: Int32, advice: String?) -> GateError {
    GateError(.store, path, String(cString: strerror(code)), advice: advice)
  }
}

/// Which computer and boot this is, for grants that are bound to them. The caller supplies it.
package struct Machine: Hashable, Sendable {
  /// Identifies the computer. It is derived from /etc/machine-id, which must stay private
  /// (`sd_id128_get_machine_app_specific`). Empty if unknown; bound grants then do not count.
  package var id: String
  /// Identifies the current boot (`sd_id128_get_boot`), because session names are reused after the
  /// next. Empty if unknown.
  package var boot: String

  package init(id: String, boot: String) {
    self.id = id
    self.boot = boot
  }

  /// Nothing is known. Grants that are bound to a computer or a session do not count.
  package static let unknown = Machine(id: "", boot: "")
}
