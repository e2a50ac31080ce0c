/// Who waits for the server to do something.
struct Queues {
  /// Those who sent something and do not go first: reading it is work, too.
  var reading = FairQueue<Connection>()
  /// Those who sent a call, and those whose call can be answered now.
  var speaking = Turns<Connection>()
  /// Those who are to be sent something of their own.
  var sending = Turns<Connection>()
  /// What has something for all who follow it.
  var channels = RunQueue<Channel>()

  /// Whether no connection waits, or only others do who may have no turn.
  func isIdle(others mayServe: Bool) -> Bool {
    (reading.isEmpty || !mayServe) && speaking.isEmpty(others: mayServe)
      && sending.isEmpty(others: mayServe)
  }

  /// One that has ended leaves nothing behind, even if it comes and goes faster than turns come.
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
