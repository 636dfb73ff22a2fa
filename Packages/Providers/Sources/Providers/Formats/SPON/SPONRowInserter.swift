internal import SPON
internal import SQLiteCore

/// Puts rows into a table of the private database.
final class SPONRowInserter {
  private let types: [SPONColumnType]
  private let rows: DeclaredTable

  struct Column {
    /// The key of its pairs.
    let key: String
    let name: String
    let type: SPONColumnType
  }

  /// - Parameter rowID: The name by which rows are numbered, where their numbers are given.
  init(_ table: String, _ columns: [Column], rowID: String?, on connection: Connection) throws {
    types = columns.map(\.type)
    rows = try DeclaredTable(
      table, columns: columns.map(\.name), keys: columns.map(\.key), rowID: rowID, in: connection)
  }

  var table: String { rows.name }

  /// Sets a column of the row that is put together; `false` where there is no such column.
  func set(_ key: String, _ value: SPONValue) throws -> Bool {
    guard let column = rows.column(key) else { return false }
    try rows.set(column, types[column].stored(value))
    return true
  }

  /// Puts the row in, with the columns that were set.
  func insert(rowID: Int64?) throws {
    if let rowID { try rows.setRowID(rowID) }
    try rows.endRow()
  }
}

/// Rows that wait until all of them were seen, as texts, one behind the other.
struct SPONStagedRows {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  var count: Int { ends.count }

  mutating func append(_ row: SPONValue) throws {
    bytes.append(contentsOf: try row.bytes())
    ends.append(bytes.count)
  }

  func forEach(_ body: (SPONObject) throws -> Void) throws {
    var start = 0
    for end in ends {
      if let row = try SPONValue(parsing: Array(bytes[start..<end])).object { try body(row) }
      start = end
    }
  }
}
