import PostgreSQL
import PostgreSQLTesting
import Router
import RouterPostgreSQL
import RouterTesting
import SQLiteCore
import Testing

@Suite(.needsServer) struct `Random routes` {
  static let seed: UInt64 = 20_261_127

  @Test(arguments: 0..<4)
  func `have equal results on SQLite and PostgreSQL`(_ index: UInt64) async throws {
    let seed = Self.seed + index
    let schema = `The conformance suite on PostgreSQL`.schema
    try await PostgreSQLTestServer.withDatabase(schema) { database in
      let postgreSQL = PostgreSQLRouteExecutor(database)
      let memory = try Database.inMemory()
      try await memory.write { try $0.execute(SQL(unsafe: RouteExecutorConformance.schema)) }
      let sqlite = SQLiteRouteExecutor(memory)
      for route in RouteExecutorConformance.seed {
        try await sqlite.perform(route)
        try await postgreSQL.perform(route)
      }
      var routes = RandomRoutes(seed: seed)
      let differences = await routes.differences(between: sqlite, and: postgreSQL, routes: 500)
      #expect(differences.isEmpty, "seed \(seed): \(differences.joined(separator: "\n"))")
    }
  }
}
