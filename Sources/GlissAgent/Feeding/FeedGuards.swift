import GlissBroker
import GlissDevices
import GlissEvents

/// Whether rules may act now, and whether keys may be kept from the desktop. Neither is allowed
/// while the screen is locked, another user's session is active, or the machine sleeps.
///
/// If logind runs, it is asked. Until it answers, and while no session is active (as on a machine
/// without a screen), rules act but no keys are kept from the desktop. Without logind there is no
/// such information: rules act and keys may be kept.
final class SeatGuard {
  /// Called when ``mayConsume``, ``rest``, ``problem`` or ``deadline`` may have changed.
  var didChange: (() -> Void)?
  private(set) var mayConsume: Bool
  /// Why rules do not act; `nil` if they do.
  var rest: Rest? { problem == nil ? observed.flatMap { Self.rest($0, of: user) } : nil }
  /// Why the state of the seat is unknown.
  private(set) var problem: String?

  private let watch: SeatWatch
  private let user: UInt32
  private var observed: SeatObservation?

  enum Rest: String {
    case locked = "the screen is locked"
    case asleep = "the machine is asleep"
    case elsewhere = "another user's session is active"
  }

  init(_ rule: SeatWatch.Rule, user: UInt32) {
    watch = SeatWatch(rule)
    self.user = user
    mayConsume = rule == .none
    watch.didChange = { [unowned self] in
      observed = $0
      mayConsume = Self.mayConsume($0, of: user)
      didChange?()
    }
    watch.didFail = { [unowned self] reason in
      problem = reason
      didChange?()
    }
    watch.didChangeDeadline = { [unowned self] in didChange?() }
  }

  /// Starts watching.
  func start(on loop: EventLoop) throws(DeviceError) { try watch.start(on: loop) }

  var deadline: EventTime? { watch.deadline }
  func advance(to time: EventTime) { watch.advance(to: time) }

  /// Root may consume keys in every session.
  static func mayConsume(_ seat: SeatObservation, of user: UInt32) -> Bool {
    !seat.isLocked && !seat.isAsleep && (user == 0 || seat.activeUser == user)
  }

  /// Root's rules apply to the whole machine, so they always act.
  static func rest(_ seat: SeatObservation, of user: UInt32) -> Rest? {
    if user == 0 { return nil }
    if let active = seat.activeUser, active != user { return .elsewhere }
    return seat.isAsleep ? .asleep : seat.isLocked ? .locked : nil
  }
}

/// The current state of grabs on keyboards whose hotkeys are to be consumed.
struct GrabNotes {
  private enum Note {
    case grabbed(name: String)
    case problem(String)
  }

  /// By the keyboard's device node.
  private var notes: [String: Note] = [:]
  /// What applies to all keyboards: the panic chord, or a stall.
  private var general: String?

  /// The command that restores the grabs.
  private static let command = "gliss reload"

  mutating func note(_ news: GrabNews) {
    switch news {
    case .grabbed(let path, let name):
      notes[path] = .grabbed(name: name)
      general = nil
    case .givenBack(let path): notes[path] = nil
    case .taken(let path, _, _), .failed(let path, _, _):
      notes[path] = .problem(news.sentence(resumedBy: Self.command))
    case .panic, .stall: general = news.sentence(resumedBy: Self.command)
    }
  }

  /// All grabs are attempted again.
  mutating func resume() {
    general = nil
    notes = notes.filter { _, note in
      switch note {
      case .grabbed: true
      case .problem: false
      }
    }
  }

  /// The device is gone.
  mutating func forget(_ path: String) { notes[path] = nil }

  /// `NAME (PATH)` of the grabbed keyboards.
  var grabbed: [String] {
    notes.compactMap { path, note in
      switch note {
      case .grabbed(let name): "\(name) (\(path))"
      case .problem: nil
      }
    }.sorted()
  }

  /// Why hotkeys that should be consumed are not.
  var problems: [String] {
    let own = notes.values.compactMap { note in
      switch note {
      case .grabbed: nil as String?
      case .problem(let text): text
      }
    }
    return (general.map { [$0] } ?? []) + own.sorted()
  }
}
