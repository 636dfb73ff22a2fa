import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A throttled observation` {
  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test func `delivers the first value immediately, one per interval, and the last`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let clock = TestClock()
      let fetches = Counter()
      let counts = database.observe { connection in
        fetches.add()
        return try Self.count(connection)
      }
      let timeline = try await Timeline(database)
      await timeline.observe(
        "counts", counts.throttled(minimumInterval: .seconds(10), clock: clock))
      for _ in 1...2 {
        try await timeline.step("insert") {
          for _ in 0..<3 { try await database.run("INSERT INTO t VALUES (1)") }
        }
        await timeline.step("9 s") { clock.advance(by: .seconds(9)) }
        await timeline.step("1 s") { clock.advance(by: .seconds(1)) }
      }
      await timeline.step("10 s") { clock.advance(by: .seconds(10)) }
      #expect(
        timeline.drawing == """
                   start  insert  9 s  1 s  insert  9 s  1 s  10 s
          commits  ───────1,2,3─────────────4,5,6─────────────────
          counts   0───────────────────3─────────────────6────────
          """)
      #expect(fetches.value == 3)
    }
  }

  @Test func `does not delay commits after the interval`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let clock = TestClock()
      let timeline = try await Timeline(database)
      await timeline.observe(
        "counts",
        database.observe(Self.count).throttled(minimumInterval: .seconds(10), clock: clock))
      await timeline.step("10 s") { clock.advance(by: .seconds(10)) }
      try await timeline.step("insert") { try await database.run("INSERT INTO t VALUES (1)") }
      await timeline.step("10 s") { clock.advance(by: .seconds(10)) }
      try await timeline.step("insert") { try await database.run("INSERT INTO t VALUES (1)") }
      #expect(
        timeline.drawing == """
                   start  10 s  insert  10 s  insert
          commits  ─────────────1─────────────2─────
          counts   0────────────1─────────────2─────
          """)
    }
  }

  @Test func `ends with its task, even during an interval`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let clock = TestClock()
      let results = database.observe(Self.count).results
      let recording = await Recording(
        results.throttled(minimumInterval: .seconds(10), clock: clock), of: database)
      await recording.cancel()
      #expect(recording.values.count == 1)
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test func `rethrows the error that ends the observation`() async throws {
    struct Failure: Error {}
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      var failing = database.observe { _ -> Int in throw Failure() }
        .throttled(minimumInterval: .seconds(1)).makeAsyncIterator()
      await #expect(throws: Failure.self) { try await failing.next() }
    }
  }
}
