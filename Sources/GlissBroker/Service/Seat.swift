import GlissEvents
import GlissGate

extension SessionState {
  /// The state in which clients of `uid` are served.
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
  var observation = SeatObservation()
  var paused: Set<UInt32> = []
  /// Lockers that keep the screen locked, as `gliss lock` does: their users by connection.
  var locks: [UInt64: UInt32] = [:]
  var secureInput = SecureInputMachine()
  /// Sessions that have been unlocked at least once.
  private var unlocked: Set<String> = []

  var state: SeatState {
    var state = SeatState(activeUser: observation.activeUser, session: observation.session)
    state.isAsleep = observation.isAsleep
    guard let user = observation.activeUser else { return state }
    state.isLocked = observation.isLocked || locks.values.contains(user)
    state.isPaused = paused.contains(user)
    state.isInputSecure = secureInput.isHeld(of: user)
    state.wasUnlocked = observation.session.map { unlocked.contains($0) } ?? !state.isLocked
    return state
  }

  /// Takes in what logind reports. Returns the holds of secure input that this ends.
  mutating func observe(_ new: SeatObservation, at time: EventTime) -> [SecureInputMachine.End] {
    observation = new
    if let session = new.session, let user = new.activeUser, !new.isLocked,
      !locks.values.contains(user)
    {
      unlocked.insert(session)
    }
    return secureInput.seatChanged(to: new.activeUser, at: time)
  }

  mutating func forget(session: String) { unlocked.remove(session) }
}
