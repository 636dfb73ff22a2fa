internal import SPON
internal import SQLiteCore

/// Inserts the rows of a database file into a table.
final class SPONRowInserter {
  private let types: [SPONColumnType]
  private let rows: RowInserter

  /// - Parameters:
  ///   - columns: The columns, whose names are the keys of their pairs.
  ///   - rowID: The name of the rowid, if rows are inserted with explicit rowids.
  init(
    _ table: String, _ columns: [(name: String, type: SPONColumnType)], rowID: String?,
    on connection: Connection
  ) throws {
    types = columns.map(\.type)
    rows = try RowInserter(
      table, columns: columns.map(\.name), rowID: rowID, in: connection)
  }

  var table: String { rows.name }

  /// Returns the column of the pair whose value the last event is, or begins; `nil` if there is no
  /// such column.
  func column(of source: SPONSource) -> Int? {
    var column: Int?
    source.reader.withKey { column = rows.column($0) }
    return column
  }

  /// Sets a column of the current row to the value that the last event is, or begins.
  func set(
    _ column: Int, _ type: SPONEventReader.EventType, from source: inout SPONSource
  ) throws {
    // A string in a blob column can be Base64.
    if type == .opaque || type == .string && types[column] != .blob {
      try source.reader.withText { try rows.set(column, text: $0) }
    } else {
      try rows.set(column, types[column].stored(source.value()))
    }
  }

  /// Sets a column of the current row; `false` if the column does not exist.
  func set(_ key: String, _ value: SPONValue) throws -> Bool {
    guard let column = rows.column(key) else { return false }
    try rows.set(column, types[column].stored(value))
    return true
  }

  /// Inserts the current row.
  func insert(rowID: Int64?) throws {
    if let rowID { try rows.setRowID(rowID) }
    try rows.endRow()
  }
}
