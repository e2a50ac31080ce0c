import CLinux
import Glibc
import GlissBroker
import GlissDevices
import GlissGate

package enum ProcessEnvironment {
  /// All variables, as `NAME=VALUE`.
  package static var all: [String] {
    var entries: [String] = []
    var entry = environ
    while let text = entry.pointee {
      entries.append(String(cString: text))
      entry += 1
    }
    return entries
  }

  /// The address of the session bus; `nil` if there is none.
  package static var sessionBus: String? { sessionBus(RuntimeFolder.standardBase ?? "") }

  static func sessionBus(_ runtimeFolder: String) -> String? {
    if let named = environmentVariable("DBUS_SESSION_BUS_ADDRESS"), !named.isEmpty { return named }
    let path = runtimeFolder + "/bus"
    return access(path, W_OK) == 0 ? "unix:path=\(path)" : nil
  }
}

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
package struct RuntimeFolder {
  /// `XDG_RUNTIME_DIR` or its substitute.
  let base: String
  var path: String { base + "/gliss" }
  var lock: String { path + "/agent.lock" }
  var socket: String { path + "/org.gliss.Agent" }

  /// `nil` without one.
  package static var standardBase: String? {
    if let named = environmentVariable("XDG_RUNTIME_DIR"), named.hasPrefix("/") { return named }
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
      throw SystemError(
        folder.path, failed: errno, advice: "set XDG_RUNTIME_DIR to a folder that you can write to")
    }
    var status = stat()
    guard lstat(folder.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid(), status.st_mode & 0o022 == 0
    else {
      throw SystemError(
        folder.path, "is not a folder that only you can write to", advice: "remove it")
    }
    return folder
  }
}

/// A lock that exists once per user. Its holder is the agent.
///
/// The kernel releases it when the process ends, however that happens.
final class InstanceLock {
  private let descriptor: Int32

  /// What the lock file says of its holder.
  ///
  /// - Parameter since: in seconds since 1970.
  static func holder(pid: Int32, since: Int64, files: [String]) -> String {
    "process \(pid), since \(WallTime(seconds: since).localSecond), with \(files.last ?? "no file")"
  }

  /// - Throws: if another process holds the lock, naming it.
  init(_ path: String, as holder: String) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw SystemError(path, failed: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw SystemError(path, failed: errno) }
      let other = String(decoding: FileBytes.start(of: path, upTo: 4096) ?? [], as: UTF8.self)
      throw SystemError(
        path,
        "the agent already runs: " + (other.isEmpty ? "another process holds this file" : other),
        advice: "'gliss status' shows it, 'gliss reload' makes it read its rules again")
    }
    let text = Array(holder.utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
