import GlissGate

/// Answers the calls of clients.
protocol ServerDelegate: AnyObject {
  /// A client has sent a complete, well-formed call. Its next call comes only after this one got
  /// its last answer. This also applies to oneway calls, whose answer is not sent, so that a
  /// decision about one call cannot collide with the client's next.
  func answer(_ call: VarlinkCall, from connection: Connection)
  /// Whether the call only ends or prevents something. There is always room for such calls.
  func stops(_ call: VarlinkCall) -> Bool
  /// The connection is gone. Nothing more can be sent.
  func connectionEnded(_ connection: Connection)
  /// A connection was refused or was ended for its behavior. For the audit.
  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String)
}
