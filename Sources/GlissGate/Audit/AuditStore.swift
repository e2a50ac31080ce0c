/// The audit in its file, which refuses SQL that would change an entry or remove it early. It is
/// separate from the grants, so existing grants stay valid if it is damaged or full.
final class AuditStore {
  /// Of each shelf: other entries must not push out decisions or who was given what.
  static let capacity: Int64 = 5000

  private let file: StoreFile
  private let identity: StoreFile.Identity?
  private let database: Database
  private let capacity: Int64

  init(_ file: StoreFile, capacity: Int64 = AuditStore.capacity) throws(GateError) {
    self.file = file
    self.capacity = capacity
    database = try StoreSchema.audit(capacity: capacity).open(file).0
    identity = try file.check()
  }

  /// Writes all entries, or none. A decision is on disk when this returns. Other entries survive a
  /// crash of this process but not of the machine; this spares the disk if a client connects often.
  func append(_ entries: [AuditEntry]) throws(GateError) {
    guard !entries.isEmpty else { return }
    guard try file.check() == identity else {
      throw GateError(
        .audit, file.path, "was removed or replaced while it was open",
        advice: "put it back, or restart glissd")
    }
    let isDurable = entries.contains { $0.action.isDecision }
    try database.execute("PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL")")
    try database.transaction { () throws(GateError) in
      for entry in entries { try insert(entry) }
    }
  }

  private func insert(_ entry: AuditEntry) throws(GateError) {
    let shelf = SQLValue.integer(entry.shelf.rawValue)
    try database.run(
      """
      INSERT INTO audit (time, action, uid, client, detail, count, shelf, number)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7,
        1 + coalesce((SELECT max(number) FROM audit WHERE shelf = ?7), 0)
      """,
      [
        .integer(entry.time.seconds), .text(entry.action.rawValue), .integer(Int64(entry.uid)),
        .text(entry.client), .text(entry.detail), .integer(entry.count), shelf,
      ])
    try database.run(
      """
      DELETE FROM audit WHERE shelf = ?1
        AND number <= (SELECT max(number) FROM audit WHERE shelf = ?1) - \(capacity)
      """, [shelf])
  }

  func newest(
    _ limit: Int, of uid: UInt32? = nil, action: AuditAction? = nil
  ) throws(GateError) -> [AuditEntry] {
    let entries = try database.rows(
      """
      SELECT time, action, uid, client, detail, count FROM audit
      WHERE \(uid == nil ? "?2 < 0" : "uid = ?2") AND (?3 = '' OR action = ?3)
      ORDER BY id DESC LIMIT ?1
      """,
      [
        .integer(Int64(max(0, limit))), .integer(uid.map { Int64($0) } ?? -1),
        .text(action?.rawValue ?? ""),
      ]
    ) { (row) throws(GateError) -> AuditEntry? in
      guard let action = AuditAction(rawValue: try row.text(1)) else { return nil }
      return AuditEntry(
        time: WallTime(seconds: row.integer(0)), action: action,
        uid: UInt32(truncatingIfNeeded: row.integer(2)), client: try row.text(3),
        detail: try row.text(4), count: row.integer(5))
    }
    return entries.compactMap(\.self).reversed()
  }
}

extension StoreSchema {
  static func audit(capacity: Int64) -> StoreSchema {
    let statements = """
      CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        time INTEGER NOT NULL,
        action TEXT NOT NULL,
        uid INTEGER NOT NULL,
        client TEXT NOT NULL,
        detail TEXT NOT NULL,
        count INTEGER NOT NULL,
        shelf INTEGER NOT NULL CHECK (shelf IN (0, 1, 2)),
        number INTEGER NOT NULL,
        UNIQUE (shelf, number)
      ) STRICT;
      CREATE INDEX audit_of_user ON audit (uid, id);
      CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'an entry of the audit cannot be changed'); END;
      CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
      WHEN old.number > (SELECT max(number) FROM audit WHERE shelf = old.shelf) - \(capacity)
      BEGIN SELECT RAISE(ABORT, 'an entry of the audit is removed by its age only'); END;
      """
    return StoreSchema(
      applicationID: 0x476c_6132, version: 2, statements: statements,
      migrations: [shelving(into: statements)], isCheckedWhole: false)
  }

  /// Version 1 had only decisions and other entries, and the latter included who was given what.
  /// The numbers of each shelf have no gaps, because trimming depends on that.
  private static func shelving(into statements: String) -> String {
    """
    DROP TRIGGER audit_stays;
    DROP TRIGGER audit_is_kept;
    ALTER TABLE audit RENAME TO old_audit;
    \(statements)
    INSERT INTO audit (id, time, action, uid, client, detail, count, shelf, number)
      SELECT id, time, action, uid, client, detail, count, shelf,
        row_number() OVER (PARTITION BY shelf ORDER BY id)
      FROM (
        SELECT *, CASE action WHEN 'connect' THEN \(AuditAction.Shelf.given.rawValue)
          ELSE decision END AS shelf
        FROM old_audit
      ) ORDER BY id;
    DROP TABLE old_audit;
    """
  }
}
