import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A throttled observation` {
  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test func `gives the first value at once, one per interval, and the last`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let clock = ManualClock()
      let (values, fetches) = (Collector<Int>(), Counter())
      let task = Task {
        let counts = database.observe { connection in
          fetches.add()
          return try Self.count(connection)
        }
        for try await count in counts.throttled(minimumInterval: .seconds(10), clock: clock) {
          values.add(count)
        }
      }
      try await values.wait { $0 == 0 }
      for round in 1...3 {
        await clock.waitForSleepers()
        for _ in 0..<50 { try await database.run("INSERT INTO t VALUES (1)") }
        clock.advance(by: .seconds(9))
        #expect(clock.sleeperCount == 1)
        #expect(fetches.value == round)
        clock.advance(by: .seconds(1))
        try await values.wait { $0 == 50 * round }
      }
      task.cancel()
      try await task.value
      #expect(values.all == [0, 50, 100, 150])
      #expect(fetches.value == 4)
    }
  }

  @Test func `does not delay what comes after the interval`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let clock = ManualClock()
      var counts = database.observe(Self.count)
        .throttled(minimumInterval: .seconds(10), clock: clock).makeAsyncIterator()
      for count in 0..<5 {
        #expect(try await counts.next() == count)
        clock.advance(by: .seconds(10))
        try await database.run("INSERT INTO t VALUES (1)")
      }
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test func `ends with its task, in the middle of an interval too`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let clock = ManualClock()
      let task = Task {
        var count = 0
        let results = database.observe(Self.count).results
        for await _ in results.throttled(minimumInterval: .seconds(10), clock: clock) { count += 1 }
        return count
      }
      await clock.waitForSleepers()
      task.cancel()
      #expect(await task.value == 1)
    }
  }

  @Test func `rethrows what ends the observation`() async throws {
    struct Failure: Error {}
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      var failing = database.observe { _ -> Int in throw Failure() }
        .throttled(minimumInterval: .seconds(1)).makeAsyncIterator()
      await #expect(throws: Failure.self) { try await failing.next() }
    }
  }
}
