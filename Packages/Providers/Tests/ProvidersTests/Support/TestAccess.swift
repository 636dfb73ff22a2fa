import SQLiteCore

@testable import Providers

/// An open database, read and written as a provider does it.
final class TestAccess: DataAccess {
  let connection: Connection

  init() throws { connection = try Connection.inMemory() }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try body(connection)
  }

  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try connection.transaction { try body(connection) }
  }

  /// The tables that there are.
  var tables: [String] {
    get throws {
      try connection.values(
        String.self,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY 1"
      )
    }
  }

  /// The statements that read or write tables while `body` runs.
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
