/// Requests that wait for an answer, in memory. A client that is gone can ask again.
struct PendingRequests {
  /// The limit for one uid.
  static let limitPerUser = 8
  /// The limit for all uids together: uids are cheap when users own ranges of them.
  static let limit = 256

  private(set) var waiting: [Gate.Pending] = []
  private var lastNumber: Int64 = 0

  /// Adds a request. A repeated one keeps its number, even from another process, and then belongs
  /// to that process.
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
