// Prints: 0, then 1
import Observe
import ObserveTesting
import SQLiteCore

/// Tests of an app that use ObserveTesting.
enum ObserveTestingConsumer {
  static func run() async throws -> String {
    let database = try Database.inMemory()
    try await database.write { try $0.execute("CREATE TABLE player (name TEXT NOT NULL)") }
    let timeline = try await Timeline(database)
    await timeline.observe(
      "players",
      database.observe { connection in
        try connection.value(Int.self, "SELECT count(*) FROM player") ?? 0
      })
    try await timeline.step("insert") {
      try await database.write { try $0.execute("INSERT INTO player VALUES ('Ada')") }
    }
    let expected = """
               start  insert
      commits  ───────1─────
      players  0──────1─────
      """
    return timeline.drawing == expected ? "0, then 1" : "\n\(timeline.drawing)"
  }
}
