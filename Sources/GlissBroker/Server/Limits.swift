import GlissClient
public import GlissEvents

/// How much of the broker's resources one user may take.
public struct Limits: Hashable, Sendable {
  /// Connections of a uid at a time.
  public var connections = 32
  /// Connections of all sandboxed programs of a uid at a time. They do not count against
  /// ``connections``.
  public var sandboxConnections = 8
  /// Connections of a uid beyond ``connections``, only for calls that stop something: Revoke, Lock,
  /// Pause and the like.
  public var stoppingConnections = 8
  /// Connections whose confinement is not known yet, of a uid and of one process.
  public var arrivingConnections = 128
  public var arrivingConnectionsOfProcess = 32
  /// How long a process is kept out after a connection from its sandbox was refused.
  public var restAfterRefusal = EventInterval.milliseconds(1000)
  /// Connections of all users at a time: sixteen users at their limit.
  public var allConnections = 512
  /// How many of these are reserved for root and the user at the seat: uids are cheap when users
  /// own ranges of them.
  public var keptConnections = 128
  /// Bytes of a message to the broker.
  public var messageBytes = MessageFramer.longestCall
  /// How deep a message may be nested.
  public var depth = 16
  /// Values in a message: half a millisecond of parsing at worst.
  public var values = 1024
  /// Bytes of unread answers for a client. A single answer may be longer if none waits.
  public var answerBytes = 262_144
  /// Bytes of unread events for a client: a second or two of the most that a touchpad produces.
  public var eventBytes = 262_144
  /// Pending requests of a uid, and how many of these may come from sandboxed programs.
  public var pendingRequests = 8
  public var sandboxPendingRequests = 2
  /// Pending requests of all users, and how many of these are reserved for root and the user at the
  /// seat.
  public var allPendingRequests = 256
  public var keptPendingRequests = 64
  /// The time between two questions to a user, whatever the answer was.
  public var restAfterQuestion = EventInterval.milliseconds(60_000)
  /// The time from connecting to the first complete message, and from the start of any other
  /// message to its end.
  public var firstMessage = EventInterval.milliseconds(5000)
  /// How long a client may take no byte of the data waiting for it.
  public var stalled = EventInterval.milliseconds(30_000)
  /// How long a connection that is closing may take to read pending data.
  public var closing = EventInterval.milliseconds(1000)
  /// Hotkeys of a uid.
  public var hotkeys = 256
  /// How many of these all sandboxed programs of a uid may have together; the rest is for its other
  /// programs.
  public var sandboxHotkeys = 64
  /// Hotkeys of all users, and how many of these are reserved for root and the user at the seat.
  public var allHotkeys = 2048
  public var keptHotkeys = 512
  /// The time between two holds of secure input by sandboxes: each hold releases the user's held
  /// hotkeys.
  public var restOfSandboxedSecrets = EventInterval.milliseconds(2000)
  /// Chords in one call.
  public var chords = 64

  public init() {}
}
