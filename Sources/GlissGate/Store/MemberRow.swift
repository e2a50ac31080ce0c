/// A group member in the columns of its table.
enum MemberRow {
  static let columns = "uid, client, access_group, since, added_by"
  static let insertion = "INSERT INTO members (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5)"
  static let deletion = "DELETE FROM members WHERE uid = ?1 AND client = ?2 AND access_group = ?3"

  static func bind(_ member: GroupMember, to statement: borrowing Statement) throws(GateError) {
    try bind(member.membership, to: statement)
    try statement.bind(4, member.since.seconds)
    try statement.bind(5, member.addedBy)
  }

  static func bind(
    _ membership: Membership, to statement: borrowing Statement
  ) throws(GateError) {
    try statement.bind(1, Int64(membership.uid))
    try statement.bind(2, membership.client.description)
    try statement.bind(3, membership.group.name)
  }

  /// - Throws: if a word is unknown. Skipping a member could skip a refusal for its group.
  static func member(
    in row: borrowing Statement, of path: String
  ) throws(GateError) -> GroupMember {
    func unknown(_ what: String) -> GateError {
      GateError(
        .store, path, "a member of a group has \(what) that nobody knows",
        advice: Database.moveAway)
    }
    guard let uid = UInt32(exactly: row.integer(0)) else { throw unknown("a uid") }
    guard let client = try? Client(try row.text(1)) else { throw unknown("a client") }
    guard let group = try? AccessGroup(try row.text(2)) else { throw unknown("a group") }
    return GroupMember(
      Membership(uid: uid, client: client, group: group),
      since: WallTime(seconds: row.integer(3)), addedBy: try row.text(4))
  }
}
