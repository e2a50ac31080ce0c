/// One element of a stream of events from another process, as the event schema has them.
public enum GlobalEvent: Sendable {
  /// An event of a device, and the device's name.
  case input(InputEvent, device: String)
  /// The seat's state changed, so that more or less is told from now on.
  case session(SessionState, at: EventTime)
  /// So many messages were left out here, because this end did not read in time. Events that the kernel has dropped are
  /// input: ``InputEvent/lost(_:)``.
  case lost(Int64)
}

/// What holds for the seat that input comes from.
public enum SessionState: String, Hashable, Sendable, CaseIterable {
  /// Everything that is granted is told.
  case active
  /// Another user's session is in front.
  case inactive
  /// The screen is locked.
  case locked
  /// The machine sleeps.
  case asleep
  /// The user has paused everything.
  case paused
  /// Somebody types a secret: no keys are told.
  case secureInput
  /// The grant was taken away: the stream ends.
  case revoked
}
