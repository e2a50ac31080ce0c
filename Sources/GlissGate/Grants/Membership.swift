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

/// A name that several programs share (`org.example.suite`). A grant for a group also holds for the
/// groups below it, compared by whole components.
public struct AccessGroup: Hashable, Sendable {
  public let name: String

  /// In bytes: as long as a D-Bus name may be.
  private static let longest = 255

  /// - Throws: ``GateError/Problem/syntax`` if it is not a dotted name of at least two components.
  public init(_ name: String) throws(GateError) {
    let components = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName =
      name.utf8.count <= Self.longest && components.count >= 2
      && components.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isAllowed) }
    guard isName else {
      throw GateError(
        .syntax, "group", "“\(name.boundedLine(60))” is not a group's name",
        advice:
          "it has components of letters, digits, _ and -, with dots between: org.example.suite")
    }
    self.name = name
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    case _: false
    }
  }

  /// Whether `other` is this group or below it: `org.foo` contains `org.foo.bar` but not
  /// `org.foobar`.
  public func contains(_ other: AccessGroup) -> Bool {
    other.name == name || other.name.hasPrefix(name + ".")
  }
}
