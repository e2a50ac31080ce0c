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

/// Those who wait for their turn: root and the user at the seat first, the others while they may.
struct Turns<Element> {
  /// So many favored turns come in a row while others wait, then one of theirs: they have one turn out of as many as their
  /// part of the time (``Allowance/parts``).
  static var favoredInRow: Int64 { Allowance.parts - 1 }

  private var favored = FairQueue<Element>()
  private var others = FairQueue<Element>()
  /// How many favored turns the others have waited for.
  private var passed: Int64 = 0

  /// - Parameter others: whether they may have a turn.
  func isEmpty(others mayServe: Bool) -> Bool {
    favored.isEmpty && (others.isEmpty || !mayServe)
  }

  mutating func append(_ element: Element, uid: UInt32, pid: Int32, isFavored: Bool) {
    if isFavored {
      favored.append(element, uid: uid, pid: pid)
    } else {
      others.append(element, uid: uid, pid: pid)
    }
  }

  /// Takes out what a process has waiting, as far as `isOver` says so.
  mutating func removeAll(uid: UInt32, pid: Int32, where isOver: (Element) -> Bool) {
    favored.removeAll(uid: uid, pid: pid, where: isOver)
    others.removeAll(uid: uid, pid: pid, where: isOver)
  }

  /// - Parameter others: whether they may have a turn.
  mutating func popFirst(others mayServe: Bool) -> Element? {
    if passed < Self.favoredInRow || !mayServe, let next = favored.popFirst() {
      passed = others.isEmpty ? 0 : passed + 1
      return next
    }
    guard mayServe else { return nil }
    passed = 0
    return others.popFirst() ?? favored.popFirst()
  }
}
