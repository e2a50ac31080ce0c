import GlissBroker
import GlissDevices
import GlissEvents

/// Whether rules may act now, and whether keys may be kept from the desktop. Neither is allowed
/// while the screen is locked, another user's session is active, or the machine sleeps.
///
/// If logind runs, it is asked. Until it answers, and while no session is active (as on a machine
/// without a screen), rules act but no keys are kept from the desktop. Without logind there is no
/// such information: rules act and keys may be kept.
struct SeatState {
  let user: UInt32
  /// There is no logind.
  let isUnknown: Bool
  var observed: SeatObservation?
  /// Why logind does not say.
  var problem: String?

  enum Pause: String {
    case locked = "the screen is locked"
    case asleep = "the machine is asleep"
    case elsewhere = "another user's session is active"
  }

  var mayConsume: Bool { observed.map { Self.mayConsume($0, of: user) } ?? isUnknown }
  /// Why rules do not act; `nil` if they do.
  var pause: Pause? { problem == nil ? observed.flatMap { Self.pause($0, of: user) } : nil }

  /// Root may consume keys in every session.
  static func mayConsume(_ seat: SeatObservation, of user: UInt32) -> Bool {
    !seat.isLocked && !seat.isAsleep && (user == 0 || seat.activeUser == user)
  }

  /// Root's rules apply to the whole machine, so they always act.
  static func pause(_ seat: SeatObservation, of user: UInt32) -> Pause? {
    if user == 0 { return nil }
    if let active = seat.activeUser, active != user { return .elsewhere }
    return seat.isAsleep ? .asleep : seat.isLocked ? .locked : nil
  }
}

/// The current state of grabs on keyboards whose hotkeys are to be consumed.
struct GrabNotes {
  /// By the keyboard's device node: the names of those that are grabbed.
  private var names: [String: String] = [:]
  /// By the keyboard's device node: why it is not grabbed.
  private var failures: [String: String] = [:]
  /// What applies to all keyboards: the panic chord, or a stall.
  private var general: String?

  mutating func note(_ news: GrabChange) {
    // the command restores the grabs
    let sentence = news.sentence(resumedBy: "gliss reload")
    switch news {
    case .grabbed(let path, let name):
      forget(path)
      names[path] = name
      general = nil
    case .givenBack(let path): forget(path)
    case .taken(let path, _, _), .failed(let path, _, _):
      forget(path)
      failures[path] = sentence
    case .panic, .stall: general = sentence
    }
  }

  /// All grabs are attempted again.
  mutating func resume() { (general, failures) = (nil, [:]) }

  /// The device is gone.
  mutating func forget(_ path: String) { (names[path], failures[path]) = (nil, nil) }

  /// `NAME (PATH)` of the grabbed keyboards.
  var grabbed: [String] { names.map { "\($1) (\($0))" }.sorted() }

  /// Why hotkeys that should be consumed are not.
  var problems: [String] { [general].compactMap(\.self) + failures.values.sorted() }
}
