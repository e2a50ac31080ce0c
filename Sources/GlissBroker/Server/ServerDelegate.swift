import GlissGate

/// Who answers the calls of clients.
protocol ServerDelegate: AnyObject {
  /// A client has sent a whole, well-formed call; no other comes from it until this one was answered with something that
  /// does not continue. So it is with oneway calls, too, whose answer is not sent: what is decided about one must not
  /// meet what the client does next.
  func answer(_ call: VarlinkCall, from connection: Connection)
  /// Whether the call only ends or hinders something: there is always room for such.
  func stops(_ call: VarlinkCall) -> Bool
  /// The connection is gone; nothing can be sent any more.
  func connectionEnded(_ connection: Connection)
  /// A connection was refused or ended for what it did: for the audit.
  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String)
}
