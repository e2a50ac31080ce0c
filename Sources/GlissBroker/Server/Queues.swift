/// Connections and channels that wait for the server.
struct Queues {
  /// Connections that sent something and are not favored. Reading is work, too.
  var reading = FairQueue<Connection>()
  /// Connections that sent a call, or whose call can be answered now.
  var speaking = Turns<Connection>()
  /// Connections with data of their own to be sent.
  var sending = Turns<Connection>()
  /// Channels with messages for their followers.
  var channels = RunQueue<Channel>()

  /// Whether no connection waits, or only others that may not have a turn.
  func isIdle(others mayServe: Bool) -> Bool {
    (reading.isEmpty || !mayServe) && speaking.isEmpty(others: mayServe)
      && sending.isEmpty(others: mayServe)
  }

  /// Removes a connection that has ended, so that connections that come and go faster than their
  /// turns leave nothing behind.
  mutating func remove(_ connection: Connection) {
    let peer = connection.peer
    reading.removeAll(uid: peer.uid, pid: peer.pid) { $0 === connection }
    speaking.removeAll(uid: peer.uid, pid: peer.pid) { $0 === connection }
    sending.removeAll(uid: peer.uid, pid: peer.pid) { $0 === connection }
  }
}

extension FairQueue<Connection> {
  mutating func append(_ connection: Connection) {
    append(connection, uid: connection.peer.uid, pid: connection.peer.pid)
  }
}

extension Turns<Connection> {
  mutating func append(_ connection: Connection, isFavored: Bool) {
    append(
      connection, uid: connection.peer.uid, pid: connection.peer.pid, isFavored: isFavored)
  }
}
