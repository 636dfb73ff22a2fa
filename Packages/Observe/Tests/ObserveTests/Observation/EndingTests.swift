import Foundation
@_spi(Observing) import SQLiteCore
import Primitives
import Testing

@testable import Observe

@Suite struct `Ending an observation` {
  static let schema = "CREATE TABLE t (x); INSERT INTO t VALUES (1)"

  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `by cancelling its task ends the wait, and delivers nothing more`(_ store: Store)
    async throws
  {
    try await withDatabase(store, Self.schema) { database in
      let values = Collector<Int>()
      let task = Task {
        for try await value in database.observe(Self.count) { values.add(value) }
      }
      await values.wait { $0 == 1 }
      task.cancel()
      try await task.value
      try await database.run("INSERT INTO t VALUES (2)")
      #expect(values.all == [1])
    }
  }

  @Test func `by cancelling its task interrupts the fetch, and no other's`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let hasBegun = Signal()
      let task = Task {
        for try await _ in database.observe({ connection in
          hasBegun.give()
          return try connection.value(
            Int.self,
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
          )
        }) {}
      }
      await hasBegun.wait()
      task.cancel()
      try await task.value
      var values = database.observe(Self.count).makeAsyncIterator()
      #expect(try await values.next() == 1)
    }
  }

  @Test func `by several threads concurrently interrupts no later fetch`() throws {
    let connection = try Connection.inMemory()
    final class Slot: Sendable { let part = Mutex<Connection.CancellationScope?>(nil) }
    let (current, isOver) = (Slot(), Signal())
    let threads = (0..<4).map { _ in
      let thread = Thread { while !isOver.isGivenNow { current.part.withLock { $0 }?.cancel() } }
      thread.start()
      return thread
    }
    defer { isOver.give() }
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    for _ in 0..<200 {
      #expect(throws: SQLiteError.self) {
        try connection.withCancellationScope { part in
          current.part.withLock { $0 = part }
          return try connection.value(Int.self, SQL(unsafe: endless + "SELECT count(*) FROM n"))
        }
      }
      let count = try connection.value(
        Int.self, SQL(unsafe: endless + "SELECT i FROM n LIMIT 1 OFFSET 4000"))
      #expect(count == 4_001)
    }
    withExtendedLifetime(threads) {}
  }

  @Test func `by cancelling its task also stops a fetch between its statements`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let (hasBegun, isCancelled) = (Signal(), Signal())
      let task = Task {
        for try await _ in database.observe({ connection in
          hasBegun.give()
          isCancelled.spin()
          return try connection.value(
            Int.self,
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
          )
        }) {}
      }
      await hasBegun.wait()
      task.cancel()
      isCancelled.give()
      try await task.value
      var values = database.observe(Self.count).makeAsyncIterator()
      #expect(try await values.next() == 1)
      await database.waitUntilIdle()
    }
  }

  @Test func `in a cancelled task never begins`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        var values = database.observe { _ in Issue.record("it was fetched") }.makeAsyncIterator()
        return try await values.next() == nil
      }
      task.cancel()
      let hasEnded = try await task.value
      #expect(hasEnded)
    }
  }

  @Test func `by leaving the loop releases all objects`() async throws {
    final class Token: Sendable {}
    try await withDatabase(.file, Self.schema) { database in
      weak var token: Token?
      do {
        let held = Token()
        token = held
        for try await _ in database.observe({ connection in
          withExtendedLifetime(held) {}
          return try Self.count(connection)
        }) { break }
      }
      while token != nil { await Task.yield() }
      try await database.run("INSERT INTO t VALUES (2)")
    }
  }

  @Test func `releases the database`() async throws {
    weak var gone: Database?
    do {
      let database = try Database.inMemory()
      gone = database
      try await database.run(Self.schema)
      var values = database.observe(Self.count).makeAsyncIterator()
      #expect(try await values.next() == 1)
      try await database.run("INSERT INTO t VALUES (2)")
      #expect(try await values.next() == 2)
    }
    while gone != nil { await Task.yield() }
  }

  @Test func `at any time has no effect on other observers`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      var generator = SeededGenerator(seed: 7)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          let delay = Int.random(in: 0..<20_000, using: &generator)
          group.addTask {
            let task = Task {
              var last = 0
              for try await value in database.observe(Self.count) {
                #expect(value >= last)
                last = value
              }
            }
            try await Task.sleep(for: .microseconds(delay))
            task.cancel()
            try await task.value
          }
        }
        group.addTask {
          for _ in 0..<200 { try await database.write { try $0.run("INSERT INTO t VALUES (1)") } }
        }
        try await group.waitForAll()
      }
      var values = database.observe(Self.count).makeAsyncIterator()
      #expect(try await values.next() == 201)
    }
  }
}
