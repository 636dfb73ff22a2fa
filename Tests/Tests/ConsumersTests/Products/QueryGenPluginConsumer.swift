// Prints: 1 milk
import QueryGen

/// An app that uses the plugin and QueryGen's runtime. `DB` is generated from `Migrations` and `Queries`.
enum QueryGenPluginConsumer {
  static func run() async throws -> String {
    let db = try DB()
    _ = try await db.addTodo.execute("milk")
    return try await db.openTodos.execute().map { "\($0.id) \($0.title)" }
      .joined(separator: "\n")
  }
}
