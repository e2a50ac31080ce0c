/// The state of the seat at one instant, apart from the grants.
public struct SeatState: Hashable, Sendable {
  /// The user whose session is active; `nil` if there is none or it is unknown.
  public var activeUser: UInt32?
  /// The name of the active session.
  public var session: String?
  /// The screen is locked.
  public var isLocked = false
  /// The screen has been unlocked since this session began.
  public var wasUnlocked = true
  /// The machine is asleep or about to sleep.
  public var isAsleep = false
  /// The active user has paused everything.
  public var isPaused = false
  /// A secret is being typed.
  public var isInputSecure = false

  public init(activeUser: UInt32? = nil, session: String? = nil) {
    self.activeUser = activeUser
    self.session = session
  }

  /// Whether hotkeys are reported to `uid` now.
  ///
  /// - Parameter couldType: whether the hotkey needed a grant. Secure input stops such hotkeys, as
  ///   it stops raw keys. Chords that cannot be typing continue.
  public func reportsHotkeys(of uid: UInt32, couldType: Bool) -> Bool {
    uid == activeUser && !isLocked && !isAsleep && !isPaused && !(couldType && isInputSecure)
  }
}
