import SQLiteCore

@testable import Providers

/// An open database, accessed like a provider's.
final class TestAccess: DataAccess {
  let connection: Connection

  init() throws { connection = try Connection.inMemory() }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try body(connection)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try connection.transaction { try body(connection) }
  }

  /// Returns the names of the tables.
  var tables: [String] {
    get throws {
      try connection.values(
        String.self,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1"
      )
    }
  }

  /// Returns the statements that access tables while `body` runs.
  func statements(_ body: () throws -> Void) throws -> [String] {
    var statements: [String] = []
    let trace = try connection.hooks.trace { event in
      if case .statement(let sql, _) = event,
        ["FROM ", "INTO ", "UPDATE "].contains(where: sql.contains)
      {
        statements.append(sql)
      }
    }
    defer { connection.hooks.remove(trace) }
    try body()
    return statements.filter { !$0.contains("sqlite_schema") }
  }
}
