/// Lockers that keep the screen marked as locked while they run, as `gliss lock` does.
public struct LockHolds: Hashable, Sendable {
  private var holders: [UInt32: Set<UInt64>] = [:]

  public init() {}

  public func isLocked(_ uid: UInt32) -> Bool { holders[uid] != nil }

  public mutating func hold(_ connection: UInt64, of uid: UInt32) {
    holders[uid, default: []].insert(connection)
  }

  public mutating func release(_ connection: UInt64, of uid: UInt32) {
    holders[uid]?.remove(connection)
    if holders[uid]?.isEmpty == true { holders[uid] = nil }
  }
}
