internal import SQLiteCore

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
