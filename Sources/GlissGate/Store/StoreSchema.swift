/// The contents of a store file, and how to migrate older versions.
struct StoreSchema {
  /// The file's `application_id`, so that another program's database is not mistaken for ours.
  var applicationID: Int32
  /// The `user_version` that these statements create.
  var version: Int64
  var statements: String
  /// `migrations[0]` turns version 1 into version 2, and so on.
  var migrations: [String] = []
  /// Whether the check also compares rows with their indexes. Without, a long file opens faster.
  var isCheckedWhole: Bool

  /// What happened to the file when it was opened.
  enum Opening: Hashable {
    case asItWas, made
    case migrated(from: Int64)
  }

  /// Opens and checks the file, or creates it if it never existed. An older file is backed up and
  /// migrated.
  ///
  /// - Throws: ``GateError/Problem/store`` if anything is in doubt.
  func open(_ file: StoreFile) throws(GateError) -> (Database, Opening) {
    let isThere = try file.check() != nil
    if !isThere { try make(file) }
    let database = try Database(at: file.path)
    let application = try database.integer("PRAGMA application_id")
    guard application == applicationID else {
      throw GateError(
        .store, file.path, "is not one of Gliss's files, or has lost its beginning",
        advice: Database.moveAway)
    }
    let found = try database.integer("PRAGMA user_version")
    guard found <= version else {
      throw GateError(
        .store, file.path, "has version \(found), and this program knows \(version)",
        advice: "use the newer Gliss that wrote it, or move all files of that name away")
    }
    guard found > 0 else {
      throw GateError(.store, file.path, "has no version", advice: Database.moveAway)
    }
    try checkSound(database)
    try useWriteAheadLog(database)
    guard found < version else { return (database, isThere ? .asItWas : .made) }
    try migrate(database, of: file, from: found)
    return (database, .migrated(from: found))
  }

  private func useWriteAheadLog(_ database: Database) throws(GateError) {
    let mode = try database.texts("PRAGMA journal_mode=WAL")
    guard mode == ["wal"] else {
      throw GateError(
        .store, database.path, "cannot have a write-ahead log here",
        advice: "put it on a local file system")
    }
  }

  /// Reads the whole file and checks its structure.
  func checkSound(_ database: Database) throws(GateError) {
    let answer = try database.texts(
      isCheckedWhole ? "PRAGMA integrity_check(3)" : "PRAGMA quick_check(3)")
    guard answer == ["ok"] else {
      throw GateError(
        .store, database.path, "damaged: " + answer.joined(separator: "; ").boundedLine(300),
        advice: Database.moveAway)
    }
  }

  /// Creates a new, empty store. If the main file is missing but its companions exist, the store is
  /// not new.
  private func make(_ file: StoreFile) throws(GateError) {
    let companions = try file.companions()
    guard companions.isEmpty else {
      throw GateError(
        .store, file.path, "is missing, but \(companions.joined(separator: ", ")) is there",
        advice: "restore it, or move those away too")
    }
    try file.make(file.name) { path throws(GateError) in
      let database = try Database(at: path)
      try database.transaction { () throws(GateError) in
        try database.execute(statements)
        try writeHeader(database)
      }
    }
  }

  private func writeHeader(_ database: Database) throws(GateError) {
    try database.execute(
      "PRAGMA application_id=\(applicationID); PRAGMA user_version=\(version)")
  }

  private func migrate(
    _ database: Database, of file: StoreFile, from found: Int64
  ) throws(GateError) {
    try file.make("\(file.name).v\(found)-backup") { path throws(GateError) in
      try database.run("VACUUM INTO ?1", [.text(path)])
    }
    try database.transaction { () throws(GateError) in
      for migration in migrations.dropFirst(Int(clamping: found - 1)) {
        try database.execute(migration)
      }
      try writeHeader(database)
    }
    try checkSound(database)
  }
}

extension StoreSchema {
  /// Numbers are never reused (`AUTOINCREMENT`), so the number of a revoked grant never means
  /// another one.
  static let grants = StoreSchema(
    applicationID: 0x476c_6731, version: 3,
    statements: """
      CREATE TABLE grants (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967295),
        client TEXT NOT NULL,
        access_group TEXT NOT NULL,
        tier TEXT NOT NULL,
        events TEXT NOT NULL,
        devices TEXT NOT NULL,
        keys TEXT NOT NULL,
        allowed INTEGER NOT NULL CHECK (allowed IN (0, 1)),
        availability TEXT NOT NULL,
        expiry TEXT NOT NULL,
        this_device_only INTEGER NOT NULL CHECK (this_device_only IN (0, 1)),
        machine TEXT NOT NULL,
        boot TEXT NOT NULL,
        created INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        last_used INTEGER,
        granted_by TEXT NOT NULL,
        reason TEXT,
        UNIQUE (uid, client, access_group, tier, events, devices, keys)
      ) STRICT;
      \(members)
      """,
    // versions 1 and 2 had a hash of all rows
    migrations: [members, "DROP TABLE digest"], isCheckedWhole: true)

  /// Since version 2. Before, clients named their groups themselves.
  private static let members = """
    CREATE TABLE members (
      id INTEGER PRIMARY KEY,
      uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967295),
      client TEXT NOT NULL,
      access_group TEXT NOT NULL,
      since INTEGER NOT NULL,
      added_by TEXT NOT NULL,
      UNIQUE (uid, client, access_group)
    ) STRICT;
    """
}
