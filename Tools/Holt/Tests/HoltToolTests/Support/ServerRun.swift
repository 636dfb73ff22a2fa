#if os(Linux)
  import CommandTesting
  import Foundation
  import PostgreSQL
  import PostgreSQLTesting
  import SQLiteCore
  import Testing

  /// The command in a temporary folder, with a new database of the tests' server.
  struct ServerRun {
    let run: HoltRun
    let server: PostgreSQLTestServer
    let database: PostgreSQLDatabase
    let url: String

    /// Passes a new database with these objects to `body`.
    static func with(_ sql: String = "", _ body: (ServerRun) async throws -> Void) async throws {
      let server = try #require(PostgreSQLTestServer.shared)
      try await server.withDatabase { database in
        if !sql.isEmpty { try await database.execute(PostgreSQLQuery(unsafe: sql)) }
        let name = database.configuration.database
        try await body(
          ServerRun(
            run: try HoltRun(), server: server, database: database,
            url: "postgres://postgres@127.0.0.1:\(server.port)/\(name)"))
      }
    }

    /// Runs the command, and expects success.
    @discardableResult
    func holt(_ arguments: String..., status: Int32 = 0) throws -> CommandRun.Result {
      let result = try run.command(arguments)
      #expect(result.status == status, "\(arguments): \(result.errors)")
      return result
    }

    /// Creates a database of SQLite.
    func makeSQLite(_ name: String, _ sql: String) throws {
      let connection = try run.makeDatabase(name, sql)
      try connection.close()
    }

    /// Returns the statements that create the content of a database of SQLite.
    func dump(_ name: String) throws -> String {
      try Connection(path: run.path(name)).dumpSQL()
    }

    func count(_ table: String) async throws -> Int? {
      try await database.value(Int.self, PostgreSQLQuery(unsafe: "SELECT count(*) FROM \(table)"))
    }

    /// The names of the tables in PostgreSQL.
    func tables() async throws -> [String] {
      try await database.values(
        String.self,
        "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename COLLATE \"C\""
      )
    }
  }

  extension Trait where Self == ConditionTrait {
    /// Skips tests if no server is installed.
    static var needsServer: Self {
      .enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed")
    }
  }
#endif
