/// The file with the grants and the group members. It is not used while an event is handled: a
/// ``Gate`` reads all of it when it opens, and afterwards only writes.
final class GrantStore {
  enum Change {
    /// A new grant. The store assigns its number.
    case insert(GrantRecord)
    /// Replaces the grant with the same number.
    case replace(GrantRecord)
    case delete(GrantID)
    case join(GroupMember)
    case leave(Membership)
  }

  let file: StoreFile
  private let identity: StoreFile.Identity?
  private let schema: StoreSchema
  private let database: Database
  let opening: StoreSchema.Opening

  init(_ file: StoreFile, schema: StoreSchema = .grants) throws(GateError) {
    self.file = file
    self.schema = schema
    (database, opening) = try schema.open(file)
    identity = try file.check()
  }

  /// - Throws: if others could have written to it since it was opened, or it is another file.
  func checkPlace() throws(GateError) {
    guard try file.check() == identity else {
      throw GateError(
        .store, file.path, "was taken away or replaced while it was open",
        advice: "see what it grants now, then restart glissd")
    }
  }

  /// Reads the whole file again.
  func checkSound() throws(GateError) {
    try checkPlace()
    try schema.checkSound(database)
  }

  /// All grants, oldest first.
  func records() throws(GateError) -> [GrantRecord] {
    let statement = try database.prepare(
      "SELECT \(GrantRow.columns) FROM grants ORDER BY id")
    var records: [GrantRecord] = []
    while try statement.step() { records.append(try GrantRow.record(in: statement, of: file.path)) }
    return records
  }

  /// All memberships in groups, oldest first.
  func members() throws(GateError) -> [GroupMember] {
    let statement = try database.prepare("SELECT \(MemberRow.columns) FROM members ORDER BY id")
    var members: [GroupMember] = []
    while try statement.step() {
      members.append(try MemberRow.member(in: statement, of: file.path))
    }
    return members
  }

  /// Makes all the changes, or none. `approve` runs last and can still refuse them.
  ///
  /// - Parameters:
  ///   - isUrgent: whether the changes must have reached the disk on return. Last uses need not.
  /// - Returns: the ids of the new grants.
  func write(
    _ changes: [Change], isUrgent: Bool = true,
    approve: ([GrantID]) throws(GateError) -> Void = { _ in }
  ) throws(GateError) -> [GrantID] {
    try checkPlace()
    try database.execute("PRAGMA synchronous=\(isUrgent ? "FULL" : "NORMAL")")
    let ids = try database.transaction { () throws(GateError) in
      var ids: [GrantID] = []
      for change in changes {
        switch change {
        case .insert(let record):
          let statement = try database.prepare(GrantRow.insertion)
          try GrantRow.bind(record, to: statement)
          try statement.step()
          ids.append(GrantID(rawValue: database.lastInsertedID))
        case .replace(let record):
          let statement = try database.prepare(GrantRow.replacement)
          try GrantRow.bind(record, to: statement)
          try statement.bind(GrantRow.count + 1, record.grant.id.rawValue)
          try statement.step()
        case .delete(let id):
          let statement = try database.prepare("DELETE FROM grants WHERE id = ?1")
          try statement.bind(1, id.rawValue)
          try statement.step()
        case .join(let member):
          let statement = try database.prepare(MemberRow.insertion)
          try MemberRow.bind(member, to: statement)
          try statement.step()
        case .leave(let membership):
          let statement = try database.prepare(MemberRow.deletion)
          try MemberRow.bind(membership, to: statement)
          try statement.step()
        }
      }
      try schema.writeDigest(database)
      try approve(ids)
      return ids
    }
    // Move the log into the file at once: a log that is later cut short could bring back revoked
    // grants. If the disk is full, the changes stay in the log, which is just as good until then.
    if isUrgent { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return ids
  }
}
