import Glibc
import GlissBroker

/// The folder of the agent's lock and socket. It belongs to this user and is removed at logout.
struct RuntimeFolder {
  /// `XDG_RUNTIME_DIR` or its substitute.
  let base: String
  var path: String { base + "/gliss" }
  var lock: String { path + "/agent.lock" }
  var socket: String { path + "/org.gliss.Agent" }

  /// `nil` if there is none.
  static var standardBase: String? {
    if let named = getenv("XDG_RUNTIME_DIR"), named.pointee == 0x2f {
      return String(cString: named)
    }
    let usual = "/run/user/\(getuid())"
    return access(usual, W_OK) == 0 ? usual : nil
  }

  /// Finds the folder, or creates it.
  ///
  /// - Throws: if there is no place for it, or others can write to it.
  static func make() throws(BrokerError) -> RuntimeFolder {
    guard let base = standardBase else {
      throw BrokerError(
        "XDG_RUNTIME_DIR", "is not set", advice: "log in, or set it to a folder of your own")
    }
    let folder = RuntimeFolder(base: base)
    if mkdir(folder.path, 0o700) != 0, errno != EEXIST {
      throw BrokerError(folder.path, String(cString: strerror(errno)), code: errno)
    }
    var status = stat()
    guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid(), status.st_mode & 0o022 == 0
    else {
      throw BrokerError(
        folder.path, "is not a folder that only you can write to", advice: "take it away")
    }
    return folder
  }
}
