import Observe
import SQLiteCore
import Testing

@Suite struct `The README's difference` {
  @Test func `is told`() async throws {
    try await withDatabase(.file, `Differences of an observed list`.schema) { database in
      var told: [String] = []
      let players = database.observe { connection in
        try connection.fetchAll(decoding: Player.self, "SELECT * FROM player ORDER BY name, id")
      }
      for try await difference in players.differences(by: \.id) {
        told.append("\(difference)")
        if told.count == 2 { break }
        try await database.run("UPDATE player SET name = 'Zoe' WHERE id = 1")
      }
      #expect(told == ["inserted 0, 1, 2", "moved 0 → 2; updated 0 → 2"])
    }
  }
}
