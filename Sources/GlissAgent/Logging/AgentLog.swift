import Glibc
import GlissBroker
import Synchronization

/// The agent's log: one line per message, on standard error, from any thread.
public struct AgentLog: Sendable {
  /// The priorities of syslog(3), as the journal reads them.
  public enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    /// Logged only if verbose.
    case info = 6
  }

  /// Also logs each activation.
  public let isVerbose: Bool
  private let write: @Sendable (Priority, String) -> Void

  public init(isVerbose: Bool = false, _ write: @escaping @Sendable (Priority, String) -> Void) {
    self.isVerbose = isVerbose
    self.write = write
  }

  /// Logs to standard error. Lines have a priority if it leads to the journal, and our name
  /// otherwise.
  ///
  /// - Parameter spelling: rewrites a text in characters that the reader's terminal can show.
  public static func standard(
    isVerbose: Bool, spelling: @escaping @Sendable (String) -> String = { $0 }
  ) -> AgentLog {
    let isJournal = JournalStream.isStandardError
    return AgentLog(isVerbose: isVerbose) { priority, text in
      let head = isJournal ? "<\(priority.rawValue)>" : "gliss: "
      var line = Array((head + spelling(text) + "\n").utf8)[...]
      // a single write takes the whole line, except when a write to a terminal is interrupted
      while !line.isEmpty {
        let count = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        line = line.dropFirst(count)
      }
    }
  }

  /// Logs `text` without control characters that a terminal would act on.
  public func say(_ priority: Priority, _ text: String) {
    guard isVerbose || priority != .info else { return }
    write(priority, text.withoutControls)
  }
}

/// Whether standard error is the journal. Only the journal understands priorities.
enum JournalStream {
  static var isStandardError: Bool {
    guard let named = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return matches(
      String(cString: named), device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// `JOURNAL_STREAM` is `DEVICE:INODE`. Redirecting standard error does not change it.
  static func matches(_ named: String, device: UInt64, inode: UInt64) -> Bool {
    named == "\(device):\(inode)"
  }
}
