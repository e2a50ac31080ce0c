import CSQLite

/// One SQLite file that only this process has open.
///
/// Other processes cannot open it meanwhile (`locking_mode=EXCLUSIVE`), so whatever was read stays
/// true, and SQLite needs no shared memory file. Deleted text is overwritten. Committed data has
/// reached the disk (`synchronous=FULL`): grants change a few times a day, and an acknowledged one
/// must not be lost.
final class Database {
  let path: String
  private let handle: OpaquePointer

  /// Opens an existing file. An empty one counts as a database without tables.
  init(at path: String) throws(GateError) {
    self.path = path
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw Self.error(code, at: path, String(cString: sqlite3_errstr(code)))
    }
    handle = opened
    try check(gliss_sqlite_defend(handle))
    // short, because only a process that is about to exit could still have it open
    try check(sqlite3_busy_timeout(handle, 250))
    try execute(
      """
      PRAGMA locking_mode=EXCLUSIVE;
      PRAGMA cell_size_check=ON;
      PRAGMA temp_store=MEMORY;
      PRAGMA foreign_keys=ON;
      PRAGMA secure_delete=ON;
      PRAGMA wal_autocheckpoint=500;
      PRAGMA synchronous=FULL
      """)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements that return nothing or whose results do not matter.
  func execute(_ sql: String) throws(GateError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// - Parameter values: those of the statement's parameters, `?1` and so on.
  func prepare(_ sql: String, _ values: [SQLValue] = []) throws(GateError) -> Statement {
    var handle: OpaquePointer?
    try check(sqlite3_prepare_v2(self.handle, sql, -1, &handle, nil))
    guard let handle else { throw GateError(.store, path, "an empty statement") }
    let statement = Statement(handle, of: self)
    for (index, value) in values.enumerated() { try statement.bind(Int32(index + 1), value) }
    return statement
  }

  func run(_ sql: String, _ values: [SQLValue]) throws(GateError) {
    try prepare(sql, values).step()
  }

  func rows<Row>(
    _ sql: String, _ values: [SQLValue] = [],
    _ read: (borrowing Statement) throws(GateError) -> Row
  ) throws(GateError) -> [Row] {
    let statement = try prepare(sql, values)
    var rows: [Row] = []
    while try statement.step() { rows.append(try read(statement)) }
    return rows
  }

  /// The first column of each row.
  func texts(_ sql: String) throws(GateError) -> [String] {
    try rows(sql) { (row) throws(GateError) in try row.text(0) }
  }

  func integer(_ sql: String) throws(GateError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  func transaction<Result>(_ body: () throws(GateError) -> Result) throws(GateError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has already rolled back after some errors, such as a full disk
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  func check(_ code: Int32) throws(GateError) {
    if code != SQLITE_OK {
      throw Self.error(code, at: path, String(cString: sqlite3_errmsg(handle)))
    }
  }

  private static func error(_ code: Int32, at path: String, _ message: String) -> GateError {
    // the low byte of an extended code is the basic code
    let advice: String? =
      switch code & 0xff {
      case SQLITE_FULL, SQLITE_IOERR: "check the disk and its free space"
      // our statements fit any of our files, so SQLITE_ERROR means that a definition is damaged
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: moveAway
      case SQLITE_BUSY, SQLITE_LOCKED: "another process has it open: is a second glissd running?"
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH:
        "let glissd's user read and write it and its folder"
      case _: nil
      }
    return GateError(.store, path, message, advice: advice)
  }

  static let moveAway =
    "restore it from a backup, or move all files of that name away: glissd then begins with one that grants nothing"
}

/// An SQLite statement and its current row. Parameters count from 1, columns from 0.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  fileprivate func bind(_ index: Int32, _ value: SQLValue) throws(GateError) {
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let number): sqlite3_bind_int64(handle, index, number)
      case .text(let text):
        text.withCString {
          sqlite3_bind_text(handle, index, $0, Int32(text.utf8.count), gliss_sqlite_transient())
        }
      }
    try database.check(code)
  }

  /// Advances to the next row; false if there is none.
  @discardableResult func step() throws(GateError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      try database.check(code)
      return false
    }
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// - Throws: if its bytes are not UTF-8.
  func text(_ column: Int32) throws(GateError) -> String {
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw GateError(.store, database.path, "text that is not UTF-8", advice: Database.moveAway)
    }
    return text
  }
}

