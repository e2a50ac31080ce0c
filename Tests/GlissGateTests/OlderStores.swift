import Glibc
import Testing

@testable import GlissGate

/// Stores as older programs wrote them, to the byte of their definitions. They stay as they are when the schema changes.
enum OlderStore {
  /// Version 1.
  static let grants = """
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
    INSERT INTO grants VALUES (1, 1000, 'program:/opt/a', '', 'gesture', 'gesture', '', '', 1,
      'whenUnlocked', 'never', 0, '', '', 1795375745, 1795375745, NULL, 'root', NULL);
    INSERT INTO grants VALUES (2, 1000, 'unit:a.service', '', 'raw', 'touch key', 'My Pad\nPen\n',
      'media', 1, 'always', '4102444800', 1, '\(machine)', '', 1795375745, 1795375745, NULL, 'root',
      'to show the volume');
    INSERT INTO grants VALUES (3, 1001, 'app:org.example.App', 'org.example.suite', 'post', '', '',
      '', 1, 'whenUnlocked', 'never', 0, '', '', 1795375745, 1795375745, NULL, 'root', NULL);
    INSERT INTO grants VALUES (5, 1000, 'program:/opt/c', '', 'gesture', 'gesture', '', '', 0,
      'whenUnlocked', 'never', 1, '\(machine)', '', 1795375745, 1795375745, NULL, 'root', NULL);
    INSERT INTO grants VALUES (6, 0, 'program:/usr/bin/python3.11', '', 'gesture', 'gesture', '', '',
      1, 'whenUnlocked', 'never', 1, '\(machine)', '', 1795375745, 1795375745, NULL, 'root', NULL);
    INSERT INTO digest VALUES (1, -947723674164779942);
    PRAGMA application_id=1198286641; PRAGMA user_version=1
    """

  /// Version 2 had members too.
  static let grantsAndMembers =
    grants + """
      ;
      CREATE TABLE members (
        id INTEGER PRIMARY KEY,
        uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967295),
        client TEXT NOT NULL,
        access_group TEXT NOT NULL,
        since INTEGER NOT NULL,
        added_by TEXT NOT NULL,
        UNIQUE (uid, client, access_group)
      ) STRICT;
      INSERT INTO members VALUES (1, 1000, 'program:/opt/a', 'org.example.suite', 1795375745, 'root');
      PRAGMA user_version=2
      """

  /// Where ``grants`` were given.
  static let machine = "0123456789abcdef0123456789abcdef"

  /// Writes the file at `path`.
  static func make(_ sql: String, at path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    try Database(at: path).execute(sql)
  }
}
