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

/// Creates a private database from the declarations of a file, in the file's order.
///
/// Tables are made before their rows. Indexes, views, triggers, and all else that needs the rows, come in ``finish()``.
struct DatabaseBuilder {
  /// The version of Holt's own layouts.
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
        "the file is in version \(version) of Holt's own layout, and version \(Self.version) is read",
        position: position)
    }
  }

  /// Makes a table, which has no rows yet.
  func make(_ table: TableDeclaration, at position: ProviderError.Position?) throws -> StoredTable {
    try placed(position, table.name) {
      let sql = try table.statement()
      let kind = try MirrorSchema.run(sql, on: connection)
      guard kind == .table || kind == .virtualTable,
        let schema = try connection.table(table.name)
      else { throw ProviderError(.malformed, "the statement makes no table of this name") }
      return StoredTable(schema: schema, sql: sql, sequence: nil)
    }
  }

  /// Adds a table whose rows have been inserted: ``finish()`` does the rest.
  mutating func end(_ table: TableDeclaration, at position: ProviderError.Position?) {
    tables.append((table, position))
  }

  /// Adds a statement of the schema, which ``finish()`` runs.
  mutating func add(statement: String, at position: ProviderError.Position?) {
    statements.append((statement, position))
  }

  /// Makes the rest of the database.
  func finish() throws {
    for (sql, position) in statements {
      try placed(position, nil) { _ = try MirrorSchema.run(sql, on: connection) }
    }
    for (table, position) in tables {
      try placed(position, table.name) {
        // A view that the index looks its rows up in is there now.
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

  /// Runs `body`, and adds the place in the file to what SQLite refuses in it.
  ///
  /// - Parameter position: Evaluated if `body` fails.
  func placed<Result>(
    _ position: @autoclosure () -> ProviderError.Position?, _ table: String?,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw Self.located(error, at: position(), table)
    }
  }

  /// An error with the place in the file, if the file is at fault.
  static func located(
    _ error: any Error, at position: ProviderError.Position?, _ table: String?
  ) -> any Error {
    switch error {
    case let error as SQLiteError where faults.contains(error.code.primary):
      return ProviderError(
        .malformed, "SQLite refuses it: \(error.message)", position: position, table: table)
    case var error as ProviderError where error.position == nil:
      error.position = position
      error.table = error.table ?? table
      return error
    default: return error
    }
  }

  /// The codes of errors in the file's content, in contrast to errors of the disk and cancellations.
  private static let faults: Set<SQLiteError.Code> = [
    .error, .constraint, .mismatch, .tooBig, .range, .misuse,
  ]
}
