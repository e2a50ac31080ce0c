import CSQLite

/// An SQLite statement and its current row. Parameters count from 1, columns from 0.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ index: Int32, _ value: Int64) throws(GateError) {
    try database.check(sqlite3_bind_int64(handle, index, value))
  }

  func bind(_ index: Int32, _ text: String) throws(GateError) {
    var text = text
    let code = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // an empty string may have no address, and NULL would be bound
        $0.baseAddress.map {
          sqlite3_bind_text(handle, index, $0, Int32(bytes.count), gliss_sqlite_transient())
        } ?? sqlite3_bind_text(handle, index, "", 0, gliss_sqlite_transient())
      }
    }
    try database.check(code)
  }

  func bindNull(_ index: Int32) throws(GateError) {
    try database.check(sqlite3_bind_null(handle, index))
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

  /// Resets the statement to run again. Its parameters stay bound.
  func reset() { sqlite3_reset(handle) }

  var columnCount: Int32 { sqlite3_column_count(handle) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func isInteger(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// - Throws: if its bytes are not UTF-8.
  func text(_ column: Int32) throws(GateError) -> String {
    let text = withBytes(column) { String(validating: $0, as: UTF8.self) }
    guard let text else {
      throw GateError(.store, database.path, "text that is no UTF-8", advice: Database.moveAway)
    }
    return text
  }

  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let bytes = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }
}
