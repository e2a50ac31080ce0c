import GlissEvents

/// The file with the grants and the group members. It is not used while an event is handled: a
/// ``Gate`` reads all of it when it opens, and afterwards only writes.
final class GrantStore {
  enum Change: Hashable {
    case insert(Grant)
    /// Replaces the grant with the same number.
    case replace(Grant)
    case delete(GrantID)
    case join(GroupMember)
    case leave(Membership)
  }

  private let store: OpenStore
  private var database: Database { store.database }
  var wasMade: Bool { store.wasMade }

  init(_ file: StoreFile) throws(GateError) { store = try StoreSchema.grants.open(file) }

  func checkPlace() throws(GateError) { try store.checkPlace() }

  func checkSound() throws(GateError) {
    try checkPlace()
    try StoreSchema.grants.checkSound(database)
  }

  func grants() throws(GateError) -> [Grant] {
    try database.rows("SELECT \(GrantRow.columns) FROM grants ORDER BY id") {
      (row) throws(GateError) in try GrantRow.grant(in: row, of: database.path)
    }
  }

  func members() throws(GateError) -> [GroupMember] {
    try database.rows("SELECT \(MemberRow.columns) FROM members ORDER BY id") {
      (row) throws(GateError) in try MemberRow.member(in: row, of: database.path)
    }
  }

  /// Makes all the changes, or none. `approve` runs last and can still refuse them. Changes that
  /// are not urgent, such as last uses, need not reach the disk.
  ///
  /// - Returns: the ids of the new grants.
  func write(
    _ changes: [Change], isUrgent: Bool = true,
    approve: ([GrantID]) throws(GateError) -> Void = { _ in }
  ) throws(GateError) -> [GrantID] {
    let ids = try store.transaction(isDurable: isUrgent) { () throws(GateError) in
      var ids: [GrantID] = []
      for change in changes {
        switch change {
        case .insert(let grant):
          try database.run(GrantRow.insertion, GrantRow.values(of: grant))
          ids.append(GrantID(rawValue: database.lastInsertedID))
        case .replace(let grant):
          try database.run(
            GrantRow.replacement, GrantRow.values(of: grant) + [.integer(grant.id.rawValue)])
        case .delete(let id):
          try database.run("DELETE FROM grants WHERE id = ?1", [.integer(id.rawValue)])
        case .join(let member):
          try database.run(
            MemberRow.insertion,
            MemberRow.values(of: member.membership)
              + [.integer(member.since.seconds), .text(member.addedBy)])
        case .leave(let membership):
          try database.run(MemberRow.deletion, MemberRow.values(of: membership))
        }
      }
      try approve(ids)
      return ids
    }
    // Move the log into the file at once: a log that is later cut short could bring back revoked
    // grants. If the disk is full, the changes stay in the log, which is just as good until then.
    if isUrgent { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return ids
  }
}

extension Grant {
  /// The grant bound to this computer and this boot, if its terms say that it is bound.
  func bound(to here: Machine) -> Grant {
    var grant = self
    grant.machine = terms.thisDeviceOnly ? here.id : ""
    grant.boot = if case .session = terms.expiry { here.boot } else { "" }
    return grant
  }

  /// Whether it counts on this computer. A refusal counts anywhere, because it can only show less.
  func counts(on here: Machine) -> Bool {
    if !terms.isAllowed || !terms.thisDeviceOnly { return true }
    return !here.id.isEmpty && machine == here.id
  }
}

/// A grant in the columns of its table. Sets are stored as words in a fixed order. Each device name
/// ends with a line feed, and an empty text means all devices.
enum GrantRow {
  private static let names = [
    "uid", "client", "access_group", "tier", "events", "devices", "keys", "allowed",
    "availability", "expiry", "this_device_only", "machine", "boot", "created", "modified",
    "last_used", "granted_by", "reason",
  ]
  /// In the order that ``grant(in:of:)`` reads.
  static let columns = (names + ["id"]).joined(separator: ", ")
  static let insertion =
    "INSERT INTO grants (\(names.joined(separator: ", "))) VALUES ("
    + (1...names.count).map { "?\($0)" }.joined(separator: ", ") + ")"
  static let replacement =
    "UPDATE grants SET "
    + names.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
    + " WHERE id = ?\(names.count + 1)"

