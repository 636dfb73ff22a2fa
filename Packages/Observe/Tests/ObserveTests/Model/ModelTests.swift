import Foundation
import SQLiteCore
import Testing

@testable import Observe

/// A database with a random schema, written in every way by several tasks, and observed in every way: whenever the
/// system is idle, all observers have the result of a new query.
///
/// `make model` does ten thousand steps for each of four seeds. A failure prints its seed, its step and the last
/// statements; `HOLT_MODEL_SEED` repeats the run.
@Suite struct `The model` {
  @Test(
    .timeLimit(.minutes(ModelEffort.isFull ? 30 : 10)), arguments: Store.allCases, ModelEffort.seeds
  )
  func `leaves every observer with the result of a new query`(_ store: Store, _ seed: UInt64)
    async throws
  {
    print("model: \(store), seed \(seed)")
    try await withDatabase(store, "") { database in
      // A file is opened by a second database, which also writes.
      let others = try database.path.map { [try Database(path: $0)] } ?? []
      defer { for other in others { other.close() } }
      let world = try await ModelWorld([database] + others, seed: seed)
      let steps = ModelEffort.steps(store)
      for step in 1...steps {
        try await world.step()
        if step == steps { try await world.waitUntilIdle() }
        let problems = world.ledger.problems
        if problems.isEmpty { continue }
        let schema = try await database.read {
          try $0.values(String.self, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        }
        Issue.record(
          """
          \(store), seed \(seed), step \(step): \(problems.joined(separator: "\n  "))
          After:
          \(world.ledger.recent.joined(separator: "\n"))
          \(schema.joined(separator: "\n"))
          """)
        await world.end()
        return
      }
      await world.end()
      #expect(world.ledger.commits > steps / 4)
    }
  }
}