enum SQLValue {
  case null
  case integer(Int64)
  case text(String)
}

/// The contents of a store file. A file of another version is refused.
struct StoreSchema {
  /// The file's `application_id`, so that another program's database is not mistaken for ours.
  var applicationID: Int32
  /// The `user_version` that these statements create.
  var version: Int64
  var statements: String
  /// Whether the check also compares rows with their indexes. Without, a long file opens faster.
  var isCheckedWhole: Bool
  /// What to do if the file was replaced while it was open.
  var whenReplaced: String

  /// Opens and checks the file, or creates it if it never existed. Throws
  /// ``GateError/Problem/store`` if anything is in doubt.
  func open(_ file: StoreFile) throws(GateError) -> OpenStore {
    let isThere = try file.check() != nil
    if !isThere { try make(file) }
    try file.checkAccess()
    let database = try Database(at: file.path)
    let application = try database.integer("PRAGMA application_id")
    guard application == applicationID else {
      throw GateError(
        .store, file.path, "is not one of Gliss's files, or has lost its beginning",
        advice: Database.moveAway)
    }
    let found = try database.integer("PRAGMA user_version")
    guard found > 0 else {
      throw GateError(.store, file.path, "has no version", advice: Database.moveAway)
    }
    guard found == version else {
      throw GateError(
        .store, file.path, "has version \(found), and this program knows \(version)",
        advice: "use the Gliss that wrote it, or move all files of that name away")
    }
    try checkSound(database)
    guard try database.texts("PRAGMA journal_mode=WAL") == ["wal"] else {
      throw GateError(
        .store, file.path, "cannot have a write-ahead log here",
        advice: "put it on a local file system")
    }
    return OpenStore(
      file: file, identity: try file.check(), database: database, wasMade: !isThere,
      whenReplaced: whenReplaced)
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

  /// The store is not new if only its companions exist.
  private func make(_ file: StoreFile) throws(GateError) {
    let companions = try file.companions()
    guard companions.isEmpty else {
      throw GateError(
        .store, file.path, "is missing, but \(companions.joined(separator: ", ")) is there",
        advice: "restore it, or move those away too")
    }
    try file.make { path throws(GateError) in
      let database = try Database(at: path)
      try database.transaction { () throws(GateError) in
        try database.execute(statements)
        try database.execute(
          "PRAGMA application_id=\(applicationID); PRAGMA user_version=\(version)")
      }
    }
  }
}

extension StoreSchema {
  /// `AUTOINCREMENT`: the number of a revoked grant never means another one.
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
      CREATE TABLE members (
        id INTEGER PRIMARY KEY,
        uid INTEGER NOT NULL CHECK (uid BETWEEN 0 AND 4294967295),
        client TEXT NOT NULL,
        access_group TEXT NOT NULL,
        since INTEGER NOT NULL,
        added_by TEXT NOT NULL,
        UNIQUE (uid, client, access_group)
      ) STRICT;
      """, isCheckedWhole: true, whenReplaced: "see what it grants now, then restart glissd")
}

/// A store's file while it is open.
struct OpenStore {
  let file: StoreFile
  let identity: StoreFile.Identity?
  let database: Database
  /// Whether there was no file.
  let wasMade: Bool
  let whenReplaced: String

  /// - Throws: if others could have written to it since it was opened, or it is another file.
  func checkPlace() throws(GateError) {
    guard try file.check() == identity else {
      throw GateError(
        .store, file.path, "was removed or replaced while it was open", advice: whenReplaced)
    }
  }

  /// Does the body's changes, or none. They are on disk then only if they are to be durable.
  func transaction<Result>(
    isDurable: Bool, _ body: () throws(GateError) -> Result
  ) throws(GateError) -> Result {
    try checkPlace()
    try database.execute("PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL")")
    return try database.transaction(body)
  }
}
