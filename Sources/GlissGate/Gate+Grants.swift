extension Gate {
  /// The largest number of grants: all are kept in memory.
  static let capacity = 10_000

  /// - Throws: ``GateError/Problem/duplicate(_:)``, ``GateError/Problem/notGrantable``, or an error
  ///   if the store or the audit cannot be written. Nothing has changed then.
  package func add(_ terms: Grant.Terms, by decider: String, at now: WallTime) throws(GateError)
    -> Grant
  {
    let record = try newRecord(terms, by: decider, at: now)
    return try save(
      [record], isNew: true, as: terms.isAllowed ? .grant : .deny, by: decider, at: now)[0].grant
  }

  /// Writes grants with their audit entries. They count from now on.
  private func save(
    _ records: [GrantRecord], isNew: Bool = false, as action: AuditAction, by decider: String,
    at now: WallTime
  ) throws(GateError) -> [GrantRecord] {
    var records = records
    _ = try write(records.map { isNew ? .insert($0) : .replace($0) }) { ids in
      for (index, id) in ids.enumerated() { records[index].grant.id = id }
      return records.map { record in
        let changes = table[record.grant.id]?.grant.terms.changes(to: record.grant.terms) ?? []
        let detail = (["by \(decider)"] + changes).joined(separator: "; ")
        return entry(action, record.grant, detail, at: now)
      }
    }
    for record in records { table.put(record) }
    generation &+= 1
    withdrawDecided(at: now)
    return records
  }

  /// Throws what ``add(_:by:at:)`` would, so that nobody is asked for a password in vain.
  package func checkAdding(_ terms: Grant.Terms, at now: WallTime) throws(GateError) {
    _ = try newRecord(terms, by: "", at: now)
  }

  private func newRecord(
    _ terms: Grant.Terms, by decider: String, at now: WallTime
  ) throws(GateError) -> GrantRecord {
    if let fault { throw fault }
    let terms = try terms.checked()
    try terms.expiry.check(endsAfter: now)
    if let id = table.id(of: GrantKey(terms)) {
      throw GateError(
        .duplicate(id), "client",
        "\(terms.client) has grant \(id.rawValue) for this group and scope already",
        advice: "update that one, or revoke it first")
    }
    guard table.count < Self.capacity else {
      throw GateError(
        .limit, "grants", "the limit is \(Self.capacity)", advice: "revoke some that nobody uses")
    }
    return try bound(
      Grant(
        id: GrantID(rawValue: 0), terms: terms, created: now, modified: now, lastUsed: nil,
        grantedBy: decider.boundedLine(TermsLimits.decider)))
  }

  private func bound(_ grant: Grant) throws(GateError) -> GrantRecord {
    let record = GrantRecord(grant, on: here)
    if grant.terms.isAllowed, grant.terms.thisDeviceOnly, here.id.isEmpty {
      throw GateError(
        .notGrantable, "thisDeviceOnly", "this computer has no known id",
        advice: "run systemd-machine-id-setup and restart glissd, or grant it for any computer")
    }
    return record
  }

  /// Changes all grants that match and returns their number.
  package func update(
    _ query: Query, _ change: Change, by decider: String, at now: WallTime
  ) throws(GateError) -> Int {
    let changed = try changedRecords(query, change, at: now)
    return try save(changed, as: .change, by: decider, at: now).count
  }

  /// Throws what ``update(_:_:by:at:)`` would.
  package func checkUpdating(
    _ query: Query, _ change: Change, at now: WallTime
  ) throws(GateError) {
    _ = try changedRecords(query, change, at: now)
  }

  private func changedRecords(
    _ query: Query, _ change: Change, at now: WallTime
  ) throws(GateError) -> [GrantRecord] {
    if let fault { throw fault }
    guard change != Change() else {
      throw GateError(
        .syntax, "availability",
        "is missing, as are expiry, thisDeviceOnly and reason, so the call changes nothing")
    }
    try change.expiry?.check(endsAfter: now)
    return try stored(query).map { before throws(GateError) in
      var record = before
      record.grant.terms.apply(change)
      record.grant.terms = try record.grant.terms.checked()
      record.grant.modified = now
      if change.thisDeviceOnly != nil { record.machine = try bound(record.grant).machine }
      if change.expiry != nil { record.boot = GrantRecord(record.grant, on: here).boot }
      return record
    }
  }

  /// Replaces an earlier decision about the same client and scope.
  func replace(
    _ id: GrantID, _ terms: Grant.Terms, by decider: String, at now: WallTime
  ) throws(GateError) -> Grant {
    guard let before = table[id] else { throw Self.nothingMatches }
    var grant = before.grant
    grant.terms = try terms.checked()
    try terms.expiry.check(endsAfter: now)
    grant.modified = now
    grant.grantedBy = decider.boundedLine(TermsLimits.decider)
    return try save(
      [try bound(grant)], as: terms.isAllowed ? .grant : .deny, by: decider, at: now)[0].grant
  }

  /// Revokes the grants that match; several only if `all` is set.
  ///
  /// - Throws: if the audit cannot be written: refusals stay then, as more is shown without them,
  ///   and grants are off. If the store cannot be written: all are off, but return if glissd
  ///   restarts first.
  package func revoke(
    _ query: Query, all: Bool, by decider: String, at now: WallTime
  ) throws(GateError) -> [Grant] {
    let matching = try revocable(query, all: all)
    let grants = matching.filter(\.terms.isAllowed)
    let refusals = matching.filter { !$0.terms.isAllowed }
    var failure: GateError?
    do throws(GateError) {
      try audit.decide(refusals.map { entry(.revoke, $0, "by \(decider)", at: now) })
      remove(refusals)
    } catch {
      if grants.isEmpty { throw error }
      failure = error
      failure?.message += "; only the refusals stay"
    }
    remove(grants)
    for grant in grants { record(.revoke, grant, "by \(decider)", at: now) }
    generation &+= 1
    do throws(GateError) {
      try writeRemoval(
        "what was revoked is off, but comes back if glissd restarts before the store can be written",
        at: now)
    } catch {
      failure?.message += "; \(error.message)"
      throw failure ?? error
    }
    if let failure { throw failure }
    return matching
  }

  private func remove(_ grants: [Grant]) {
    for grant in grants {
      usedOnce[grant.id] = nil
      if table.remove(grant.id) != nil { grantsToDelete.insert(grant.id) }
    }
  }

  package func revocable(_ query: Query, all: Bool) throws(GateError) -> [Grant] {
    let matching = try grants(query)
    guard !matching.isEmpty else { throw Self.nothingMatches }
    guard all || matching.count == 1 else {
      throw GateError(
        .ambiguous(matching.count), "revoke", "\(matching.count) grants match",
        advice: "name one by its number, or say that all are meant")
    }
    return matching
  }

  /// Writes what was removed, or retries later and says in the error what holds until then.
  func writeRemoval(_ consequence: String, at now: WallTime) throws(GateError) {
    do throws(GateError) {
      _ = try write([])
    } catch {
      scheduleWriting(at: now)
      var error = error
      error.message += "; \(consequence)"
      throw error
    }
  }

  /// The grants that match, oldest first.
  package func grants(_ query: Query = Query()) throws(GateError) -> [Grant] {
    if let fault { throw fault }
    return (table.all + usedOnce.values).map(\.grant).filter(query.matches).sorted { $0.id < $1.id }
  }

  private func stored(_ query: Query) throws(GateError) -> [GrantRecord] {
    let matching = table.all.filter { query.matches($0.grant) }
    if matching.isEmpty { throw Self.nothingMatches }
    return matching
  }

  private static let nothingMatches = GateError(
    .notFound, "grants", "no grant matches", advice: "to see them: gliss grants list")
}

