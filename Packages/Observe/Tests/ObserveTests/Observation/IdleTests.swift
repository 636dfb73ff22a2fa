import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Waiting until idle` {
  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `waits until all observers have received the committed values`(_ store: Store) async throws {
    try await withDatabase(store, "CREATE TABLE t (x)") { database in
      let values = Collector<Int>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<5 {
          group.addTask {
            for try await count in database.observe(Self.count) { values.add(count) }
          }
        }
        while values.all.count < 5 { await Task.yield() }
        await database.waitUntilIdle(includingConsumers: true)
        for number in 1...20 {
          try await database.run("INSERT INTO t VALUES (1)")
          await database.waitUntilIdle(includingConsumers: true)
          #expect(values.all == (0...number).flatMap { Array(repeating: $0, count: 5) })
        }
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }

  @Test func `waits for a running fetch, and not for inactive consumers`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      await database.waitUntilIdle(includingConsumers: true)
      let (hasBegun, mayEnd) = (Signal(), Signal())
      let values = Collector<Int>()
      let observing = Task {
        var counts = database.observe { connection in
          hasBegun.give()
          mayEnd.spin()
          return try Self.count(connection)
        }.makeAsyncIterator()
        values.add(try await counts.next() ?? -1)
        await database.waitUntilIdle()
        withExtendedLifetime(counts) {}
      }
      await hasBegun.wait()
      let settled = Signal()
      let settling = Task {
        await database.waitUntilIdle()
        settled.give()
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(!settled.isGivenNow)
      mayEnd.give()
      await settling.value
      try await observing.value
      #expect(values.all == [0])
    }
  }

  @Test func `ends with its task, and with the database`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      var counts = database.observe(Self.count).makeAsyncIterator()
      let first = try await counts.next()
      #expect(first == 0)
      let cancelled = Task { await database.waitUntilIdle(includingConsumers: true) }
      cancelled.cancel()
      await cancelled.value
      let closed = Task { await database.waitUntilIdle(includingConsumers: true) }
      database.close()
      await closed.value
      await #expect(throws: SQLiteError.self) { try await counts.next() }
    }
  }
}
