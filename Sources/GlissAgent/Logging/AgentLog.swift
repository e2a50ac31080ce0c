import Glibc
import GlissBroker
import Synchronization

/// What the agent says: one line each, on standard error, from any thread.
public struct AgentLog: Sendable {
  /// The numbers of syslog(3), as the journal reads them.
  public enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    /// Said only to who wants all of it.
    case info = 6
  }

  /// Also each activation is told.
  public let isVerbose: Bool
  private let write: @Sendable (Priority, String) -> Void

  public init(isVerbose: Bool = false, _ write: @escaping @Sendable (Priority, String) -> Void) {
    self.isVerbose = isVerbose
    self.write = write
  }

  /// On standard error: with the priority for the journal, where that is what it leads to, and with our name elsewhere.
  ///
  /// - Parameter spelling: a text in the characters that whoever reads can be shown.
  public static func standard(
    isVerbose: Bool, spelling: @escaping @Sendable (String) -> String = { $0 }
  ) -> AgentLog {
    let isJournal = JournalStream.isStandardError
    return AgentLog(isVerbose: isVerbose) { priority, text in
      let head = isJournal ? "<\(priority.rawValue)>" : "gliss: "
      var line = Array((head + spelling(text) + "\n").utf8)[...]
      // one write takes a line whole, but where a terminal is interrupted
      while !line.isEmpty {
        let count = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        line = line.dropFirst(count)
      }
    }
  }

  /// Says `text` without what a terminal would obey.
  public func say(_ priority: Priority, _ text: String) {
    guard isVerbose || priority != .info else { return }
    write(priority, text.withoutControls)
  }
}

/// Whether we write into the journal: it then understands priorities, and nobody else does.
enum JournalStream {
  static var isStandardError: Bool {
    guard let named = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return matches(
      String(cString: named), device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// `JOURNAL_STREAM` is `DEVICE:INODE`; who redirects standard error does not change it.
  static func matches(_ named: String, device: UInt64, inode: UInt64) -> Bool {
    named == "\(device):\(inode)"
  }
}
