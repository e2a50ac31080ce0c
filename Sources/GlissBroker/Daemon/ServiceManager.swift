import CSystemd
import Glibc
import GlissDevices
package import GlissEvents

/// The service manager that started us, if any: `Type=notify`, its watchdog and its sockets.
package final class ServiceManager: Timed {
  /// Half of the watchdog's timeout; `nil` if there is none.
  private let interval: EventInterval?
  package private(set) var deadline: EventTime?
  private var lastStatus = ""

  /// - Parameter now: when the watchdog's time starts.
  package init(now: EventTime) {
    var allowed: UInt64 = 0
    if sd_watchdog_enabled(0, &allowed) > 0, allowed > 1 {
      let half = EventInterval(microseconds: Int64(clamping: allowed / 2))
      interval = half
      deadline = now + half
    } else {
      interval = nil
    }
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

  /// Sets the text that `systemctl status` shows.
  package func report(status: String) {
    let line = status.withoutControls
    guard line != lastStatus else { return }
    lastStatus = line
    sd_notify(0, "STATUS=\(line)")
  }

  /// The sockets that it passes; empty if it passes none.
  ///
  /// - Throws: if one of them is not a listening Unix socket.
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

  /// Whether logind runs here. If it does, it has at least one seat, and its files are below /run.
  package static var hasLogind: Bool { access("/run/systemd/seats", F_OK) == 0 }
}
