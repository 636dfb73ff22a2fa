import Observe
import SQLiteCore
import Testing

@MainActor @Suite struct `The README's query` {
  struct PlayersRequest: ValueObservationQueryable {
    var team: String

    static var defaultValue: [String] { [] }

    func fetch(_ db: Connection) throws -> [String] {
      try db.values(String.self, "SELECT name FROM player WHERE team = ? ORDER BY name", team)
    }
  }

  @MainActor final class Scoreboard {
    @Query(PlayersRequest(team: "red")) var players: [String]
  }

  @Test func `provides its values`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let reported = Collector<[String]>()
      @Sendable func print(_ players: [String]) { reported.add(players) }
      let task = Task {
        let board = QueryEnvironment.with(\.databaseContext, .readOnly { database }) {
          Scoreboard()
        }
        for await players in board.$players.values { print(players) }
      }
      await reported.wait { $0 == ["Ada", "Cy"] }
      try await database.run("DELETE FROM player WHERE id = 1")
      await reported.wait { $0 == ["Cy"] }
      task.cancel()
      await task.value
    }
  }
}
