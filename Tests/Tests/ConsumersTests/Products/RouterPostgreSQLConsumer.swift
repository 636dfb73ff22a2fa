// Prints: Milk; no server
import PostgreSQL
import Router
import RouterPostgreSQL

/// An app that runs routes on PostgreSQL. No server has its port.
enum RouterPostgreSQLConsumer {
  struct Todo: Codable, Sendable {
    var id: Int
    var name: String
  }

  static func run() async throws -> String {
    let configuration = PostgreSQLConfiguration(
      host: "127.0.0.1", port: 1, database: "app", user: "app")
    var router = GeneralRouter(PostgreSQLRouteExecutor(PostgreSQLDatabase(configuration)))
    router.override(.method(.fetch, in: "todos", with: [Todo(id: 1, name: "Milk")]))
    let todos: [Todo] = try await router(.fetch(from: "todos"))
    let names = todos.map(\.name).joined(separator: ", ")
    do {
      let lists: [Todo] = try await router(.fetch(from: "lists"))
      return "\(names); \(lists.count)"
    } catch let error as PostgreSQLError where error.code == .connectionFailed {
      return "\(names); no server"
    }
  }
}
