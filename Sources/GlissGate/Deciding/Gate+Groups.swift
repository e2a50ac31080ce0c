// Access groups: which clients are in which.
extension Gate {
  /// The largest number of memberships: all are kept in memory.
  static let memberCapacity = 10_000

  /// Makes an ask with the client's groups. Nothing else can make one, so the groups cannot be
  /// forgotten.
  public func ask(_ identity: ClientIdentity, _ scope: Scope) -> Ask {
    Ask(
      identity, scope, groups: identity.client.map { groups(of: $0, uid: identity.uid) } ?? [])
  }

  /// The same ask with the client's current groups.
  public func renewed(_ ask: Ask) -> Ask { self.ask(ask.identity, ask.scope) }

  /// The groups that an administrator has added `client` to, oldest first; none while the store
  /// cannot be trusted.
  public func groups(of client: Client, uid: UInt32) -> [AccessGroup] {
    fault == nil ? memberTable.groups(of: client, uid: uid) : []
  }

  /// The members that match, oldest first. Only the query's uid, client and group are used.
  public func members(_ query: Query = Query()) throws(GateError) -> [GroupMember] {
    if let fault { throw fault }
    return memberTable.all.filter(query.matches)
  }

  /// Adds a client to a group. From now on grants and refusals for the group apply to it.
  ///
  /// - Throws: ``GateError/Problem/alreadyMember``, ``GateError/Problem/limit``, or an error if the
  ///   store or the audit cannot be written. Nothing has changed then.
  @discardableResult
  public func add(
    _ membership: Membership, by decider: String, at now: WallTime
  ) throws(GateError) -> GroupMember {
    if let fault { throw fault }
    let membership = try membership.checked()
    guard !memberTable.contains(membership) else {
      throw GateError(
        .alreadyMember, "client", "\(membership.client) is in \(membership.group.name) already")
    }
    guard groups(of: membership.client, uid: membership.uid).count < TermsLimits.groups else {
      throw GateError(
        .limit, "groups", "a client may be in \(TermsLimits.groups)",
        advice: "take it out of one first")
    }
    guard memberTable.all.count < Self.memberCapacity else {
      throw GateError(
        .limit, "groups", "there may be \(Self.memberCapacity) members",
        advice: "take out those that nobody uses")
    }
    let decider = decider.boundedLine(TermsLimits.decider)
    let member = GroupMember(membership, since: now, addedBy: decider)
    _ = try write([.join(member)]) { _ in [entry(.join, membership, by: decider, at: now)] }
    memberTable.add(member)
    generation &+= 1
    return member
  }

  /// Removes a client from a group. This takes effect at once, even if the store cannot be written.
  ///
  /// - Throws: ``GateError/Problem/notFound``, or an error if the store cannot be written. The
  ///   client is then in the group again if glissd restarts before the store can be written.
  public func remove(
    _ membership: Membership, by decider: String, at now: WallTime
  ) throws(GateError) {
    if let fault { throw fault }
    guard memberTable.contains(membership) else {
      throw .notMember(membership)
    }
    memberTable.remove(membership)
    leaving.insert(membership)
    audit?.record(entry(.leave, membership, by: decider, at: now))
    generation &+= 1
    do throws(GateError) {
      _ = try write([])
    } catch {
      scheduleWriting(at: now)
      var error = error
      error.message +=
        "; it is out of the group, but comes back if glissd restarts before this is cured"
      throw error
    }
  }

  private func entry(
    _ action: AuditAction, _ membership: Membership, by decider: String, at now: WallTime
  ) -> AuditEntry {
    AuditEntry(
      time: now, action: action, uid: membership.uid, client: membership.client.description,
      detail: "group \(membership.group.name), by \(decider)")
  }
}

extension GateError {
  /// There is no such membership.
  package static func notMember(_ membership: Membership) -> GateError {
    GateError(
      .notFound, "client", "\(membership.client) is not in \(membership.group.name)",
      advice: "see who is with: gliss grants group list")
  }
}

extension Gate.Query {
  fileprivate func matches(_ member: GroupMember) -> Bool {
    let membership = member.membership
    return (uid == nil || uid == membership.uid) && (client == nil || client == membership.client)
      && (group == nil || group == membership.group)
  }
}
