import Glibc
import GlissBroker

/// Where the agent's lock and socket are: a folder of this user's own, gone when he logs out.
struct RuntimeFolder {
  /// `XDG_RUNTIME_DIR`, or what stands in for it.
  let base: String
  var path: String { base + "/gliss" }
  var lock: String { path + "/agent.lock" }
  var socket: String { path + "/org.gliss.Agent" }

  /// `nil` where there is none.
  static var standardBase: String? {
    if let named = getenv("XDG_RUNTIME_DIR"), named.pointee == 0x2f {
      return String(cString: named)
    }
    let usual = "/run/user/\(getuid())"
    return access(usual, W_OK) == 0 ? usual : nil
  }

  /// Finds it, and makes it where it is not there.
  ///
  /// - Throws: where there is none, or it is not this user's alone.
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
