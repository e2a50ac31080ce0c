import CLinux
import CSystemd
import Glibc
package import GlissDevices
import GlissGate

/// Settings of the whole process.
package enum DaemonProcess {
  /// Makes signals readable, so that none ends the process in the middle of a write. SIGHUP stays
  /// ignored if the parent process ignored it, as nohup does.
  ///
  /// - Returns: the descriptor for ``nextSignal(from:)``.
  package static func takeSignals() throws(SystemError) -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT] { sigaddset(&set, number) }
    // a blocked signal would be read even if it is ignored
    if !isIgnored(SIGHUP) { sigaddset(&set, SIGHUP) }
    sigprocmask(SIG_BLOCK, &set, nil)
    let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else {
      throw SystemError("signals", failed: errno)
    }
    return descriptor
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // functions cannot be compared, and SIG_IGN is the address 1
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  package static func nextSignal(from descriptor: Int32) -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return read(descriptor, &info, size) == size ? Int32(bitPattern: info.ssi_signo) : nil
  }

  /// Forbids core dumps and reading by other processes of the same user, because typed text passes
  /// through our memory. Memory is not locked against swapping, which would make the whole program
  /// resident. The unit forbids swap instead.
  static func close() { _ = gliss_set_dumpable(0) }

  /// Allows as many connections as the service manager does, and makes room for them.
  ///
  /// A descriptor beyond the kernel's table makes the kernel enlarge it, and a process with threads
  /// then waits up to 10 ms (`expand_fdtable` waits for an RCU grace period). So the table gets its
  /// final size now: no key waits because somebody connects.
  ///
  /// - Parameter descriptor: any open one.
  static func raiseDescriptorLimit(_ descriptor: Int32) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // a socket and a pidfd for each, and as much again for devices and files
    let room = min(limit.rlim_cur, rlim_t(4 * Limits().allConnections))
    let highest = fcntl(descriptor, F_DUPFD_CLOEXEC, Int32(clamping: room) - 1)
    if highest >= 0 { Glibc.close(highest) }
  }

  /// Identifies this computer, for our use only. The id is derived from /etc/machine-id and the
  /// number below. Neither can be recovered from it.
  static var machine: Machine {
    var ours = sd_id128_t()
    ours.bytes = (
      0x2a, 0x5c, 0x9e, 0x10, 0x71, 0x3d, 0x4b, 0x62, 0x9c, 0x4f, 0xd8, 0x05, 0xb1, 0xe7, 0x36, 0x8a
    )
    var id = sd_id128_t()
    var boot = sd_id128_t()
    let hasID = sd_id128_get_machine_app_specific(ours, &id) >= 0
    let hasBoot = sd_id128_get_boot(&boot) >= 0
    return Machine(id: hasID ? text(id) : "", boot: hasBoot ? text(boot) : "")
  }

  private static func text(_ id: sd_id128_t) -> String {
    withUnsafeBytes(of: id) { bytes in
      var text = ""
      for byte in bytes {
        text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
      }
      return text
    }
  }

  /// Writes to standard error, which is the journal if the service manager started us.
  static func say(_ text: String, priority: Int = 4) {
    let isJournal = getenv("JOURNAL_STREAM") != nil
    let line = Array(
      ((isJournal ? "<\(priority)>" : "glissd: ") + text.withoutControls + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}

/// Writes the audit's lines to the journal.
final class Journal: AuditSink {
  func didRecord(_ entry: AuditEntry) {
    let times = entry.count > 1 ? " (\(entry.count) times)" : ""
    let client = entry.client.isEmpty ? "" : " \(entry.client)"
    // LOG_NOTICE for decisions, LOG_INFO for the rest
    DaemonProcess.say(
      "audit: \(entry.action.rawValue) uid \(entry.uid)\(client): \(entry.detail)\(times)",
      priority: entry.action.isDecision ? 5 : 6)
  }
}
