extension Gate {
  /// The largest number of grants: all are kept in memory.
  static let capacity = 10_000

  /// - Throws: ``GateError/Problem/duplicate(_:)``, ``GateError/Problem/notGrantable``, or an error
  ///   if the store or the audit cannot be written. Nothing has changed then.
  package func add(_ terms: Grant.Terms, by decider: String, at now: WallTime) throws(GateError)
    -> Grant
  {
    let grant = try checkAdding(terms, by: decider, at: now)
    return try save(
      [grant], isNew: true, as: terms.isAllowed ? .grant : .deny, by: decider, at: now)[0]
  }

  /// Writes grants with their audit entries. They count from now on.
  private func save(
    _ grants: [Grant], isNew: Bool = false, as action: AuditAction, by decider: String,
    at now: WallTime
  ) throws(GateError) -> [Grant] {
    var grants = grants
    _ = try write(grants.map { isNew ? .insert($0) : .replace($0) }) { ids in
      for (index, id) in ids.enumerated() { grants[index].id = id }
      return grants.map { grant in
        let changes = stored[grant.id]?.terms.changes(to: grant.terms) ?? []
        let detail = (["by \(decider)"] + changes).joined(separator: "; ")
        return entry(action, grant, detail, at: now)
      }
    }
    for grant in grants { stored[grant.id] = grant }
    generation &+= 1
    withdrawDecided(at: now)
    return grants
  }

  /// Throws what ``add(_:by:at:)`` would, so that nobody is asked for a password in vain. Returns
  /// the grant that would be added.
  @discardableResult
  package func checkAdding(
    _ terms: Grant.Terms, by decider: String = "", at now: WallTime
  ) throws(GateError) -> Grant {
    if let fault { throw fault }
    let terms = try terms.checked()
    try terms.expiry.check(endsAfter: now)
    if let id = storedGrant(like: terms)?.id {
      throw GateError(
        .duplicate(id), "client",
        "\(terms.client) has grant \(id.rawValue) for this group and scope already",
        advice: "update that one, or revoke it first")
    }
    guard stored.count < Self.capacity else {
      throw GateError(
        .limit, "grants", "the limit is \(Self.capacity)", advice: "revoke some that nobody uses")
    }
    return try bound(
      Grant(
        id: GrantID(rawValue: 0), terms: terms, created: now, modified: now, lastUsed: nil,
        grantedBy: decider.boundedLine(TermsLimits.decider)))
  }

  private func bound(_ grant: Grant) throws(GateError) -> Grant {
    if grant.terms.isAllowed, grant.terms.thisDeviceOnly, here.id.isEmpty {
      throw GateError(
        .notGrantable, "thisDeviceOnly", "this computer has no known id",
        advice: "run systemd-machine-id-setup and restart glissd, or grant it for any computer")
    }
    return grant.bound(to: here)
  }

  /// Changes the grants that match and returns their number; several only if `all` is set.
  package func update(
    _ query: Query, _ change: Change, all: Bool = false, by decider: String, at now: WallTime
  ) throws(GateError) -> Int {
    let changed = try checkUpdating(query, change, all: all, at: now)
    return try save(changed, as: .change, by: decider, at: now).count
  }

  /// Throws what ``update(_:_:all:by:at:)`` would. Returns the grants as they would be then.
  @discardableResult
  package func checkUpdating(
    _ query: Query, _ change: Change, all: Bool = false, at now: WallTime
  ) throws(GateError) -> [Grant] {
    if let fault { throw fault }
    guard change != Change() else {
      throw GateError(
        .syntax, "availability",
        "is missing, as are expiry, thisDeviceOnly and reason, so the call changes nothing")
    }
    try change.expiry?.check(endsAfter: now)
    let matching = allGrants.filter(query.matches)
    try Self.check(matching, all: all)
    return try matching.map { before throws(GateError) in
      var grant = before
      grant.terms.apply(change)
      grant.terms = try grant.terms.checked()
      grant.modified = now
      if change.thisDeviceOnly != nil { grant.machine = try bound(grant).machine }
      if change.expiry != nil { grant.boot = grant.bound(to: here).boot }
      return grant
    }
  }

  /// Replaces an earlier decision about the same client and scope.
  func replace(
    _ id: GrantID, _ terms: Grant.Terms, by decider: String, at now: WallTime
  ) throws(GateError) -> Grant {
    guard var grant = stored[id] else { throw Self.nothingMatches }
    grant.terms = try terms.checked()
    try terms.expiry.check(endsAfter: now)
    grant.modified = now
    grant.grantedBy = decider.boundedLine(TermsLimits.decider)
    return try save(
      [try bound(grant)], as: terms.isAllowed ? .grant : .deny, by: decider, at: now)[0]
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
    let taken = grants.map { entry(.revoke, $0, "by \(decider)", at: now) }
    var announced = refusals.map { entry(.revoke, $0, "by \(decider)", at: now) }
    var failure: GateError?
    do throws(GateError) {
      try audit.decide(announced)
      remove(refusals)
    } catch {
      if grants.isEmpty { throw error }
      announced = []
      failure = error
      failure?.message += "; only the refusals stay"
    }
    remove(grants)
    audit.publish(taken)
    generation &+= 1
    do throws(GateError) {
      try writeRemoval(
        taken + announced,
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
      endings[grant.id] = "revoked"
      if stored.removeValue(forKey: grant.id) != nil { removals.insert(.delete(grant.id)) }
    }
  }

  package func revocable(_ query: Query, all: Bool) throws(GateError) -> [Grant] {
    let matching = try grants(query)
    try Self.check(matching, all: all)
    return matching
  }

  /// Throws unless one grant matches; several may if `all` is set.
  private static func check(_ matching: [Grant], all: Bool) throws(GateError) {
    guard !matching.isEmpty else { throw nothingMatches }
    guard all || matching.count == 1 else {
      throw GateError(
        .ambiguous(matching.count), "query", "\(matching.count) grants match",
        advice: "name one by its number, or say that all are meant")
    }
  }

  /// Writes what was removed. If that fails, records that the `entries` were not saved, retries
  /// later, and says in the error what holds until then.
  func writeRemoval(
    _ entries: [AuditEntry], _ consequence: String, at now: WallTime
  ) throws(GateError) {
    do throws(GateError) {
      _ = try write([])
    } catch {
      audit.publish(entries.map(\.unsaved))
      scheduleWriting(at: now)
      var error = error
      error.message += "; \(consequence)"
      throw error
    }
  }

  /// The grants that match, oldest first.
  package func grants(_ query: Query = Query()) throws(GateError) -> [Grant] {
    if let fault { throw fault }
    return (allGrants + usedOnce.values).filter(query.matches).sorted { $0.id < $1.id }
  }

  /// Oldest first.
  var allGrants: [Grant] { stored.values.sorted { $0.id < $1.id } }

  /// The grant for the same user, client, group and scope.
  func storedGrant(like terms: Grant.Terms) -> Grant? {
    let key = terms.key
    return stored.values.first { $0.terms.uid == key.uid && $0.terms.key == key }
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

extension Expiry {
  /// The date when it ends; `nil` if it does not end on a date.
  var date: WallTime? {
    if case .at(let time) = self { time } else { nil }
  }

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
