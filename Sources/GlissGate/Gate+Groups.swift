import GlissEvents

// Access groups: which clients are in which.
extension Gate {
  /// The largest number of memberships: all are kept in memory.
  static let memberCapacity = 10_000

  /// The client's groups, oldest first; none while the store cannot be trusted.
  package func groups(of client: Client, uid: UInt32) -> [AccessGroup] {
    guard fault == nil else { return [] }
    return allMembers.filter { $0.membership.uid == uid && $0.membership.client == client }
      .map(\.membership.group)
  }

  /// The members that match, oldest first. Only the query's uid, client and group are used.
  package func members(_ query: Query = Query()) throws(GateError) -> [GroupMember] {
    if let fault { throw fault }
    return allMembers.filter(query.matches)
  }

  /// Grants and refusals for the group apply to the client from now on.
  ///
  /// - Throws: ``GateError/Problem/alreadyMember``, ``GateError/Problem/limit``, or an error if the
  ///   store or the audit cannot be written. Nothing has changed then.
  @discardableResult
  package func add(
    _ membership: Membership, by decider: String, at now: WallTime
  ) throws(GateError) -> GroupMember {
    try checkAdding(membership)
    let decider = decider.boundedLine(TermsLimits.decider)
    let member = GroupMember(membership, since: now, addedBy: decider)
    _ = try write([.join(member)]) { _ in [entry(.join, membership, by: decider, at: now)] }
    allMembers.append(member)
    generation &+= 1
    withdrawDecided(at: now)
    return member
  }

  /// Throws what ``add(_:by:at:)`` would.
  package func checkAdding(_ membership: Membership) throws(GateError) {
    if let fault { throw fault }
    try membership.client.check()
    try membership.client.checkNew()
    guard !contains(membership) else {
      throw GateError(
        .alreadyMember, "client", "\(membership.client) is in \(membership.group.name) already")
    }
    guard groups(of: membership.client, uid: membership.uid).count < TermsLimits.groups else {
      throw GateError(
        .limit, "groups", "a client may be in \(TermsLimits.groups)",
        advice: "take it out of one first")
    }
    guard allMembers.count < Self.memberCapacity else {
      throw GateError(
        .limit, "groups", "the limit is \(Self.memberCapacity) members",
        advice: "take out those that nobody uses")
    }
  }

  /// Removes a client from a group at once. If the group is refused something, the audit must be
  /// writable.
  ///
  /// - Throws: ``GateError/Problem/notFound``, or an error if the store cannot be written. The
  ///   client is then in the group again if glissd restarts before the store can be written.
  package func remove(
    _ membership: Membership, by decider: String, at now: WallTime
  ) throws(GateError) {
    if let fault { throw fault }
    guard contains(membership) else { throw .notMember(membership) }
    let entry = entry(.leave, membership, by: decider, at: now)
    // more is shown without the group's refusals
    if isRefused(membership, at: now) { try audit.decide([entry]) } else { audit.record(entry) }
    allMembers.removeAll { $0.membership == membership }
    removals.insert(.leave(membership))
    generation &+= 1
    try writeRemoval(
      [entry],
      "it is out of the group, but comes back if glissd restarts before the store can be written",
      at: now)
  }

  private func contains(_ membership: Membership) -> Bool {
    allMembers.contains { $0.membership == membership }
  }

  private func isRefused(_ membership: Membership, at now: WallTime) -> Bool {
    stored.values.contains { grant in
      let terms = grant.terms
      return !terms.isAllowed && terms.uid == membership.uid && grant.holds(at: now)
        && terms.group?.contains(membership.group) == true
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
  package static func notMember(_ membership: Membership) -> GateError {
    GateError(
      .notFound, "client", "\(membership.client) is not in \(membership.group.name)",
      advice: "see the members: gliss grants group list")
  }
}

/// Only an administrator decides that a user's client is in an access group, never the client.
package struct Membership: Hashable, Sendable {
  package var uid: UInt32
  package var client: Client
  package var group: AccessGroup

  package init(uid: UInt32, client: Client, group: AccessGroup) {
    self.uid = uid
    self.client = client
    self.group = group
  }
}

package struct GroupMember: Hashable, Sendable {
  package var membership: Membership
  package var since: WallTime
  /// The name or uid of the user that added it.
  package var addedBy: String

  package init(_ membership: Membership, since: WallTime, addedBy: String) {
    self.membership = membership
    self.since = since
    self.addedBy = addedBy
  }
}

/// A name that several programs share (`org.example.suite`). A grant for a group also holds for the
/// groups below it, compared by whole components.
package struct AccessGroup: Hashable, Sendable {
  package let name: String

  /// In bytes: as long as a D-Bus name may be.
  private static let longest = 255

  /// - Throws: ``GateError/Problem/syntax`` if it is not a dotted name of at least two components.
  package init(_ name: String) throws(GateError) {
    let components = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName =
      name.utf8.count <= Self.longest && components.count >= 2
      && components.allSatisfy { component in
        !component.isEmpty && component.utf8.allSatisfy { $0.isLetterDigit(or: "_-") }
      }
    guard isName else {
      throw GateError(
        .syntax, "group", "“\(name.boundedLine(60))” is not a group's name",
        advice:
          "it has components of letters, digits, _ and -, with dots between: org.example.suite")
    }
    self.name = name
  }

  /// Whether it is this group or below: `org.foo` contains `org.foo.bar` but not `org.foobar`.
  package func contains(_ other: AccessGroup) -> Bool {
    other.name == name || other.name.hasPrefix(name + ".")
  }
}