extension Grant.Terms {
  mutating func apply(_ change: Gate.Change) {
    availability = change.availability ?? availability
    expiry = change.expiry ?? expiry
    thisDeviceOnly = change.thisDeviceOnly ?? thisDeviceOnly
    reason = change.reason ?? reason
  }

  /// What differs in `new`, for the audit, as `name: old → new`. The client, the group and the
  /// scope of a grant never change.
  fileprivate func changes(to new: Grant.Terms) -> [String] {
    let members = [
      ("decision", isAllowed ? "granted" : "denied", new.isAllowed ? "granted" : "denied"),
      ("while", holdsWhile.rawValue, new.holdsWhile.rawValue),
      ("lasts", expiry.inWords, new.expiry.inWords),
      ("this device only", thisDeviceOnly ? "yes" : "no", new.thisDeviceOnly ? "yes" : "no"),
      ("reason", quotedReason, new.quotedReason),
    ]
    return members.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1) → \($0.2)" }
  }

  /// Bounded, so that an entry has room for both.
  private var quotedReason: String { reason.map { "“\($0.boundedLine(80))”" } ?? "none" }
}

/// All grants in memory, for verdicts.
struct GrantTable {
  private let here: Machine
  private var records: [GrantID: GrantRecord] = [:]
  private var ids: [GrantKey: GrantID] = [:]
  /// The grants that count on this computer, by uid, oldest first.
  private var counting: [UInt32: [Grant]] = [:]
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

extension Expiry {
  /// Refuses a date that is over: the grant would end at once, and nobody would be told.
  package func check(
    endsAfter now: WallTime, at place: String = "expiry"
  ) throws(GateError) {
    guard let date, date <= now else { return }
    throw GateError(
      .syntax, place, "\(date) is in the past", advice: "seconds since 1970 are expected")
  }
}

extension Gate.Query {
  func matches(_ grant: Grant) -> Bool {
    let terms = grant.terms
    return (id == nil || id == grant.id) && (tier == nil || tier == terms.scope.tier)
      && matches(uid: terms.uid, terms.client, terms.group)
  }

  func matches(_ member: GroupMember) -> Bool {
    let membership = member.membership
    return matches(uid: membership.uid, membership.client, membership.group)
  }

  private func matches(uid: UInt32, _ client: Client, _ group: AccessGroup?) -> Bool {
    (self.uid == nil || self.uid == uid) && (self.client == nil || self.client == client)
      && (self.group == nil || self.group == group)
  }
}

extension [Grant] {
  /// Searches from the end, because a new grant is usually the newest.
  fileprivate mutating func insert(inOrder grant: Grant) {
    let place = lastIndex { $0.id < grant.id }.map { $0 + 1 } ?? 0
    insert(grant, at: place)
  }
}
