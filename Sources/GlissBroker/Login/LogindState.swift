/// What logind has reported about a seat and its active session so far.
///
/// Signals and answers may cross. An answer counts only for the session that is active when it
/// comes.
struct LogindState: Equatable {
  /// The next question to ask.
  enum Question: Hashable {
    case seat
    /// The session with that object path.
    case session(path: String)
  }

  /// How much is known about the active session.
  private enum Session: Equatable {
    /// logind has not named one, or has said that there is none.
    case none
    /// It was named, but nothing else is known.
    case named(name: String, path: String)
    case known(name: String, path: String, user: UInt32, isActive: Bool, isLocked: Bool)
  }

  private var session = Session.none
  private var isAsleep = false

  /// What the gate may use. No user is active until everything is known.
  var observation: SeatObservation {
    var observation = SeatObservation()
    if case .known(let name, _, let user, true, let isLocked) = session {
      observation = SeatObservation(activeUser: user, session: name)
      observation.isLocked = isLocked
    }
    observation.isAsleep = isAsleep
    return observation
  }

  /// The object path of the active session.
  var sessionPath: String? {
    switch session {
    case .none: nil
    case .named(_, let path), .known(_, let path, _, _, _): path
    }
  }

  /// Sets the seat's active session. An empty name means that there is none.
  mutating func seatHas(session name: String, path: String) -> Question? {
    if name.isEmpty {
      session = .none
      return nil
    }
    if path != sessionPath { session = .named(name: name, path: path) }
    return .session(path: path)
  }

  /// Takes in the answer about a session. Missing values are unknown.
  mutating func sessionIs(
    _ path: String, user: UInt32?, isActive: Bool?, isLocked: Bool?
  ) {
    switch session {
    case .none: return
    case .named(let name, let mine), .known(let name, let mine, _, _, _):
      guard path == mine else { return }
      guard let user, let isActive, let isLocked else {
        session = .named(name: name, path: mine)
        return
      }
      session = .known(
        name: name, path: mine, user: user, isActive: isActive, isLocked: isLocked)
    }
  }

  /// Takes in a change of the session at that path. `nil` means unchanged.
  mutating func sessionChanged(_ path: String, isActive: Bool?, isLocked: Bool?) -> Question? {
    guard path == sessionPath else { return nil }
    if case .known(let name, let mine, let user, let wasActive, let wasLocked) = session {
      session = .known(
        name: name, path: mine, user: user, isActive: isActive ?? wasActive,
        isLocked: isLocked ?? wasLocked)
      return nil
    }
    // the pending answer may be older than this change
    return .session(path: path)
  }

  mutating func sleepIs(_ isAsleep: Bool) { self.isAsleep = isAsleep }

  /// Forgets everything except sleep, because a machine sleeps even without logind.
  mutating func forget() { session = .none }
}
