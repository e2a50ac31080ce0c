import Glibc
import GlissBroker
import GlissDevices

/// The environment that the process was started with.
enum ProcessEnvironment {
  /// All variables, as `NAME=VALUE`.
  static var all: [String] {
    var entries: [String] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(String(cString: text))
      entry += 1
    }
    return entries
  }

  /// The address of the session bus.
  static func sessionBus(_ runtimeFolder: String) -> String? {
    if let named = getenv("DBUS_SESSION_BUS_ADDRESS"), named.pointee != 0 {
      return String(cString: named)
    }
    let path = runtimeFolder + "/bus"
    return access(path, W_OK) == 0 ? "unix:path=\(path)" : nil
  }
}

extension LocalTime {
  /// Seconds since 1970.
  static var now: Int64 { Int64(time(nil)) }
}

/// The terminal that this process was started from, if there is one.
struct OwnTerminal {
  private let wasThere = Self.isThere

  /// Whether it was there and has gone: its window was closed, or the connection was lost.
  var isGone: Bool { wasThere && !Self.isThere }

  private static var isThere: Bool {
    let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}

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
  static func make() throws(SystemError) -> RuntimeFolder {
    guard let base = standardBase else {
      throw SystemError(
        "XDG_RUNTIME_DIR", "this variable is not set",
        advice: "log in, or set it to a folder of your own")
    }
    let folder = RuntimeFolder(base: base)
    if mkdir(folder.path, 0o700) != 0, errno != EEXIST {
      throw SystemError(folder.path, failed: errno)
    }
    var status = stat()
    guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid(), status.st_mode & 0o022 == 0
    else {
      throw SystemError(
        folder.path, "is not a folder that only you can write to", advice: "take it away")
    }
    return folder
  }
}
