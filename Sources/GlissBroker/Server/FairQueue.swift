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
