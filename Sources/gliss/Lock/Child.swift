import CLinux
import Glibc

/// A command that was started, and the processes it has started in turn.
final class Child {
  enum Failure: Error {
    /// It could not be started, with this error number.
    case spawn(Int32)

    /// The exit status shells use.
    var status: Int32 {
      switch self {
      case .spawn(ENOENT): 127
      case .spawn: 126
      }
    }

    var text: String {
      switch self {
      case .spawn(ENOENT): "there is no such command"
      case .spawn(let code): "it cannot be run: \(String(cString: strerror(code)))"
      }
    }
  }

  let process: pid_t
  /// The command's own exit status; `nil` while it runs.
  private(set) var status: Int32?
  /// Whether the command and all processes it left behind have ended.
  private(set) var isOver = false

  /// Starts `command`, searching for it as a shell does. From now on orphaned processes become
  /// children of this one, so that a command that moves to the background is still tracked.
  init(_ command: [String]) throws(Failure) {
    _ = gliss_adopt_orphans()
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // this process ignores SIGPIPE, and the child would inherit that
    var standard = sigset_t()
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    let code = posix_spawnp(
      &process, arguments[0] ?? strdup(""), nil, &attributes, arguments, environ)
    guard code == 0 else { throw .spawn(code) }
    self.process = process
  }

  /// Sends a signal to the command while it runs.
  func send(_ signal: Int32) {
    if status == nil { kill(process, signal) }
  }

  /// Collects processes that have ended.
  func reap() {
    while true {
      var found: Int32 = 0
      let ended = waitpid(-1, &found, WNOHANG)
      if ended == process { status = Self.status(of: found) }
      if ended > 0 || (ended < 0 && errno == EINTR) { continue }
      isOver = ended < 0
      return
    }
  }

  /// The status from wait(2), as shells report it.
  static func status(of wait: Int32) -> Int32 {
    let signal = wait & 0x7f
    return signal == 0 ? (wait >> 8) & 0xff : 128 + signal
  }
}
