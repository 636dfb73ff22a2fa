import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `An observation that is refreshed` {
  /// State that a fetch depends on, outside the database.
  struct Outside: Sendable {
    let number = Counter()
    let fetches = Counter()

    var fetch: @Sendable (Connection) throws -> String {
      { [number, fetches] connection in
        fetches.add()
        let count = try connection.value(Int.self, "SELECT count(*) FROM t") ?? 0
        return "\(count) rows, \(number.value)"
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `is fetched again at its maximum age, and not before`(_ store: Store) async throws {
    try await withDatabase(store, "CREATE TABLE t (x)") { database in
      let (clock, outside, values) = (TestClock(), Outside(), Collector<String>())
      let task = Task {
        let observed = database.observe(outside.fetch)
        for try await value in observed.refreshed(within: .seconds(10), clock: clock) {
          values.add(value)
        }
      }
      for round in 1...3 {
        await database.waitUntilIdle(includingConsumers: true)
        await values.wait { $0 == "0 rows, \(round - 1)" }
        await clock.waitForSleepers()
        outside.number.add()
        clock.advance(by: .seconds(9))
        #expect(clock.sleeperCount == 1)
        #expect(outside.fetches.value == round)
        clock.advance(by: .seconds(1))
        await values.wait { $0 == "0 rows, \(round)" }
      }
      task.cancel()
      try await task.value
      #expect(clock.sleeperCount == 0)
      #expect(values.all.count == 4)
    }
  }

  @Test func `measures the age from the last fetch`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, outside, values) = (TestClock(), Outside(), Collector<String>())
      let task = Task {
        let observed = database.observe(outside.fetch)
        for try await value in observed.refreshed(within: .seconds(10), clock: clock) {
          values.add(value)
        }
      }
      await values.wait { $0 == "0 rows, 0" }
      for round in 1...3 {
        await clock.waitForSleepers()
        clock.advance(by: .seconds(9))
        try await database.run("INSERT INTO t VALUES (1)")
        await values.wait { $0 == "\(round) rows, 0" }
        await database.waitUntilIdle(includingConsumers: true)
      }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(9))
      #expect(outside.fetches.value == 4)
      outside.number.add()
      clock.advance(by: .seconds(1))
      await values.wait { $0 == "3 rows, 1" }
      task.cancel()
      try await task.value
      #expect(outside.fetches.value == 5)
    }
  }

  @Test(arguments: [false, true])
  func `continues if its value is skipped as a duplicate`(_ isFirst: Bool) async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, outside, values) = (TestClock(), Outside(), Collector<String>())
      let observed = database.observe(outside.fetch)
      let refreshed =
        isFirst
        ? observed.refreshed(within: .seconds(10), clock: clock).removeDuplicates()
        : observed.removeDuplicates().refreshed(within: .seconds(10), clock: clock)
      let task = Task { for try await value in refreshed { values.add(value) } }
      await values.wait { $0 == "0 rows, 0" }
      for round in 1...3 {
        await database.waitUntilIdle(includingConsumers: true)
        await clock.waitForSleepers()
        #expect(outside.fetches.value == round)
        clock.advance(by: .seconds(10))
        while outside.fetches.value == round { await Task.yield() }
      }
      await database.waitUntilIdle(includingConsumers: true)
      await clock.waitForSleepers()
      outside.number.add()
      clock.advance(by: .seconds(10))
      await values.wait { $0 == "0 rows, 1" }
      task.cancel()
      try await task.value
      #expect(values.all == ["0 rows, 0", "0 rows, 1"])
    }
  }

  @Test func `has no timer without a waiting consumer, and fetches for a late one`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, outside) = (TestClock(), Outside())
      var values = database.observe(outside.fetch)
        .refreshed(within: .seconds(10), clock: clock).makeAsyncIterator()
      let first = try await values.next()
      #expect(first == "0 rows, 0")
      #expect(clock.sleeperCount == 0)
      outside.number.add()
      clock.advance(by: .seconds(10))
      #expect(outside.fetches.value == 1)
      let second = try await values.next()
      #expect(second == "0 rows, 1")
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test(arguments: [false, true])
  func `is fetched when resumed, and not while paused`(_ isFirst: Bool) async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, outside, values) = (TestClock(), Outside(), Collector<String>())
      let control = DatabaseObservation.Control()
      let observed = database.observe(outside.fetch)
      let refreshed =
        isFirst
        ? observed.refreshed(within: .seconds(10), clock: clock).controlled(by: control)
        : observed.controlled(by: control).refreshed(within: .seconds(10), clock: clock)
      let task = Task { for try await value in refreshed { values.add(value) } }
      await values.wait { $0 == "0 rows, 0" }
      await database.waitUntilIdle(includingConsumers: true)
      await clock.waitForSleepers()
      control.pause()
      outside.number.add()
      clock.advance(by: .seconds(10))
      while clock.sleeperCount > 0 { await Task.yield() }
      clock.advance(by: .seconds(100))
      await database.waitUntilIdle(includingConsumers: true)
      #expect(outside.fetches.value == 1)
      #expect(clock.sleeperCount == 0)
      control.resume()
      // The timer may be late, but it always fires.
      await values.wait { $0 == "0 rows, 1" }
      await clock.waitForSleepers()
      task.cancel()
      try await task.value
      #expect(clock.sleeperCount == 0)
      #expect(values.all == ["0 rows, 0", "0 rows, 1"])
    }
  }

  @Test func `respects a minimum interval`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, outside, values) = (TestClock(), Outside(), Collector<String>())
      let task = Task {
        let observed = database.observe(outside.fetch).refreshed(within: .seconds(1), clock: clock)
          .throttled(minimumInterval: .seconds(10), clock: clock)
        for try await value in observed { values.add(value) }
      }
      await values.wait { $0 == "0 rows, 0" }
      await clock.waitForSleepers()
      outside.number.add()
      clock.advance(by: .seconds(9))
      #expect(clock.sleeperCount == 1)
      #expect(outside.fetches.value == 1)
      clock.advance(by: .seconds(1))
      await values.wait { $0 == "0 rows, 1" }
      task.cancel()
      try await task.value
    }
  }

  @Test func `repeats a failed fetch that no commit would fix`() async throws {
    struct Failure: Error {}
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, isUp, reported) = (TestClock(), Flag(), Collector<String>())
      let task = Task {
        let results = database.observe { _ in
          if !isUp.isSet { throw Failure() }
          return "up"
        }.results
        for await result in results.refreshed(within: .seconds(10), clock: clock) {
          reported.add((try? result.get()) ?? "down")
        }
      }
      for round in 1...2 {
        while reported.all.count < round { await Task.yield() }
        await clock.waitForSleepers()
        if round == 2 { isUp.set() }
        clock.advance(by: .seconds(10))
      }
      await reported.wait { $0 == "up" }
      task.cancel()
      await task.value
      #expect(reported.all == ["down", "down", "up"])
    }
  }

  @Test func `ends with its database`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let (clock, values) = (TestClock(), Collector<String>())
      let task = Task {
        let observed = database.observe(Outside().fetch)
        for try await value in observed.refreshed(within: .seconds(10), clock: clock) {
          values.add(value)
        }
      }
      await values.wait { _ in true }
      await clock.waitForSleepers()
      database.close()
      await #expect(throws: SQLiteError.self) { try await task.value }
      #expect(clock.sleeperCount == 0)
    }
  }
}
