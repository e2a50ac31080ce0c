import Foundation
import GlissEvents
import Testing

@testable import GlissGate

/// The migration of older stores (``OlderStore``).
@Suite struct StoreMigrationTests {
  /// Today's schema, with another migration from version 1.
  static func current(_ migration: String? = nil) -> StoreSchema {
    var schema = StoreSchema.grants
    if let migration { schema.migrations[0] = migration }
    return schema
  }

  static func rig() throws -> GateRig {
    let rig = try GateRig()
    rig.machine.id = OlderStore.machine
    try OlderStore.make(OlderStore.grants, at: rig.grantsPath)
    return rig
  }

  /// The clients in a store of version 1, opened as that program opened it.
  static func oldClients(_ rig: GateRig) throws -> [String] {
    var old = StoreSchema.grants
    old.version = 1
    old.migrations = []
    let (database, opening) = try old.open(StoreFile("grants.db", in: rig.folder))
    #expect(opening == .asItWas)
    return try database.texts("SELECT client FROM grants ORDER BY id")
  }

  static let clients = [
    "program:/opt/a", "unit:a.service", "app:org.example.App", "program:/opt/c",
    "program:/usr/bin/python3.11",
  ]

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
      let gate = rig.openSound()
      let grants = try gate.grants()
      #expect(grants.map(\.terms.client.description) == Self.clients)
      #expect(grants.map(\.id.rawValue) == [1, 2, 3, 5, 6])
      var terms = Grant.Terms(
        uid: 1000, client: .unit("a.service"),
        scope: Scope(
          tier: .raw, events: [.key, .touch], devices: ["My Pad", "Pen"], keys: .media))
      terms.availability = .always
      terms.expiry = .at(WallTime(seconds: 4_102_444_800))
      terms.reason = "to show the volume"
      #expect(grants[1].terms == terms)
      #expect(grants[2].terms.group == (try AccessGroup("org.example.suite")))
      #expect(!grants[3].terms.isAllowed)
      #expect(grants[0].created == WallTime(seconds: 1_795_375_745))
      #expect(try gate.members() == [])
      #expect(gate.check() == [])
      #expect(rig.sink.entries.first?.detail.contains("migrated from version 1") == true)
      // members, new in version 2, can be used, and numbering continues
      try gate.add(.program("/opt/a", in: "org.example"), by: "root", at: rig.now)
      #expect(try gate.add(.program("/opt/d"), by: "root", at: rig.now).id.rawValue == 7)
    }
    #expect(try rig.openSound().members().map(\.membership.group.name) == ["org.example"])
    #expect(try Self.names(rig) == ["grants.db", "grants.db.v1-backup"])
    var status = stat()
    #expect(stat(rig.grantsPath + ".v1-backup", &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    // the copy is the store as it was
    rename(rig.grantsPath + ".v1-backup", rig.grantsPath)
    #expect(try Self.oldClients(rig) == Self.clients)
  }

  @Test func aStoreOfVersion2KeepsItsGrantsAndMembers() throws {
    let rig = try GateRig()
    rig.machine.id = OlderStore.machine
    try OlderStore.make(OlderStore.grantsAndMembers, at: rig.grantsPath)
    do {
      let gate = rig.openSound()
      #expect(try gate.grants().map(\.terms.client.description) == Self.clients)
      #expect(try gate.members().map(\.membership.group.name) == ["org.example.suite"])
      #expect(rig.sink.entries.first?.detail.contains("migrated from version 2") == true)
    }
    #expect(try Self.names(rig) == ["grants.db", "grants.db.v2-backup"])
    #expect(try rig.openSound().grants().count == 5)
  }

  @Test(arguments: [
    "THIS IS NO SQL",
    "DELETE FROM grants; THIS IS NO SQL",
    // the next migration needs it
    "DROP TABLE digest",
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
    #expect(try Self.oldClients(rig) == Self.clients)
    // a program with a correct migration succeeds afterwards
    #expect(try Self.gate(rig, Self.current()).grants().count == 5)
  }

  /// Files of a process that ended while it made the copy.
  @Test func anUnfinishedBackupIsMadeAgain() throws {
    let rig = try Self.rig()
    try Data("half a copy".utf8).write(to: URL(filePath: rig.grantsPath + ".new"))
    try Data("its log".utf8).write(to: URL(filePath: rig.grantsPath + ".new-journal"))
    try Data("an earlier copy".utf8).write(to: URL(filePath: rig.grantsPath + ".v1-backup"))
    do { #expect(try Self.gate(rig, Self.current()).grants().count == 5) }
    #expect(try Self.names(rig) == ["grants.db", "grants.db.v1-backup"])
  }

  @Test func anUnfinishedNewStoreIsMadeAgain() throws {
    let rig = try GateRig()
    try Data("half a store".utf8).write(to: URL(filePath: rig.grantsPath + ".new"))
    do { #expect(try rig.openSound().grants() == []) }
    #expect(try Self.names(rig) == ["grants.db"])
  }

  @Test func aDamagedOlderStoreIsNotMigrated() throws {
    let rig = try Self.rig()
    truncate(rig.grantsPath, 8192)
    let gate = Self.gate(rig, Self.current())
    #expect(gate.fault.map { "\($0)".contains("malformed") } == true)
    #expect(try Self.names(rig) == ["grants.db"])
  }
}
