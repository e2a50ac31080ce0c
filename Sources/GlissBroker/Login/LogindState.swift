/// What logind has said of a seat and of the session that is active there, as far as it has said it.
///
/// What is heard and what is asked cross: an answer counts only for the session that is active when it comes.
struct LogindState: Equatable {
  /// What must be asked next.
  enum Question: Hashable {
    case seat
    /// The session at that object's path.
    case session(path: String)
  }

  /// How much is known of the session that is active.
  private enum Session: Equatable {
    /// logind has not said which, or has said that there is none.
    case none
    /// It was named, and nothing else is known.
    case named(name: String, path: String)
    case known(name: String, path: String, user: UInt32, isActive: Bool, isLocked: Bool)
  }

  private var session = Session.none
  private var isAsleep = false

  /// What the gate may go by: nobody, as long as not all of it is known.
  var observation: SeatObservation {
    var observation = SeatObservation()
    if case .known(let name, _, let user, true, let isLocked) = session {
      observation = SeatObservation(activeUser: user, session: name)
      observation.isLocked = isLocked
    }
    observation.isAsleep = isAsleep
    return observation
  }

  /// The path of the active session's object.
  var sessionPath: String? {
    switch session {
    case .none: nil
    case .named(_, let path), .known(_, let path, _, _, _): path
    }
  }

  /// The seat's active session is this one; logind says so with an empty name where it has none.
  mutating func seatHas(session name: String, path: String) -> Question? {
    if name.isEmpty {
      session = .none
      return nil
    }
    if path != sessionPath { session = .named(name: name, path: path) }
    return .session(path: path)
  }

  /// The answer to a question for a session; what is missing in it is not known.
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

  /// Something of the session at that path has changed: `nil` for what has not.
  mutating func sessionChanged(_ path: String, isActive: Bool?, isLocked: Bool?) -> Question? {
    guard path == sessionPath else { return nil }
    if case .known(let name, let mine, let user, let wasActive, let wasLocked) = session {
      session = .known(
        name: name, path: mine, user: user, isActive: isActive ?? wasActive,
        isLocked: isLocked ?? wasLocked)
      return nil
    }
    // the answer that is under way may have been given before this
    return .session(path: path)
  }

  mutating func sleepIs(_ isAsleep: Bool) { self.isAsleep = isAsleep }

  /// Nothing of what was said holds any more, but for sleep: a machine that sleeps does so without logind, too.
  mutating func forget() { session = .none }
}
