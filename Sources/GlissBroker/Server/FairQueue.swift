/// What waits for its turn. Each user that has something waiting gets one turn in every round, and so does each process
/// within its user's turns; what a process has waiting keeps its order.
struct FairQueue<Element> {
  private struct User {
    var lines: [Int32: RunQueue<Element>] = [:]
    var round = RunQueue<Int32>()
  }

  private var users: [UInt32: User] = [:]
  private var round = RunQueue<UInt32>()

  var isEmpty: Bool { round.isEmpty }

  mutating func append(_ element: Element, uid: UInt32, pid: Int32) {
    if users[uid] == nil { round.append(uid) }
    var user = users.removeValue(forKey: uid) ?? User()
    if user.lines[pid] == nil { user.round.append(pid) }
    user.lines[pid, default: RunQueue()].append(element)
    users[uid] = user
  }

  /// Takes out what a process has waiting, as far as `isOver` says so.
  mutating func removeAll(uid: UInt32, pid: Int32, where isOver: (Element) -> Bool) {
    // an empty line goes when its turn comes
    users[uid]?.lines[pid]?.removeAll(where: isOver)
  }

  mutating func popFirst() -> Element? {
    while !isEmpty {
      if let element = next() { return element }
    }
    return nil
  }

  private mutating func next() -> Element? {
    guard let uid = round.popFirst(), var user = users.removeValue(forKey: uid),
      let pid = user.round.popFirst(), var line = user.lines.removeValue(forKey: pid)
    else { return nil }
    let element = line.popFirst()
    if !line.isEmpty {
      user.lines[pid] = line
      user.round.append(pid)
    }
    if !user.round.isEmpty {
      users[uid] = user
      round.append(uid)
    }
    return element
  }
}

/// Connections that wait for their turn: those of root and of the user at the seat first, the others while they may.
struct Turns {
  private var favored = FairQueue<Connection>()
  private var others = FairQueue<Connection>()

  /// - Parameter others: whether they may have a turn.
  func isEmpty(others mayServe: Bool) -> Bool {
    favored.isEmpty && (others.isEmpty || !mayServe)
  }

  mutating func append(_ connection: Connection, isFavored: Bool) {
    let peer = connection.peer
    if isFavored {
      favored.append(connection, uid: peer.uid, pid: peer.pid)
    } else {
      others.append(connection, uid: peer.uid, pid: peer.pid)
    }
  }

  /// One that has ended leaves nothing behind, even if it comes and goes faster than turns come.
  mutating func remove(_ connection: Connection) {
    let peer = connection.peer
    favored.removeAll(uid: peer.uid, pid: peer.pid) { $0 === connection }
    others.removeAll(uid: peer.uid, pid: peer.pid) { $0 === connection }
  }

  /// - Parameter others: whether they may have a turn.
  mutating func popFirst(others mayServe: Bool) -> Connection? {
    favored.popFirst() ?? (mayServe ? others.popFirst() : nil)
  }
}
