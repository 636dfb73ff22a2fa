import QueryModel

/// The names of the runtime that generated code for an engine uses.
struct EngineRuntime {
  var row: String
  var rowDecodable: String
  var error: String
  var connection: String
  var database: String
  var generatedDatabase: String
  var migration: String
  /// The keywords before a call that uses a connection.
  var attempt: String

  static let sqlite = EngineRuntime(
    row: "Row", rowDecodable: "RowDecodable", error: "SQLiteError", connection: "Connection",
    database: "Database", generatedDatabase: "GeneratedDatabase", migration: "Migration",
    attempt: "try")

  static let postgreSQL = EngineRuntime(
    row: "PostgreSQLRow", rowDecodable: "PostgreSQLRowDecodable", error: "PostgreSQLError",
    connection: "PostgreSQLConnection", database: "PostgreSQLDatabase",
    generatedDatabase: "PostgreSQLGeneratedDatabase", migration: "PostgreSQLMigration",
    attempt: "try await")
}

extension SwiftEmitter {
  /// The names of the runtime.
  var runtime: EngineRuntime {
    switch options.engine {
    case .sqlite: .sqlite
    case .postgresql: .postgreSQL
    }
  }
}
