// Prints: Bread, Milk; then Milk
import Router
import SQLiteCore

/// An app that only uses Router.
enum RouterConsumer {
  struct Todo: Codable, Sendable {
    var id: Int?
    var name: String
  }

  static func run() async throws -> String {
    let database = try Database.inMemory()
    try await database.write { db in
      try db.execute("CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    var router = GeneralRouter(database)
    for name in ["Milk", "Bread"] {
      let _: Todo = try await router(.insert(Todo(name: name), into: "todos"))
    }
    let todos: [Todo] = try await router(.fetch(from: "todos", order: .ascending("name")))
    router.override(.method(.fetch, in: "todos", with: [Todo(id: 1, name: "Milk")]))
    let overridden: [Todo] = try await router(.fetch(from: "todos"))
    return [todos, overridden].map { $0.map(\.name).joined(separator: ", ") }
      .joined(separator: "; then ")
  }
}
