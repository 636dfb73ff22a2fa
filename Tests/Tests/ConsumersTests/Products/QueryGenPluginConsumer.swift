// Prints: 1 milk
import QueryGen

/// What an app does that takes the plugin, with QueryGen's runtime: `DB` is made of `Migrations` and `Queries`.
enum QueryGenPluginConsumer {
  static func run() async throws -> String {
    let db = try DB()
    _ = try await db.addTodo.execute("milk")
    return try await db.openTodos.execute().map { "\($0.id) \($0.title)" }
      .joined(separator: "\n")
  }
}
