/// One element of an event stream from another process, as defined by the event schema.
public enum GlobalEvent: Sendable {
  /// An event of a device, and the device's name.
  case input(InputEvent, device: String)
  /// The seat's state changed, so that from now on more or fewer events are reported.
  case session(SessionState, at: EventTime)
  /// The number of messages skipped here because this end did not read in time. Events that the
  /// kernel has dropped are input: ``InputEvent/lost(_:)``.
  case lost(Int64)
}

/// The state of the seat that the input comes from.
public enum SessionState: String, Hashable, Sendable, CaseIterable {
  /// Everything that is granted is reported.
  case active
  /// Another user's session is in the foreground.
  case inactive
  /// The screen is locked.
  case locked
  /// The machine sleeps.
  case asleep
  /// The user has paused everything.
  case paused
  /// The user is typing a secret: no keys are reported.
  case secureInput
  /// The grant was revoked: the stream ends.
  case revoked
}
