internal import SQLiteCore

/// A document that contains a whole database, in its own format.
///
/// ``write(_:)`` decides which parts to write, and in which order. The other functions only format
/// them. It calls ``begin(_:)-(DatabaseContents)``, then for each table
/// ``begin(_:)-(WrittenTable)``, the functions for rows and ``endTable()``, and finally
/// ``end(_:)``.
protocol DatabaseDocument: ~Copyable {
  mutating func begin(_ contents: DatabaseContents) throws
  /// Writes everything of a table that precedes its rows.
  mutating func begin(_ table: WrittenTable) throws
  /// - Parameter rowID: The rowid; `nil` if the document does not contain the table's rowids.
  mutating func beginRow(rowID: Int64?) throws
  /// Writes the value of a stored column.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the format can't
  ///   represent the value.
  mutating func write(_ row: borrowing Row, column: Int) throws
  mutating func endRow() throws
  mutating func endTable() throws
  mutating func end(_ contents: DatabaseContents) throws
}

extension DatabaseDocument where Self: ~Copyable {
  /// Writes a whole database.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable``, the table and the
  ///   column, if the document can't represent a value.
  mutating func write(_ connection: Connection) throws {
    let contents = try DatabaseContents(connection)
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
        } catch let error as ProviderError where error.code == .unrepresentable {
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
  /// The name of the rowid, if the document must contain rowids: no column is an alias of it, and
  /// the rowids are not simply numbered from 1.
  let rowIDName: String?
  /// A Boolean value that indicates whether the table is an external content full-text index, which
  /// stores no rows.
  let isRebuilt: Bool

  var name: String { stored.name }
  var columns: [TableSchema.Column] { stored.columns }

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unrepresentable`` if the rows can't be
  ///   read, or could not be inserted again.
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
        .unrepresentable, "the rows of a virtual table of \(module.name) can't be copied",
        table: table.name)
    }
    let content = module.option("content")
    guard content != "" else {
      throw ProviderError(
        .unrepresentable, "a contentless full-text index can't be copied", table: table.name)
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

/// Creates a private database from the declarations of a file, in the file's order.
///
/// Tables are created before their rows are inserted. ``finish()`` creates everything that depends
/// on rows: indexes, views, triggers.
struct DatabaseBuilder {
  /// The version of Holt's document layouts.
  static let version: Int64 = 1

  let connection: Connection
  var userVersion: Int64?
  var applicationID: Int64?
  private var statements: [(sql: String, position: ProviderError.Position?)] = []
  private var tables: [(declaration: TableDeclaration, position: ProviderError.Position?)] = []

  init(_ connection: Connection) { self.connection = connection }

  /// Refuses a file in another version of the layout.
  static func check(version: Int64, at position: ProviderError.Position?) throws(ProviderError) {
    guard version == Self.version else {
      throw ProviderError(
        .malformed,
        "the file has version \(version) of Holt's document layout, but only version \(Self.version) is supported",
        position: position)
    }
  }

  /// Creates a table without rows.
  func createTable(_ table: TableDeclaration, at position: ProviderError.Position?) throws
    -> StoredTable
  {
    try addingPosition(position, table.name) {
      let sql = try table.statement()
      let statement = try connection.runDDL(sql)
      guard statement == .table || statement == .virtualTable,
        let schema = try connection.table(table.name)
      else {
        throw ProviderError(.malformed, "the statement does not create a table with this name")
      }
      return StoredTable(schema: schema, sql: sql, sequence: nil)
    }
  }

  /// Adds a table whose rows have been inserted. ``finish()`` completes it.
  mutating func add(_ table: TableDeclaration, at position: ProviderError.Position?) {
    tables.append((table, position))
  }

  /// Adds a statement of the schema, to be run by ``finish()``.
  mutating func add(statement: String, at position: ProviderError.Position?) {
    statements.append((statement, position))
  }

  /// Creates the rest of the schema.
  func finish() throws {
    for (sql, position) in statements {
      try addingPosition(position, nil) { _ = try connection.runDDL(sql) }
    }
    for (table, position) in tables {
      try addingPosition(position, table.name) {
        // The view that contains the index's content exists now.
        if table.isRebuilt {
          try connection.execute(
            "INSERT INTO \(identifier: table.name)(\(identifier: table.name)) VALUES ('rebuild')")
        }
        if let last = table.sequence {
          try connection.run("DELETE FROM sqlite_sequence WHERE name = ?", table.name)
          try connection.run(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table.name, last)
        }
      }
    }
    if let userVersion {
      try connection.execute("PRAGMA user_version = \(unsafe: "\(userVersion)")")
    }
    if let applicationID {
      try connection.execute("PRAGMA application_id = \(unsafe: "\(applicationID)")")
    }
  }

  /// Runs `body`, and adds the position in the file to errors that the file's content causes.
  ///
  /// - Parameter position: The position, evaluated only if `body` fails.
  func addingPosition<Result>(
    _ position: @autoclosure () -> ProviderError.Position?, _ table: String?,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw Self.located(error, at: position(), table)
    }
  }

  /// Adds the position in the file to an error, if the file's content caused it.
  static func located(
    _ error: any Error, at position: ProviderError.Position?, _ table: String?
  ) -> any Error {
    switch error {
    case let error as SQLiteError where faults.contains(error.code.primary):
      return ProviderError(
        .malformed, "SQLite error: \(error.message)", position: position, table: table)
    case var error as ProviderError where error.position == nil:
      error.position = position
      error.table = error.table ?? table
      return error
    default: return error
    }
  }

  /// The result codes of errors in the file's content, as opposed to disk errors and cancellation.
  private static let faults: Set<SQLiteError.Code> = [
    .error, .constraint, .mismatch, .tooBig, .range, .misuse,
  ]
}
