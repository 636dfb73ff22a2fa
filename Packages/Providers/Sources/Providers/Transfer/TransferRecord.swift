internal import SQLiteCore

/// What a target remembers of a copy until it is over, so that it can go on after it was interrupted.
struct TransferRecord: RowDecodable {
  /// How many of the source's rows were copied, from the first one on.
  var rowCount: Int
  /// The sum of the checksums of these rows.
  var checksum: UInt64
  /// The sum, and the number, of rows that were there before.
  var formerChecksum: UInt64
  var formerCount: Int

  static let tableName = "holt_transfer"

  static func begin(in connection: Connection) throws {
    try connection.execute(
      """
      CREATE TABLE IF NOT EXISTS \(unsafe: tableName) (
        name TEXT PRIMARY KEY COLLATE NOCASE, rows INTEGER, checksum INTEGER,
        former_checksum INTEGER, former_rows INTEGER)
      """)
  }

  /// Whether an interrupted copy has left its records.
  static func isBegun(in connection: Connection) throws -> Bool {
    try connection.hasTable(tableName)
  }

  static func end(in connection: Connection) throws {
    try connection.execute("DROP TABLE \(unsafe: tableName)")
  }

  static func find(_ table: String, in connection: Connection) throws -> TransferRecord? {
    try connection.fetchOne(
      TransferRecord.self,
      """
      SELECT rows, checksum, former_checksum, former_rows FROM \(unsafe: tableName)
      WHERE name = ?
      """, table)
  }

  func save(_ table: String, in connection: Connection) throws {
    try connection.run(
      "INSERT OR REPLACE INTO \(unsafe: Self.tableName) VALUES (?, ?, ?, ?, ?)", table, rowCount,
      Int64(bitPattern: checksum), Int64(bitPattern: formerChecksum), formerCount)
  }

  init(formerChecksum: UInt64 = 0, formerCount: Int = 0) {
    (rowCount, checksum) = (0, 0)
    (self.formerChecksum, self.formerCount) = (formerChecksum, formerCount)
  }

  init(row: borrowing Row) throws(SQLiteError) {
    rowCount = try row.read(at: 0)
    checksum = UInt64(bitPattern: try row.integer(at: 1))
    formerChecksum = UInt64(bitPattern: try row.integer(at: 2))
    formerCount = try row.read(at: 3)
  }
}