  static func values(of grant: Grant) -> [SQLValue] {
    let terms = grant.terms
    return [
      .integer(Int64(terms.uid)), .text(terms.client.description), .text(terms.group?.name ?? ""),
      .text(terms.scope.tier.name), .text(terms.scope.events.words.joined(separator: " ")),
      .text((terms.scope.devices ?? []).sorted().map { $0 + "\n" }.joined()),
      .text(terms.scope.keys.names.joined(separator: " ")), .integer(terms.isAllowed ? 1 : 0),
      .text(terms.availability.rawValue), .text(terms.expiry.description),
      .integer(terms.thisDeviceOnly ? 1 : 0), .text(grant.machine), .text(grant.boot),
      .integer(grant.created.seconds), .integer(grant.modified.seconds),
      grant.lastUsed.map { .integer($0.seconds) } ?? .null, .text(grant.grantedBy),
      terms.reason.map(SQLValue.text) ?? .null,
    ]
  }

  /// - Throws: if a word is unknown. Skipping it could grant more than was meant.
  static func grant(in row: borrowing Statement, of path: String) throws(GateError) -> Grant {
    let id = GrantID(rawValue: row.integer(18))
    func unknown(_ what: String) -> GateError { .unknown(what, of: "grant \(id.rawValue)", path) }
    guard let uid = UInt32(exactly: row.integer(0)) else { throw unknown("uid") }
    guard let client = try? Client(try row.text(1)) else { throw unknown("client") }
    guard let tier = Tier(named: try row.text(3)) else { throw unknown("tier") }
    guard let events = EventMask(words: try row.text(4).split(separator: " "), of: EventMask.table)
    else {
      throw unknown("kind of event")
    }
    guard let keys = KeyClasses(words: try row.text(6).split(separator: " "), of: KeyClasses.words)
    else {
      throw unknown("class of keys")
    }
    guard let availability = Availability(rawValue: try row.text(8)) else {
      throw unknown("availability")
    }
    guard let expiry = try? Expiry(try row.text(9)) else { throw unknown("expiry") }
    let name = try row.text(2)
    let group = try? AccessGroup(name)
    guard name.isEmpty || group != nil else { throw unknown("group") }
    let devices = try row.text(5).split(separator: "\n").map(String.init)
    let scope = Scope(
      tier: tier, events: events, devices: devices.isEmpty ? nil : Set(devices), keys: keys)
    guard (try? scope.validated()) == scope else { throw unknown("scope") }
    var terms = Grant.Terms(uid: uid, client: client, group: group, scope: scope)
    terms.isAllowed = row.integer(7) == 1
    terms.availability = availability
    terms.expiry = expiry
    terms.thisDeviceOnly = row.integer(10) == 1
    terms.reason = row.isNull(17) ? nil : try row.text(17)
    var grant = Grant(
      id: id, terms: terms, created: WallTime(seconds: row.integer(13)),
      modified: WallTime(seconds: row.integer(14)),
      lastUsed: row.isNull(15) ? nil : WallTime(seconds: row.integer(15)),
      grantedBy: try row.text(16))
    grant.machine = try row.text(11)
    grant.boot = try row.text(12)
    return grant
  }
}

extension GateError {
  fileprivate static func unknown(_ what: String, of row: String, _ path: String) -> GateError {
    GateError(.store, path, "\(row) has an unknown \(what)", advice: Database.moveAway)
  }
}

enum MemberRow {
  static let columns = "uid, client, access_group, since, added_by"
  static let insertion = "INSERT INTO members (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5)"
  static let deletion = "DELETE FROM members WHERE uid = ?1 AND client = ?2 AND access_group = ?3"

  static func values(of membership: Membership) -> [SQLValue] {
    [
      .integer(Int64(membership.uid)), .text(membership.client.description),
      .text(membership.group.name),
    ]
  }

  /// - Throws: if a word is unknown. Skipping a member could skip a refusal for its group.
  static func member(
    in row: borrowing Statement, of path: String
  ) throws(GateError) -> GroupMember {
    func unknown(_ what: String) -> GateError { .unknown(what, of: "a member of a group", path) }
    guard let uid = UInt32(exactly: row.integer(0)) else { throw unknown("uid") }
    guard let client = try? Client(try row.text(1)) else { throw unknown("client") }
    guard let group = try? AccessGroup(try row.text(2)) else { throw unknown("group") }
    return GroupMember(
      Membership(uid: uid, client: client, group: group),
      since: WallTime(seconds: row.integer(3)), addedBy: try row.text(4))
  }
}
