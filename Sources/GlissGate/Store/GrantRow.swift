import GlissEvents

/// A grant in the columns of its table. Sets are stored as words in a fixed order. Each device name
/// ends with a line feed, and an empty text means all devices.
enum GrantRow {
  private static let names = [
    "uid", "client", "access_group", "tier", "events", "devices", "keys", "allowed",
    "availability", "expiry", "this_device_only", "machine", "boot", "created", "modified",
    "last_used", "granted_by", "reason",
  ]
  static let count = Int32(names.count)
  /// In the order that ``record(in:of:)`` reads.
  static let columns = (names + ["id"]).joined(separator: ", ")
  static let insertion =
    "INSERT INTO grants (\(names.joined(separator: ", "))) VALUES ("
    + (1...names.count).map { "?\($0)" }.joined(separator: ", ") + ")"
  static let replacement =
    "UPDATE grants SET "
    + names.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
    + " WHERE id = ?\(names.count + 1)"

  static func bind(_ record: GrantRecord, to statement: borrowing Statement) throws(GateError) {
    let grant = record.grant
    let terms = grant.terms
    let texts: [(Int32, String)] = [
      (2, terms.client.description), (3, terms.group?.name ?? ""), (4, terms.scope.tier.name),
      (5, terms.scope.events.words.joined(separator: " ")),
      (6, (terms.scope.devices ?? []).sorted().map { $0 + "\n" }.joined()),
      (7, terms.scope.keys.names.joined(separator: " ")), (9, terms.availability.rawValue),
      (10, terms.expiry.description), (12, record.machine), (13, record.boot),
      (17, grant.grantedBy),
    ]
    let numbers: [(Int32, Int64)] = [
      (1, Int64(terms.uid)), (8, terms.isAllowed ? 1 : 0), (11, terms.thisDeviceOnly ? 1 : 0),
      (14, grant.created.seconds), (15, grant.modified.seconds),
    ]
    for (index, text) in texts { try statement.bind(index, text) }
    for (index, number) in numbers { try statement.bind(index, number) }
    if let lastUsed = grant.lastUsed {
      try statement.bind(16, lastUsed.seconds)
    } else {
      try statement.bindNull(16)
    }
    if let reason = terms.reason {
      try statement.bind(18, reason)
    } else {
      try statement.bindNull(18)
    }
  }

  /// - Throws: if a word is unknown. Skipping it could grant more than was meant.
  static func record(
    in row: borrowing Statement, of path: String
  ) throws(GateError) -> GrantRecord {
    let id = GrantID(rawValue: row.integer(18))
    func unknown(_ what: String) -> GateError {
      GateError(
        .store, path, "grant \(id.rawValue) has \(what) that nobody knows",
        advice: Database.moveAway)
    }
    guard let uid = UInt32(exactly: row.integer(0)) else { throw unknown("a uid") }
    guard let client = try? Client(try row.text(1)) else { throw unknown("a client") }
    guard let tier = Tier(named: try row.text(3)) else { throw unknown("a tier") }
    guard let events = EventMask(words: try row.text(4).split(separator: " ")) else {
      throw unknown("a kind of event")
    }
    guard let keys = KeyClasses(names: try row.text(6).split(separator: " ")) else {
      throw unknown("a class of keys")
    }
    guard let availability = Availability(rawValue: try row.text(8)) else {
      throw unknown("an availability")
    }
    guard let expiry = try? Expiry(try row.text(9)) else { throw unknown("an expiry") }
    let name = try row.text(2)
    let group = try? AccessGroup(name)
    guard name.isEmpty || group != nil else { throw unknown("a group") }
    let devices = try row.text(5).split(separator: "\n").map(String.init)
    let scope = Scope(
      tier: tier, events: events, devices: devices.isEmpty ? nil : Set(devices), keys: keys)
    guard (try? scope.validated()) == scope else { throw unknown("a scope") }
    var terms = Grant.Terms(uid: uid, client: client, group: group, scope: scope)
    terms.isAllowed = row.integer(7) == 1
    terms.availability = availability
    terms.expiry = expiry
    terms.thisDeviceOnly = row.integer(10) == 1
    terms.reason = row.isNull(17) ? nil : try row.text(17)
    return GrantRecord(
      Grant(
        id: id, terms: terms, created: WallTime(seconds: row.integer(13)),
        modified: WallTime(seconds: row.integer(14)),
        lastUsed: row.isNull(15) ? nil : WallTime(seconds: row.integer(15)),
        grantedBy: try row.text(16)),
      machine: try row.text(11), boot: try row.text(12))
  }
}
