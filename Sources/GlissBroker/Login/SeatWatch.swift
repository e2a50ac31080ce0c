public import GlissDevices
public import GlissEvents

/// Whose session has the seat, and whether it is locked: what logind says, told as it changes.
public struct SeatObservation: Hashable, Sendable {
  /// The user of the active session; `nil` where there is none.
  public var activeUser: UInt32?
  /// The session's name.
  public var session: String?
  public var isLocked = false
  /// The machine is about to sleep, or has not said that it woke.
  public var isAsleep = false

  public init(activeUser: UInt32? = nil, session: String? = nil) {
    self.activeUser = activeUser
    self.session = session
  }
}

/// Follows ``SeatObservation`` without polling.
///
/// Where logind runs it is asked, and it alone: what it has not said yet, or cannot be asked for, is that nobody's
/// session is active. Where there is none, as on systems without systemd or elogind, one of two rules holds:
/// * the user is named (`glissd --user`): the seat is that user's, always;
/// * else it is the user who has the active virtual terminal (`/dev/ttyN`), as `login` and display managers hand it
///   over; a terminal that is root's, as one that asks for a name is, is nobody's.
///
/// Neither knows of locked screens or of sleep: a locker says so through `gliss lock`.
public final class SeatWatch: Timed {
  /// Who is asked.
  public enum Rule: Hashable, Sendable {
    /// logind, on the bus at that address; `nil` for the system's.
    case logind(busAddress: String?)
    case user(UInt32)
    /// The user who has the active virtual terminal; below these folders, which are `/sys/class/tty/tty0` and `/dev`.
    case virtualTerminal(states: String, devices: String)
    /// Nobody: nobody's session is active.
    case none

    /// The machine's own terminals.
    public static let terminals = Rule.virtualTerminal(
      states: "/sys/class/tty/tty0", devices: "/dev")
  }

  public let rule: Rule
  public private(set) var observation = SeatObservation()
  /// Called whenever it has changed.
  public var didChange: ((SeatObservation) -> Void)?
  /// Called with the name of each session that has ended.
  public var sessionEnded: ((String) -> Void)?
  /// Called where it cannot be told who is there, with the reason; and with `nil` where it can again.
  public var didFail: ((String?) -> Void)?
  /// Called when ``deadline`` may be another.
  public var didChangeDeadline: (() -> Void)?

  private var logind: LogindWatch?
  private var terminal: TerminalWatch?
  private let seat: String

  public init(_ rule: Rule = .none, seat: String = "seat0") {
    self.rule = rule
    self.seat = seat
  }

  /// Begins to watch, on `loop`; ``didChange`` comes as soon as something is known.
  ///
  /// - Throws: where the loop cannot wait for anything.
  public func start(on loop: EventLoop) throws(DeviceError) {
    switch rule {
    case .none: break
    case .user(let user): observe(SeatObservation(activeUser: user, session: "uid \(user)"))
    case .logind(let address):
      let watch = LogindWatch(loop, address: address, seat: seat)
      watch.didChange = { [unowned self] in observe($0) }
      watch.sessionEnded = { [unowned self] in sessionEnded?($0) }
      watch.didFail = { [unowned self] in didFail?($0) }
      watch.didChangeDeadline = { [unowned self] in didChangeDeadline?() }
      logind = watch
      watch.start()
    case .virtualTerminal(let states, let devices):
      let watch = TerminalWatch(states: states, devices: devices)
      watch.didChange = { [unowned self] in observe($0) }
      terminal = watch
      try watch.start(on: loop)
    }
  }

  /// When ``advance(to:)`` must be called if nothing comes before.
  public var deadline: EventTime? { logind?.deadline }

  public func advance(to time: EventTime) { logind?.advance(to: time) }

  private func observe(_ new: SeatObservation) {
    guard new != observation else { return }
    let old = observation
    observation = new
    didChange?(new)
    // without logind nobody says that a session has ended: the terminal's next user is another one's
    guard let name = old.session, name != new.session else { return }
    switch rule {
    case .virtualTerminal: sessionEnded?(name)
    case .logind, .user, .none: break
    }
  }
}
