import Foundation
import Testing

@testable import GlissGate

/// The migration of an audit from version 1.
@Suite struct AuditMigrationTests {
  /// As a program of that version wrote it.
  static let old = """
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      time INTEGER NOT NULL,
      action TEXT NOT NULL,
      uid INTEGER NOT NULL,
      client TEXT NOT NULL,
      detail TEXT NOT NULL,
      count INTEGER NOT NULL,
      decision INTEGER NOT NULL CHECK (decision IN (0, 1)),
      number INTEGER NOT NULL,
      UNIQUE (decision, number)
    ) STRICT;
    CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'an entry of the audit cannot be changed'); END;
    CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
    WHEN old.number > (SELECT max(number) FROM audit WHERE decision = old.decision) - 5000
    BEGIN SELECT RAISE(ABORT, 'an entry of the audit is removed by its age only'); END;
    INSERT INTO audit VALUES (1, 5, 'store', 0, 'glissd', 'one was made', 1, 1, 1);
    INSERT INTO audit VALUES (7, 6, 'grant', 1000, 'program:/opt/a', 'grant 1', 1, 1, 2);
    INSERT INTO audit VALUES (8, 6, 'refuse', 1000, 'program:/opt/a', 'raw: key', 3, 0, 41);
    INSERT INTO audit VALUES (9, 7, 'connect', 1000, 'program:/opt/a', 'gesture', 1, 0, 42);
    INSERT INTO audit VALUES (10, 8, 'refuse', 1000, '', 'too many to list', 9, 0, 43);
    INSERT INTO audit VALUES (11, 9, 'revoke', 1000, 'program:/opt/a', 'grant 1', 1, 1, 3);
    INSERT INTO audit VALUES (12, 9, 'connect', 1001, 'unit:b.service', 'raw: key', 2, 0, 44);
    PRAGMA application_id=1198285106; PRAGMA user_version=1
    """

  @Test func aMigrationKeepsAllEntries() throws {
    let rig = try GateRig()
    try OlderStore.make(Self.old, at: rig.auditPath)
    let file = try StoreFile("audit.db", in: rig.folder)
    do {
      let store = try AuditStore(file, capacity: 10)
      let log = try store.newest(100)
      #expect(log.map(\.time.seconds) == [5, 6, 6, 7, 8, 9, 9])
      #expect(
        log.map(\.action)
          == [.store, .grant, .refuse, .connect, .refuse, .revoke, .connect])
      #expect(log.map(\.uid) == [0, 1000, 1000, 1000, 1000, 1000, 1001])
      #expect(log.map(\.count) == [1, 1, 3, 1, 9, 1, 2])
      #expect(log[2].client == "program:/opt/a" && log[2].detail == "raw: key")
      // numbers without gaps: 8 more of each fill the shelf of connects, and push nothing out of it
      for action in [AuditAction.connect, .refuse] {
        for _ in 0..<8 {
          try store.append([
            AuditEntry(time: rig.now, action: action, uid: 1, client: "", detail: "new")
          ])
        }
      }
      #expect(try store.newest(100).count { $0.time.seconds < 100 } == 7)
    }
    let database = try Database(at: rig.auditPath)
    for (sql, said) in [
      ("UPDATE audit SET detail = 'x'", "cannot be changed"),
      ("DELETE FROM audit WHERE action = 'connect'", "by its age only"),
    ] {
      let error = try gateError { try database.execute(sql) }
      #expect(error?.message.contains(said) == true)
    }
    #expect(
      try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        == ["audit", "sqlite_sequence"])
  }

  @Test func aGateContinuesAnOlderAudit() throws {
    let rig = try GateRig()
    try OlderStore.make(Self.old, at: rig.auditPath)
    let gate = rig.openSound()
    _ = try gate.add(.program("/opt/b"), by: "root", at: rig.now)
    #expect(try gate.log(limit: 3).map(\.action) == [.connect, .store, .grant])
    #expect(FileManager.default.fileExists(atPath: rig.auditPath + ".v1-backup"))
  }
}
