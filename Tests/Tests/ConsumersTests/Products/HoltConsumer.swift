// Prints: Milk, and nothing
import Holt

/// An app that uses the whole runtime with one import.
enum HoltConsumer {
  struct Todo: Codable, Sendable {
    var id: Int?
    var name: String
  }

  struct Names {
    let find: any DatabaseQuery<Int, Todo?>

    func name(_ id: Int) async throws -> String { try await find.execute(id)?.name ?? "nothing" }
  }

  static func run() async throws -> String {
    let database = try Database.inMemory()
    try await database.write { db in
      try db.execute("CREATE TABLE todos (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    }
    let router = GeneralRouter(database)
    let milk: Todo = try await router(.insert(Todo(name: "Milk"), into: "todos"))
    let names = Names(find: router.query { .fetchOne(id: $0, from: "todos") })
    let preview = Names(find: Queries.Just(nil))
    return try await "\(names.name(milk.id ?? 0)), and \(preview.name(1))"
  }
}
