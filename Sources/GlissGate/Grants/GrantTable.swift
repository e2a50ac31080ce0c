/// All grants in memory, for verdicts.
struct GrantTable {
  private let here: Machine
  private var records: [GrantID: GrantRecord] = [:]
  private var ids: [GrantKey: GrantID] = [:]
  /// The grants that count on this computer, by uid, oldest first.
  private var counting: [UInt32: [Grant]] = [:]
  /// The earliest expiry date.
  private(set) var nextExpiry: WallTime?

  init(_ records: [GrantRecord] = [], on here: Machine) {
    self.here = here
    for record in records { put(record) }
  }

  subscript(_ id: GrantID) -> GrantRecord? { records[id] }

  var count: Int { records.count }

  /// All grants, oldest first.
  var all: [GrantRecord] { records.values.sorted { $0.grant.id < $1.grant.id } }

  /// The grants that a verdict for that user could rest on.
  func counting(for uid: UInt32) -> [Grant] { counting[uid] ?? [] }

  func id(of key: GrantKey) -> GrantID? { ids[key] }

  /// Adds a record, or replaces the one with the same number.
  mutating func put(_ record: GrantRecord) {
    remove(record.grant.id)
    records[record.grant.id] = record
    ids[record.key] = record.grant.id
    if let date = record.grant.terms.expiry.date { nextExpiry = min(date, nextExpiry ?? date) }
    guard record.counts(on: here) else { return }
    counting[record.grant.terms.uid, default: []].insert(inOrder: record.grant)
  }

  @discardableResult mutating func remove(_ id: GrantID) -> GrantRecord? {
    guard let record = records.removeValue(forKey: id) else { return nil }
    ids[record.key] = nil
    let uid = record.grant.terms.uid
    counting[uid]?.removeAll { $0.id == id }
    if counting[uid]?.isEmpty == true { counting[uid] = nil }
    if let date = record.grant.terms.expiry.date, date == nextExpiry {
      nextExpiry = records.values.lazy.compactMap(\.grant.terms.expiry.date).min()
    }
    return record
  }

  /// Notes a use. This changes no verdict.
  mutating func touch(_ id: GrantID, at now: WallTime) { records[id]?.grant.lastUsed = now }
}

extension Expiry {
  /// The date when it ends; `nil` if it does not end on a date.
  var date: WallTime? {
    if case .at(let time) = self { time } else { nil }
  }
}

extension Gate.Query {
  func matches(_ grant: Grant) -> Bool {
    (id == nil || id == grant.id) && (uid == nil || uid == grant.terms.uid)
      && (client == nil || client == grant.terms.client)
      && (group == nil || group == grant.terms.group)
      && (tier == nil || tier == grant.terms.scope.tier)
  }
}

extension [Grant] {
  /// Searches from the end, because a new grant is usually the newest.
  fileprivate mutating func insert(inOrder grant: Grant) {
    let place = lastIndex { $0.id < grant.id }.map { $0 + 1 } ?? 0
    insert(grant, at: place)
  }
}
