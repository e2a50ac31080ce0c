import CLinux
import CSystemd
import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

package enum DaemonProcess {
  package static func takeSignals() throws(SystemError) -> SignalQueue {
    signal(SIGPIPE, SIG_IGN)
    return try SignalQueue([SIGTERM, SIGINT], unlessIgnored: [SIGHUP])
  }

  /// Forbids core dumps and reading by other processes of the same user, because typed text passes
  /// through our memory. Memory is not locked against swapping, which would make the whole program
  /// resident. The unit forbids swap instead.
  static func close() { _ = gliss_set_dumpable(0) }

  /// Raises the limit of open descriptors to the hard limit, and enlarges the kernel's table, with
  /// any open descriptor.
  ///
  /// A descriptor beyond the kernel's table makes the kernel enlarge it, and a process with threads
  /// then waits up to 10 ms (`expand_fdtable` waits for an RCU grace period). So the table gets its
  /// final size now: no key waits because somebody connects.
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

  /// The id is derived from /etc/machine-id and the number below. Neither can be recovered from it.
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
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  static func say(_ text: String, priority: Int = 4) {
    StandardError.write(text.printable, from: "glissd", priority: priority)
  }

  static func say(_ entry: AuditEntry) {
    let times = entry.count > 1 ? " (\(entry.count) times)" : ""
    let client = entry.client.isEmpty ? "" : " \(entry.client)"
    // LOG_NOTICE for decisions, LOG_INFO for the rest
    say(
      "audit: \(entry.action.rawValue) uid \(entry.uid)\(client): \(entry.detail)\(times)",
      priority: entry.action.isDecision ? 5 : 6)
  }
}

package enum StandardError {
  /// Writes a line, with its priority for the journal, and with the program's name otherwise.
  package static func write(_ text: String, from program: String, priority: Int) {
    let line = (isJournal ? "<\(priority)>" : "\(program): ") + text + "\n"
    _ = FileBytes.write(Array(line.utf8)[...], to: STDERR_FILENO, mayWait: false)
  }

  private static let isJournal: Bool = {
    var status = stat()
    guard let named = environmentVariable("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0
    else { return false }
    return isJournal(named, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }()

  /// `JOURNAL_STREAM` is `DEVICE:INODE`. Redirecting standard error does not change it.
  package static func isJournal(_ named: String, device: UInt64, inode: UInt64) -> Bool {
    named == "\(device):\(inode)"
  }
}

/// Frees memory once more, a minute after the start, when the first clients have connected.
final class DelayedShrinking: Timed {
  private(set) var deadline: EventTime?

  init(after start: EventTime) { deadline = start + .milliseconds(60_000) }

  func advance(to time: EventTime) {
    guard let due = deadline, due <= time else { return }
    deadline = nil
    // Reading the list of mappings takes tens of milliseconds on a slow machine, and keys would wait.
    // If no thread can be started, the memory stays.
    _ = BackgroundThread.start { ResidentMemory.shrink() }
  }
}

enum ResidentMemory {
  /// Frees the memory that only the start needed. Most code runs once then and would stay resident
  /// for the life of the process, because the kernel loads 64 KiB around each page needed.
  ///
  /// Only pages that are not writable and were never written are freed (the linker writes some
  /// pages before it protects them). Their contents are those of the files, and are loaded again
  /// when needed.
  static func shrink() {
    guard let maps = ProcessFiles(getpid()).read("smaps", limit: 4 << 20) else { return }
    for range in unwritten(in: maps) {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// The ranges in `/proc/PID/smaps` that are not writable and hold only a file's contents.
  static func unwritten(in smaps: [UInt8]) -> [Range<UInt>] {
    var found: [Range<UInt>] = []
    var range: Range<UInt>?
    for line in smaps.split(separator: 0x0a) {
      let fields = line.split(separator: 0x20, maxSplits: 5)
      if let ends = self.range(fields.first) {
        // 55e0c0a00000-55e0c0c00000 r-xp 00021000 fe:00 1234   /usr/lib/…
        let isFixed = fields.count == 6 && !fields[1].contains(UInt8(ascii: "w"))
        range = isFixed && fields[5].drop { $0 == 0x20 }.first == UInt8(ascii: "/") ? ends : nil
      } else if fields.first?.elementsEqual("Anonymous:".utf8) == true, fields.count > 1 {
        if let known = range, fields[1].elementsEqual("0".utf8) { found.append(known) }
        range = nil
      }
    }
    return found
  }

  private static func range(_ field: ArraySlice<UInt8>?) -> Range<UInt>? {
    let ends = field?.split(separator: UInt8(ascii: "-")).map {
      UInt(String(decoding: $0, as: UTF8.self), radix: 16)
    }
    guard let ends, ends.count == 2, let start = ends[0], let end = ends[1], start < end else {
      return nil
    }
    return start..<end
  }
}

/// The service manager that started us, if any: `Type=notify`, its watchdog and its sockets.
package final class ServiceManager: Timed {
  /// Half of the watchdog's timeout; `nil` without one.
  private let interval: EventInterval?
  package private(set) var deadline: EventTime?
  private var lastStatus = ""

  package init(now: EventTime) {
    var allowed: UInt64 = 0
    let isWatched = sd_watchdog_enabled(0, &allowed) > 0 && allowed > 1
    interval = isWatched ? EventInterval(microseconds: Int64(clamping: allowed / 2)) : nil
    deadline = interval.map { now + $0 }
  }

  package func advance(to time: EventTime) {
    guard let interval, let due = deadline, due <= time else { return }
    // reaching this shows that the loop still runs, which is what the watchdog checks
    sd_notify(0, "WATCHDOG=1")
    deadline = time + interval
  }

  package func ready() { sd_notify(0, "READY=1") }
  package func stopping() { sd_notify(0, "STOPPING=1") }

  /// Reports a reload. ``ready()`` must follow.
  package func reloading(at time: EventTime) {
    sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(time.microseconds)")
  }

  package func report(status: String) {
    let line = status.printable
    guard line != lastStatus else { return }
    lastStatus = line
    sd_notify(0, "STATUS=\(line)")
  }

  /// The sockets that the service manager passes. Throws if one is not a listening Unix socket.
  static func sockets(of type: __socket_type = SOCK_STREAM) throws(SystemError) -> [Int32] {
    let count = sd_listen_fds(1)
    guard count >= 0 else {
      throw SystemError("LISTEN_FDS", "cannot be understood", code: -count)
    }
    // SD_LISTEN_FDS_START
    let descriptors = Array(3..<(3 + count))
    for descriptor in descriptors
    where sd_is_socket(descriptor, AF_UNIX, Int32(type.rawValue), 1) <= 0 {
      throw SystemError(
        "socket activation", "descriptor \(descriptor) is not a Unix socket that listens",
        advice:
          "glissd.socket has a ListenStream=, glissd-programs.socket a ListenSequentialPacket=")
    }
    return descriptors
  }
}
