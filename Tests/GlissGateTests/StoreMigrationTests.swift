import Foundation
import GlissEvents
import Testing

@testable import GlissGate

/// How a store of an older program becomes one of this. There is no older one yet, so the tests make one: its table lacks
/// a column, and today's schema counts as version 2.
@Suite struct StoreMigrationTests {
  static let old = StoreSchema(
    applicationID: StoreSchema.grants.applicationID, version: 1,
    statements: StoreSchema.grants.statements.replacing("boot TEXT NOT NULL,", with: ""),
    digestedTable: "grants", isCheckedWhole: true)

  static let adding = """
    ALTER TABLE grants RENAME TO old_grants;
    \(StoreSchema.grants.statements.split(separator: ";")[0]);
    INSERT INTO grants SELECT id, uid, client, access_group, tier, events, devices, keys, allowed,
      availability, expiry, this_device_only, machine, 'unknown', created, modified, last_used,
      granted_by, reason FROM old_grants;
    DROP TABLE old_grants
    """

  static func current(_ migration: String = adding) -> StoreSchema {
    var schema = StoreSchema.grants
    schema.version = 2
    schema.migrations = [migration]
    return schema
  }

  /// A folder with an old store that has one grant.
  static func rig() throws -> GateRig {
    let rig = try GateRig()
    let (database, _) = try old.open(StoreFile("grants.db", in: rig.folder))
    try database.transaction { () throws(GateError) in
      try database.execute(
        """
        INSERT INTO grants (uid, client, access_group, tier, events, devices, keys, allowed,
          availability, expiry, this_device_only, machine, created, modified, granted_by)
        VALUES (1000, 'program:/opt/a', '', 'gesture', 'gesture', '', '', 1, 'always', 'never', 0,
          '', 3, 4, 'root')
        """)
      try old.writeDigest(database)
    }
    return rig
  }

  static func gate(_ rig: GateRig, _ schema: StoreSchema) -> Gate {
    Gate(folder: rig.folder, machine: rig.machine, sink: rig.sink, schema: schema, at: rig.now)
  }

  static func names(_ rig: GateRig) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: rig.folder)
      .filter { $0.hasPrefix("grants") }.sorted()
  }

  @Test func anOlderStoreIsMigratedAndACopyOfItKept() throws {
    let rig = try Self.rig()
    do {
      let gate = Self.gate(rig, Self.current())
      #expect(gate.fault == nil)
      let grant = try #require(try gate.grants().first)
      #expect(grant.terms.client == .program("/opt/a"))
      #expect(grant.terms.availability == .always)
      #expect(grant.created == WallTime(seconds: 3))
      #expect(gate.check() == [])
      #expect(rig.sink.entries.first?.detail.contains("migrated from version 1") == true)
    }
    #expect(try Self.names(rig) == ["grants.db", "grants.db.v1-backup"])
    var status = stat()
    #expect(stat(rig.grantsPath + ".v1-backup", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    // the copy is the store as it was
    rename(rig.grantsPath + ".v1-backup", rig.grantsPath)
    let (database, _) = try Self.old.open(StoreFile("grants.db", in: rig.folder))
    #expect(try database.texts("SELECT client FROM grants") == ["program:/opt/a"])
  }

  @Test(arguments: [
    "THIS IS NO SQL",
    "DELETE FROM grants; THIS IS NO SQL",
    "DROP TABLE grants",
    "UPDATE grants SET uid = -1",
  ])
  func aMigrationThatFailsLeavesTheStoreAsItWas(_ migration: String) throws {
    let rig = try Self.rig()
    do {
      let gate = Self.gate(rig, Self.current(migration))
      #expect(gate.fault != nil)
      #expect(
        gate.verdict(on: Ask(.program("/opt/a"), .gestures), at: rig.now).standing == .restricted)
    }
    do {
      let (database, _) = try Self.old.open(StoreFile("grants.db", in: rig.folder))
      #expect(try database.texts("SELECT client FROM grants") == ["program:/opt/a"])
      #expect(try database.integer("PRAGMA user_version") == 1)
    }
    // and a program that does it right comes next
    #expect(try Self.gate(rig, Self.current()).grants().count == 1)
  }

  /// What is left where a process ended while it made the copy.
  @Test func aCopyThatWasNeverFinishedIsMadeAgain() throws {
    let rig = try Self.rig()
    try Data("half a copy".utf8).write(to: URL(filePath: rig.grantsPath + ".new"))
    try Data("its log".utf8).write(to: URL(filePath: rig.grantsPath + ".new-journal"))
    try Data("an earlier copy".utf8).write(to: URL(filePath: rig.grantsPath + ".v1-backup"))
    do { #expect(try Self.gate(rig, Self.current()).grants().count == 1) }
    #expect(try Self.names(rig) == ["grants.db", "grants.db.v1-backup"])
  }

  @Test func aNewStoreThatWasNeverFinishedIsMadeAgain() throws {
    let rig = try GateRig()
    try Data("half a store".utf8).write(to: URL(filePath: rig.grantsPath + ".new"))
    do { #expect(try rig.openSound().grants() == []) }
    #expect(try Self.names(rig) == ["grants.db"])
  }

  @Test func aDamagedOlderStoreIsNotMigrated() throws {
    let rig = try Self.rig()
    try rig.sqlite("UPDATE grants SET uid = 7")
    let gate = Self.gate(rig, Self.current())
    #expect(gate.fault.map { "\($0)".contains("does not say what was written") } == true)
    #expect(try Self.names(rig) == ["grants.db"])
  }
}
