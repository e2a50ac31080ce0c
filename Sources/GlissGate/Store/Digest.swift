/// A hash of everything in a store (FNV-1a, 64 bits). SQLite detects a damaged structure, but not a
/// uid that has changed. The hash protects against faulty disks, not against somebody with write
/// access to the file.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { for byte in $0 { add(byte) } }
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    add(Int64(bytes.count))
    for byte in bytes { add(byte) }
  }

  /// Adds every value of every row, with its type.
  mutating func add(rowsOf statement: borrowing Statement) throws(GateError) {
    while try statement.step() {
      for column in 0..<statement.columnCount {
        if statement.isNull(column) {
          add(UInt8(0))
        } else if statement.isInteger(column) {
          add(UInt8(1))
          add(statement.integer(column))
        } else {
          add(UInt8(2))
          statement.withBytes(column) { add($0) }
        }
      }
    }
  }

  /// Hashes the rows of `tables`, ordered by id, and the definitions and sequence numbers of all
  /// tables.
  static func of(_ database: Database, tables: [String]) throws(GateError) -> Int64 {
    var digest = Digest()
    let whole = [
      "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name",
      "SELECT name, seq FROM sqlite_sequence ORDER BY name",
    ]
    for sql in whole + tables.map({ "SELECT * FROM \($0) ORDER BY id" }) {
      try digest.add(rowsOf: database.prepare(sql))
    }
    return Int64(bitPattern: digest.value)
  }
}
