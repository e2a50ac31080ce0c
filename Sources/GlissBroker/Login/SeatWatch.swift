import CLinux
import CSystemd
import Glibc
package import GlissDevices
package import GlissEvents
package import GlissGate

/// Keeps a ``SeatState`` up to date without polling: whose session has the seat, whether it is
/// locked, and whether the machine sleeps. What else the state has is the broker's to know.
///
/// If logind runs, only logind is asked. Until it has answered, and if it cannot be asked, nobody's
/// session is active. Without logind, as on systems without systemd or elogind, one of two rules
/// applies:
/// - The user is given (`glissd --user`): the seat always belongs to that user.
/// - Otherwise the seat belongs to the owner of the active virtual terminal (`/dev/ttyN`), as
///   `login` and display managers set it. A terminal that root owns, such as one with a login
///   prompt, belongs to nobody.
///
/// Neither rule knows about locked screens or sleep. A locker reports a lock through `gliss lock`.
package final class SeatWatch: Timed {
  package enum Rule: Hashable, Sendable {
    /// logind, on the bus at that address; `nil` for the system bus.
    case logind(busAddress: String?)
    case user(UInt32)
    /// The active virtual terminal's owner. The folders are normally `/sys/class/tty/tty0` and
    /// `/dev`.
    case virtualTerminal(states: String, devices: String)
    case none

    package static let terminals = Rule.virtualTerminal(
      states: "/sys/class/tty/tty0", devices: "/dev")
  }

  package let rule: Rule
  package private(set) var observation = SeatState()
  package var didChange: ((SeatState) -> Void)?
  package var sessionEnded: ((String) -> Void)?
  /// Called with the reason why the user is unknown, and with `nil` once that works again.
  package var didFail: ((String?) -> Void)?
  package var didChangeDeadline: (() -> Void)?

  private var logind: LogindWatch?
  private var terminal: TerminalWatch?

  package init(_ rule: Rule = .none) { self.rule = rule }

  /// Starts to watch. ``didChange`` is called as soon as something is known.
  package func start(on loop: InputLoop) throws(SystemError) {
    switch rule {
    case .none: break
    case .user(let user): observe(SeatState(activeUser: user, session: "uid \(user)"))
    case .logind(let address):
      let watch = LogindWatch(loop, address: address, for: self)
      logind = watch
      watch.connect()
    case .virtualTerminal(let states, let devices):
      let watch = TerminalWatch(states: states, devices: devices)
      watch.didChange = { [unowned self] in observe($0) }
      terminal = watch
      try watch.start(on: loop)
    }
  }

  package var deadline: EventTime? { logind?.retry }

  package func advance(to time: EventTime) { logind?.advance(to: time) }

  func observe(_ new: SeatState) {
    guard new != observation else { return }
    let old = observation
    observation = new
    didChange?(new)
    // without logind, showing another terminal ends the session
    if case .virtualTerminal = rule, let name = old.session, name != new.session {
      sessionEnded?(name)
    }
  }
}

enum LoginSessions {
  /// Their names, from logind's files, without those that have logged out but whose processes still
  /// run; `nil` if they are unknown.
  static var names: Set<String>? {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_get_sessions(&list)
    guard count >= 0 else { return nil }
    guard let list else { return [] }
    defer { free(list) }
    var names: Set<String> = []
    for index in 0..<Int(count) {
      guard let name = list[index] else { continue }
      if state(of: name) != "closing" { names.insert(String(cString: name)) }
      free(name)
    }
    return names
  }

  private static func state(of session: UnsafePointer<CChar>) -> String? {
    var state: UnsafeMutablePointer<CChar>?
    guard sd_session_get_state(session, &state) >= 0, let state else { return nil }
    defer { free(state) }
    return String(cString: state)
  }
}

/// Finds the user of the active virtual terminal: the kernel says which terminal it is, and its
/// owner is the user. Both report changes.
final class TerminalWatch {
  var didChange: ((SeatState) -> Void)?

  private let states: String
  private let devices: String
  private var loop: InputLoop?
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

  func start(on loop: InputLoop) throws(SystemError) {
    self.loop = loop
    active = open("\(states)/active", O_RDONLY | O_CLOEXEC)
    // on a machine without virtual terminals nobody is at the seat
    guard active >= 0 else { return }
    changes = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard changes >= 0 else {
      throw SystemError("inotify", "cannot watch terminals", code: errno)
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

  private func look() { didChange?(observation) }

  private var observation: SeatState {
    guard let name = terminal else { return SeatState() }
    let path = "\(devices)/\(name)"
    if watched?.name != name {
      if let watched { inotify_rm_watch(changes, watched.number) }
      // watch before reading, so that no change in between is missed
      watched = (name, inotify_add_watch(changes, path, UInt32(IN_ATTRIB)))
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != 0 else { return SeatState() }
    return SeatState(activeUser: status.st_uid, session: "\(name) of \(status.st_uid)")
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

extension SessionState {
  init(of uid: UInt32, in seat: SeatState) {
    let reasons: [(isMet: Bool, state: SessionState)] = [
      (uid != seat.activeUser, .inactive), (seat.isAsleep, .asleep), (seat.isLocked, .locked),
      (seat.isPaused, .paused), (seat.isInputSecure, .secureInput),
    ]
    self = reasons.first(where: \.isMet)?.state ?? .active
  }

  /// What a client that is not served can do about it.
  var advice: String {
    switch self {
    case .active: ""
    case .inactive: "only the user whose session is on the screen is served"
    case .locked: "unlock the screen"
    case .asleep: "the machine sleeps"
    case .paused:
      "somebody has paused it: run 'gliss resume', which asks for your password, or 'sudo gliss resume'"
    case .secureInput: "a password is being typed: 'gliss status' names the program"
    case .revoked: "ask for it with Request"
    }
  }
}

/// What logind reports, what lockers and password prompts hold, and who has paused.
struct Seat {
  var observation = SeatState()
  var paused: Set<UInt32> = []
  /// Lockers that keep the screen locked, as `gliss lock` does: their users by connection.
  var locks: [UInt64: UInt32] = [:]
  var secureInput = SecureInputMachine()
  private var unlocked: Set<String> = []

  var state: SeatState {
    var state = observation
    guard let user = state.activeUser else { return state }
    state.isLocked = observation.isLocked || locks.values.contains(user)
    state.isPaused = paused.contains(user)
    state.isInputSecure = secureInput.isHeld(of: user)
    state.wasUnlocked = observation.session.map { unlocked.contains($0) } ?? !state.isLocked
    return state
  }

  /// Takes in what logind reports. Returns the holds of secure input that this ends.
  mutating func observe(_ new: SeatState, at time: EventTime) -> [SecureInputMachine.End] {
    observation = new
    noteUnlocked()
    return secureInput.seatChanged(to: new.activeUser, at: time)
  }

  mutating func unlock(_ connection: UInt64) {
    locks[connection] = nil
    noteUnlocked()
  }

  private mutating func noteUnlocked() {
    let state = state
    if let session = state.session, state.activeUser != nil, !state.isLocked {
      unlocked.insert(session)
    }
  }

  mutating func forget(session: String) { unlocked.remove(session) }
}
