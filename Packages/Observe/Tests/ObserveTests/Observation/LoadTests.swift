import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `An observation with a maximum load` {
  /// A fetch that takes two seconds.
  static func fetch(
    _ clock: TestClock, _ fetches: Counter
  ) -> @Sendable (Connection) throws -> Int {
    { connection in
      fetches.add()
      clock.advance(by: .seconds(2))
      return try connection.value(Int.self, "SELECT count(*) FROM t") ?? 0
    }
  }

  @Test(arguments: Store.allCases)
  func `rests after each fetch in proportion to its duration, and delivers the last value`(
    _ store: Store
  ) async throws {
    try await withDatabase(store, "CREATE TABLE t (x)") { database in
      let (clock, fetches, values) = (TestClock(), Counter(), Collector<Int>())
      let task = Task {
        let counts = database.observe(Self.fetch(clock, fetches))
        for try await count in counts.throttled(maximumLoad: 0.25, clock: clock) {
          values.add(count)
        }
      }
      await values.wait { $0 == 0 }
      for round in 1...3 {
        await clock.waitForSleepers()
        for _ in 0..<10 { try await database.run("INSERT INTO t VALUES (1)") }
        clock.advance(by: .seconds(5))
        await database.waitUntilIdle()
        #expect(clock.sleeperCount == 1)
        #expect(fetches.value == round)
        clock.advance(by: .seconds(1))
        await values.wait { $0 == 10 * round }
      }
      task.cancel()
      try await task.value
      #expect(values.all == [0, 10, 20, 30])
      #expect(clock.sleeperCount == 0)
      #expect(clock.now.offset == .seconds(4 * 2 + 3 * 6))
    }
  }

  @Test func `also rests after a skipped value`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x); INSERT INTO t VALUES (1)") { database in
      let (clock, fetches, values) = (TestClock(), Counter(), Collector<Int>())
      let task = Task {
        let counts = database.observe(.table("t"), Self.fetch(clock, fetches))
        for try await count in counts.removeDuplicates().throttled(maximumLoad: 0.5, clock: clock) {
          values.add(count)
        }
      }
      await values.wait { $0 == 1 }
      for round in 1...3 {
        await clock.waitForSleepers()
        try await database.run("UPDATE t SET x = x + 1")
        #expect(fetches.value == round)
        clock.advance(by: .seconds(2))
        while fetches.value == round { await Task.yield() }
      }
      await clock.waitForSleepers()
      try await database.run("INSERT INTO t VALUES (2)")
      clock.advance(by: .seconds(2))
      await values.wait { $0 == 2 }
      task.cancel()
      try await task.value
      #expect(values.all == [1, 2])
    }
  }

  @Test func `does not delay commits after the rest`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, fetches) = (TestClock(), Counter())
      var counts = database.observe(Self.fetch(clock, fetches))
        .throttled(maximumLoad: 0.5, clock: clock).makeAsyncIterator()
      for count in 0..<5 {
        #expect(try await counts.next() == count)
        #expect(clock.sleeperCount == 0)
        clock.advance(by: .seconds(2))
        try await database.run("INSERT INTO t VALUES (1)")
      }
    }
  }

  @Test func `takes precedence over staleness`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, fetches, values) = (TestClock(), Counter(), Collector<Int>())
      let task = Task {
        let counts = database.observe(Self.fetch(clock, fetches)).results
          .refreshed(within: .seconds(1), clock: clock).throttled(maximumLoad: 0.2, clock: clock)
        for await count in counts { values.add(try count.get()) }
      }
      await values.wait { $0 == 0 }
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(7))
      while clock.sleeperCount > 1 { await Task.yield() }
      #expect(fetches.value == 1)
      clock.advance(by: .seconds(1))
      while values.all.count < 2 { await Task.yield() }
      task.cancel()
      try await task.value
      #expect(fetches.value == 2)
    }
  }

  @Test func `of 1 does not rest`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, fetches) = (TestClock(), Counter())
      var counts = database.observe(Self.fetch(clock, fetches))
        .throttled(maximumLoad: 1, clock: clock).makeAsyncIterator()
      for count in 0..<3 {
        #expect(try await counts.next() == count)
        try await database.run("INSERT INTO t VALUES (1)")
      }
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test func `ends with its task, even during a rest`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, fetches) = (TestClock(), Counter())
      let task = Task {
        var count = 0
        let counts = database.observe(Self.fetch(clock, fetches))
        for try await _ in counts.throttled(maximumLoad: 0.5, clock: clock) { count += 1 }
        return count
      }
      await clock.waitForSleepers()
      task.cancel()
      let count = try await task.value
      #expect(count == 1)
      #expect(clock.sleeperCount == 0)
    }
  }
}
