extension StoreSchema {
  /// Numbers are never reused (`AUTOINCREMENT`), so the number of a revoked grant never means
  /// another one.
  static let grants = StoreSchema(
    applicationID: 0x476c_6731, version: 2,
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
      CREATE TABLE digest (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL) STRICT;
      \(members)
      """,
    migrations: [members], digestedTables: [("grants", 1), ("members", 2)],
    isCheckedWhole: true)

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
