import CLinux
import Glibc
import GlissAgent

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
    do throws(Launch.Failure) {
      process = try Launch.start(command.first ?? "", command, inheriting: .session)
    } catch {
      throw .spawn(error.code)
    }
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
    switch Launch.End(wait: wait) {
    case .status(let status): status
    case .signal(let number): 128 + number
    }
  }
}
