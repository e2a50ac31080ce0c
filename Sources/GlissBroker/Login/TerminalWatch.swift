import CLinux
import Glibc
import GlissDevices

/// Finds the user of the active virtual terminal on machines without logind. The kernel says which
/// terminal it is, and the terminal's owner is the user. Both report changes.
final class TerminalWatch {
  var didChange: ((SeatObservation) -> Void)?

  private let states: String
  private let devices: String
  private var loop: EventLoop?
  private var active: Int32 = -1
  private var changes: Int32 = -1
  private var watched: (name: String, number: Int32)?

  init(states: String, devices: String) {
    self.states = states
    self.devices = devices
  }

  deinit {
    for descriptor in [active, changes] where descriptor >= 0 {
      loop?.unwatch(descriptor)
      close(descriptor)
    }
  }

  func start(on loop: EventLoop) throws(DeviceError) {
    self.loop = loop
    active = open("\(states)/active", O_RDONLY | O_CLOEXEC)
    // on a machine without virtual terminals nobody is at the seat
    guard active >= 0 else { return }
    changes = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard changes >= 0 else {
      throw DeviceError("inotify", "cannot watch terminals", code: errno)
    }
    try loop.watch(changes) { [unowned self] in
      drain()
      look()
    }
    do {
      try loop.watch(active, for: .urgent) { [unowned self] in look() }
    } catch  where error.code == EPERM {
      // not a file of /sys but a test's, whose changes are reported like those of terminals
      _ = inotify_add_watch(changes, "\(states)/active", UInt32(IN_MODIFY))
    }
    look()
  }

  private func drain() {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(changes, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  private func look() {
    didChange?(observation)
  }

  private var observation: SeatObservation {
    guard let name = terminal else { return SeatObservation() }
    let path = "\(devices)/\(name)"
    if watched?.name != name {
      if let watched { inotify_rm_watch(changes, watched.number) }
      // watch before reading, so that no change in between is missed
      watched = (name, inotify_add_watch(changes, path, UInt32(IN_ATTRIB)))
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != 0 else { return SeatObservation() }
    return SeatObservation(activeUser: status.st_uid, session: "\(name) of \(status.st_uid)")
  }

  /// The name of the active terminal; `nil` for a console elsewhere.
  private var terminal: String? {
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      let count = pread(active, buffer.baseAddress, buffer.count, 0)
      return String(decoding: buffer.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self)
    }
    guard text.hasPrefix("tty"), text.utf8.count > 3,
      text.utf8.dropFirst(3).allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return text
  }
}
