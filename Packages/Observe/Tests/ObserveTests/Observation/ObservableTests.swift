import Observation
import Observe
import SQLiteCore
import Testing

/// The macro's expansion refers to the module `Observation`, which a type of that name would
/// shadow.
@Observable private final class Scores {
  var best: [Int] = []
}

@Suite struct `Observable types next to Observe` {
  @Test func `store observed values`() async throws {
    let database = try Database.inMemory()
    try await database.write {
      try $0.execute("CREATE TABLE player (score INTEGER); INSERT INTO player VALUES (3), (7)")
    }
    let scores = Scores()
    let observed = database.observe { connection in
      try connection.values(Int.self, "SELECT score FROM player ORDER BY score DESC")
    }
    for try await best in observed {
      scores.best = best
      break
    }
    #expect(scores.best == [7, 3])
  }
}
