/// States that a user's client is in an access group. Only an administrator decides this, never the
/// client.
public struct Membership: Hashable, Sendable {
  public var uid: UInt32
  public var client: Client
  public var group: AccessGroup

  public init(uid: UInt32, client: Client, group: AccessGroup) {
    self.uid = uid
    self.client = client
    self.group = group
  }
}

/// A stored membership, with the time it was added and who added it.
public struct GroupMember: Hashable, Sendable {
  public var membership: Membership
  public var since: WallTime
  /// Who added it, by name or uid.
  public var addedBy: String

  public init(_ membership: Membership, since: WallTime, addedBy: String) {
    self.membership = membership
    self.since = since
    self.addedBy = addedBy
  }
}

extension Membership {
  /// The same membership, if its client reads back as the same client.
  ///
  /// - Throws: ``GateError/Problem/syntax``.
  func checked() throws(GateError) -> Membership {
    guard try Client(client.description) == client else {
      throw GateError(.syntax, "client", "\(client) means another client when it is read again")
    }
    return self
  }
}

/// All memberships in memory. An ``Ask`` gets its groups from here.
struct MemberTable {
  private struct Owner: Hashable {
    var uid: UInt32
    var client: Client
  }

  /// Oldest first.
  private(set) var all: [GroupMember] = []
  private var groups: [Owner: [AccessGroup]] = [:]

  init(_ members: [GroupMember] = []) {
    for member in members { add(member) }
  }

  func groups(of client: Client, uid: UInt32) -> [AccessGroup] {
    groups[Owner(uid: uid, client: client)] ?? []
  }

  func contains(_ membership: Membership) -> Bool {
    groups(of: membership.client, uid: membership.uid).contains(membership.group)
  }

  mutating func add(_ member: GroupMember) {
    all.append(member)
    let membership = member.membership
    groups[Owner(uid: membership.uid, client: membership.client), default: []]
      .append(membership.group)
  }

  mutating func remove(_ membership: Membership) {
    all.removeAll { $0.membership == membership }
    let owner = Owner(uid: membership.uid, client: membership.client)
    groups[owner]?.removeAll { $0 == membership.group }
    if groups[owner]?.isEmpty == true { groups[owner] = nil }
  }
}
