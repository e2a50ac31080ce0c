/// Requests that wait for somebody's answer, in memory: whoever asked and is gone may ask again.
struct PendingRequests {
  /// So many of one uid.
  static let limitPerUser = 8
  /// So many of all: uids are cheap where users may have ranges of them.
  static let limit = 256

  private(set) var waiting: [Gate.Pending] = []
  private var lastNumber: Int64 = 0

  /// The same one again, by another process even, keeps its number, and is then that process's.
  mutating func add(_ ask: Ask, reason: String?, at now: WallTime) throws(GateError) -> Int64 {
    if let index = waiting.firstIndex(where: { $0.ask.isSame(as: ask) }) {
      waiting[index].ask.identity = ask.identity
      return waiting[index].number
    }
    let ofUser = waiting.count { $0.ask.identity.uid == ask.identity.uid }
    guard ofUser < Self.limitPerUser, waiting.count < Self.limit else {
      throw GateError(
        .limit, "request", "too many are waiting for an answer",
        advice: "answer them: gliss grants list")
    }
    lastNumber += 1
    waiting.append(Gate.Pending(number: lastNumber, ask: ask, reason: reason, since: now))
    return lastNumber
  }

  subscript(_ number: Int64) -> Gate.Pending? { waiting.first { $0.number == number } }

  mutating func remove(_ number: Int64) { waiting.removeAll { $0.number == number } }

  mutating func removeAll() { waiting.removeAll() }
}

extension Ask {
  fileprivate func isSame(as other: Ask) -> Bool {
    identity.uid == other.identity.uid && identity.client == other.identity.client
      && scope == other.scope
  }
}
