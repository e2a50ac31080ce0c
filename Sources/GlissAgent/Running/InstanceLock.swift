import CLinux
import Glibc
import GlissBroker
import GlissDevices

/// A lock that exists once per user. Its holder is the agent.
///
/// The kernel releases it when the process ends, however that happens.
final class InstanceLock {
  private let descriptor: Int32

  /// The holder of the lock, as it describes itself in the lock file.
  struct Holder: Hashable {
    var pid: Int32
    /// Seconds since 1970.
    var since: Int64
    var configuration: String

    var text: String { "\(pid)\n\(since)\n\(configuration)\n" }

    init(pid: Int32, since: Int64, configuration: String) {
      self.pid = pid
      self.since = since
      self.configuration = configuration
    }

    /// `nil` if `text` is not a valid lock file.
    init?(_ text: String) {
      let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
      guard lines.count == 3, let pid = Int32(lines[0]), let since = Int64(lines[1]) else {
        return nil
      }
      self.init(
        pid: pid, since: since,
        configuration: String(lines[2].prefix { $0 != "\n" }))
    }

    var description: String {
      "process \(pid), since \(LocalTime.text(since)), with \(configuration)"
    }
  }

  /// - Throws: if another process holds the lock, naming it.
  init(_ path: String, as holder: Holder) throws(SystemError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else {
      throw SystemError(path, failed: errno)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let other = Self.read(descriptor)
      guard code == EWOULDBLOCK else {
        throw SystemError(path, failed: code)
      }
      throw SystemError(
        "gliss run", "runs already: " + (other?.description ?? "who has \(path)"),
        advice: "'gliss status' shows it, 'gliss reload' lets it read its rules anew")
    }
    let text = Array(holder.text.utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func read(_ descriptor: Int32) -> Holder? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Holder(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }
}

/// Wall time in the user's time zone.
enum LocalTime {
  static func text(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
