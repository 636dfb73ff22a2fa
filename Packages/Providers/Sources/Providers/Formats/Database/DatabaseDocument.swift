internal import SQLiteCore

/// A document that holds all of a database, in a format of its own.
///
/// ``write(_:)`` decides what is written and in which order, and calls the other functions, which only spell it: ``begin(_:)-(MirrorContents)``,
/// for each table ``begin(_:)-(WrittenTable)``, its rows and ``endTable()``, and at last ``end(_:)``.
protocol DatabaseDocument: ~Copyable {
  mutating func begin(_ contents: MirrorContents) throws
  /// Begins a table, with all but its rows.
  mutating func begin(_ table: WrittenTable) throws
  /// - Parameter rowID: SQLite's number of the row; `nil` if the table's rows are not numbered in the document.
  mutating func beginRow(rowID: Int64?) throws
  /// Writes the value of a stored column.
  ///
  /// - Throws: ``UnwritableValue`` if the format has no form for it.
  mutating func write(_ row: borrowing Row, column: Int) throws
  mutating func endRow() throws
  mutating func endTable() throws
  mutating func end(_ contents: MirrorContents) throws
}

/// A value that a format has no form for.
struct UnwritableValue: Error {
  let message: String
}

extension DatabaseDocument where Self: ~Copyable {
  /// Writes all of a database.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable``, the table and the column for what the document
  ///   can't hold.
  mutating func write(_ connection: Connection) throws {
    let contents = try MirrorContents(connection)
    try begin(contents)
    for table in contents.tables {
      do {
        try write(try WrittenTable(table, connection), of: connection)
      } catch var error as ProviderError where error.table == nil {
        error.table = table.name
        throw error
      }
    }
    try end(contents)
  }

  private mutating func write(_ table: WrittenTable, of connection: Connection) throws {
    try begin(table)
    if !table.isRebuilt { try writeRows(of: table, connection) }
    try endTable()
  }

  private mutating func writeRows(of table: WrittenTable, _ connection: Connection) throws {
    let columns = table.columns
    let hasRowID = table.rowIDName != nil
    var number = 0
    try table.stored.forEachRow(of: connection, withRowID: hasRowID) { row in
      number += 1
      try beginRow(rowID: hasRowID ? try row.integer(at: ColumnIndex(columns.count)) : nil)
      for (index, column) in columns.enumerated() {
        do {
          try write(row, column: index)
        } catch let error as UnwritableValue {
          throw ProviderError(
            .unrepresentable, "\(error.message), in row \(number)", table: table.name,
            column: column.name)
        } catch let error as SQLiteError where error.code == .invalidText {
          throw ProviderError(
            .unrepresentable, "the text is not UTF-8, in row \(number)", table: table.name,
            column: column.name)
        }
      }
      try endRow()
    }
  }
}

/// A table as a ``DatabaseDocument`` writes it.
struct WrittenTable {
  let stored: StoredTable
  /// The name of SQLite's number of a row, if rows must be numbered: no column has the number, and it is not simply the row's
  /// place from 1 on.
  let rowIDName: String?
  /// Whether a search index looks its rows up in another table, so that it has none of its own.
  let isRebuilt: Bool

  var name: String { stored.name }
  var columns: [TableSchema.Column] { stored.columns }

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the rows can't be read, or could not be inserted
  ///   again.
  init(_ table: StoredTable, _ connection: Connection) throws {
    stored = table
    guard let module = table.schema.module else {
      isRebuilt = false
      rowIDName = try table.rowIDName.flatMap { try Self.needs($0, table, connection) ? $0 : nil }
      return
    }
    let name = SQLName.folded(module.name)
    guard ["fts3", "fts4", "fts5", "rtree", "rtree_i32"].contains(name) else {
      throw ProviderError(
        .unrepresentable, "the rows of a virtual table of \(module.name) are its own",
        table: table.name)
    }
    let content = module.option("content")
    guard content != "" else {
      throw ProviderError(
        .unrepresentable, "a search index without its texts can't be made again", table: table.name)
    }
    isRebuilt = content != nil
    rowIDName = name.hasPrefix("fts") ? table.rowIDName : nil
  }

  private static func needs(
    _ rowID: String, _ table: StoredTable, _ connection: Connection
  ) throws -> Bool {
    if table.rowIDColumn != nil { return false }
    var isPlain = true
    let name = SQLName.quoted(table.name)
    try connection.forEach(
      "SELECT count(*), min(\(unsafe: rowID)), max(\(unsafe: rowID)) FROM \(unsafe: name)"
    ) { row in
      let count = try row.integer(at: 0)
      guard count > 0 else { return }
      isPlain = try row.integer(at: 1) == 1 && row.integer(at: 2) == count
    }
    return !isPlain
  }
}
