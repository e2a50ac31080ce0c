extension StoreSchema {
  /// - Parameter capacity: how many entries of each shelf are kept.
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

  /// Version 1 had decisions and other entries, and the latter included who was given what. Each
  /// shelf is numbered without gaps, because trimming goes by these numbers.
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
