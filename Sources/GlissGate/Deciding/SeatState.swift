/// What holds for the seat at an instant, beside the grants.
public struct SeatState: Hashable, Sendable {
  /// The user whose session is active; `nil` where nobody's is, or it is not known.
  public var activeUser: UInt32?
  /// The name of that session.
  public var session: String?
  /// The screen is locked.
  public var isLocked = false
  /// It has been unlocked since this session began.
  public var wasUnlocked = true
  /// The machine sleeps, or is about to.
  public var isAsleep = false
  /// The active user has paused everything.
  public var isPaused = false
  /// Somebody types a secret.
  public var isInputSecure = false

  public init(activeUser: UInt32? = nil, session: String? = nil) {
    self.activeUser = activeUser
    self.session = session
  }

  /// Whether `uid` is told of hotkeys now.
  ///
  /// - Parameter couldType: whether it needed a grant. A secret that is typed stops these, as it stops raw keys; chords
  ///   that nobody types with go on.
  public func tellsHotkeys(of uid: UInt32, couldType: Bool) -> Bool {
    uid == activeUser && !isLocked && !isAsleep && !isPaused && !(couldType && isInputSecure)
  }
}
