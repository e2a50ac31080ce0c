public import GlissEvents

/// What one user may take of the broker.
public struct Limits: Hashable, Sendable {
  /// Connections of a uid at a time.
  public var connections = 32
  /// Connections of all of a uid's sandboxed programs at a time, which do not count against ``connections``.
  public var sandboxConnections = 8
  /// Connections of a uid beyond ``connections``, only for what stops something: Revoke, Lock, Pause and the like.
  public var stoppingConnections = 8
  /// Connections of a uid, and of one process, of which it is not known yet what confines them.
  public var arrivingConnections = 128
  public var arrivingConnectionsOfProcess = 32
  /// After a sandbox's connection is refused, no other of its process is accepted for this long.
  public var restAfterRefusal = EventInterval.milliseconds(1000)
  /// Connections of all users at a time: sixteen that take all they may.
  public var allConnections = 512
  /// How many of these are kept for root and for who sits at the seat: uids are cheap where users have ranges of them.
  public var keptConnections = 128
  /// Bytes of a message to the broker.
  public var messageBytes = 65_536
  /// How deep a message may be nested.
  public var depth = 16
  /// How many values may be in a message: half a millisecond of reading, at worst.
  public var values = 1024
  /// Bytes of answers that may wait for a client to read them; one answer may be longer where none waits.
  public var waitingBytes = 262_144
  /// Requests of a uid that wait for an answer, and how many of these sandboxed programs may have.
  public var pendingRequests = 8
  public var sandboxPendingRequests = 2
  /// Requests of all users that wait; how many of these are kept for root and for who sits at the seat.
  public var allPendingRequests = 256
  public var keptPendingRequests = 64
  /// The time between one question to a user and the next, whatever the answer was.
  public var restAfterQuestion = EventInterval.milliseconds(60_000)
  /// From the connection to its first whole message, and from the beginning of any other to its end.
  public var firstMessage = EventInterval.milliseconds(5000)
  /// How long a client may take no byte of what waits for it.
  public var stalled = EventInterval.milliseconds(30_000)
  /// How long a connection that is to be closed may take what was sent before.
  public var closing = EventInterval.milliseconds(1000)
  /// Hotkeys of a uid.
  public var hotkeys = 256
  /// The most that all sandboxed programs of a uid may have of these together; the rest is for its other programs.
  public var sandboxHotkeys = 64
  /// Hotkeys of all users; how many of these are kept for root and for who sits at the seat.
  public var allHotkeys = 2048
  public var keptHotkeys = 512
  /// The time between one hold of secure input by a sandbox and the next: each hold releases the user's held hotkeys.
  public var restOfSandboxedSecrets = EventInterval.milliseconds(2000)
  /// Chords that one call may press.
  public var chords = 64

  public init() {}
}
