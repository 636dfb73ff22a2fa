import Observe
import SQLiteCore
import Testing

@Suite struct `The README's difference` {
  @Test func `prints as documented`() async throws {
    try await withDatabase(.file, `Differences of an observed list`.schema) { database in
      let reported = Collector<String>()
      @Sendable func print(_ difference: ListDifference<Player>) { reported.add("\(difference)") }
      let task = Task {
        let players = database.observe { connection in
          try connection.fetchAll(Player.self, "SELECT * FROM player ORDER BY name, id")
        }
        for try await difference in players.differences(by: \.id) {
          print(difference)  // inserted 0, 1, 2, and later: moved 0 → 2; updated 0 → 2
        }
      }
      await reported.wait { $0 == "inserted 0, 1, 2" }
      try await database.run("UPDATE player SET name = 'Zoe' WHERE id = 1")
      await reported.wait { $0 == "moved 0 → 2; updated 0 → 2" }
      task.cancel()
      _ = await task.result
      #expect(reported.all.count == 2)
    }
  }
}
