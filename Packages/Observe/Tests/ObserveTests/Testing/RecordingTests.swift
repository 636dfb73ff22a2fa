import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A recording` {
  static let schema = "CREATE TABLE t (x)"

  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `has every value once it is idle`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let counts = await Recording(database.observe(Self.count), of: database)
      #expect(counts.values == [0])
      for number in 1...20 {
        try await database.run("INSERT INTO t VALUES (1)")
        await counts.waitUntilIdle()
        #expect(counts.values == Array(0...number))
      }
      #expect(counts.takeNew().count == 21)
      #expect(counts.takeNew() == [])
      await counts.cancel()
      #expect(counts.hasEnded && counts.error == nil)
      try await database.run("INSERT INTO t VALUES (1)")
      #expect(counts.takeNew() == [])
    }
  }

  struct Failure: Error {}

  @Test func `has the error once it is idle, each time`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      for _ in 0..<20 {
        try await database.run("DELETE FROM t")
        let failing = await Recording(
          database.observe { if try Self.count($0) > 0 { throw Failure() } }, of: database)
        #expect(!failing.hasEnded)
        try await database.run("INSERT INTO t VALUES (1)")
        await failing.waitUntilIdle()
        #expect(failing.error is Failure)
      }
    }
  }

  @Test func `has its end once it is idle, after the database was closed`() async throws {
    for _ in 0..<15 {
      let database = try Database.inMemory()
      try await database.run(Self.schema)
      let counts = await Recording(database.observe(Self.count), of: database)
      let results = await Recording(database.observe(Self.count).results, of: database)
      database.close()
      await counts.waitUntilIdle()
      #expect((counts.error as? SQLiteError)?.code == .closed)
      #expect(results.hasEnded && results.error == nil)
    }
  }

  @Test func `releases its sequence`() async throws {
    final class Token: Sendable {}
    try await withDatabase(.file, Self.schema) { database in
      weak var token: Token?
      do {
        let held = Token()
        token = held
        let recording = await Recording(
          database.observe { _ in withExtendedLifetime(held) {} }, of: database)
        #expect(recording.values.count == 1)
      }
      while token != nil { await Task.yield() }
    }
  }

  @Test func `of a throttled sequence follows the clock`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let clock = TestClock()
      let counts = await Recording(
        database.observe(Self.count).throttled(minimumInterval: .seconds(10), clock: clock),
        of: database)
      for round in 1...10 {
        try await database.run("INSERT INTO t VALUES (1)")
        await counts.waitUntilIdle()
        #expect(counts.values.count == round)
        clock.advance(by: .seconds(10))
        await counts.waitUntilIdle()
        #expect(counts.values == Array(0...round))
      }
    }
  }

  @MainActor @Test func `of a request is idle with its controller, even if a fetch fails`()
    async throws
  {
    try await withDatabase(.file, playerSchema) { database in
      let controller = QueryController(Captain(), in: .readOnly { database })
      let total = QueryController(PlayerCount(), in: .readOnly { database })
      await controller.waitUntilIdle(in: database)
      await total.waitUntilIdle(in: database)
      #expect(controller.value == "Ada")
      #expect(total.value == 3)
      for _ in 0..<20 {
        try await database.run("UPDATE player SET team = 'green'")
        await controller.waitUntilIdle(in: database)
        #expect(controller.error != nil)
        try await database.run("UPDATE player SET team = 'red'")
        await controller.waitUntilIdle(in: database)
        #expect(controller.error == nil)
      }
    }
  }
}

@Suite struct `A test clock` {
  @Test func `wakes tasks in the order of their deadlines, and cancelled tasks`() async throws {
    let clock = TestClock()
    try await clock.sleep(until: clock.now)
    let order = Collector<Int>()
    let later = Task {
      try await clock.sleep(for: .seconds(2))
      order.add(2)
    }
    let sooner = Task {
      try await clock.sleep(for: .seconds(1))
      order.add(1)
    }
    let never = Task { try await clock.sleep(for: .seconds(100)) }
    while clock.sleeperCount < 3 { await Task.yield() }
    clock.advance(by: .seconds(1))
    try await sooner.value
    clock.advance(by: .seconds(1))
    try await later.value
    #expect(order.all == [1, 2])
    never.cancel()
    await #expect(throws: CancellationError.self) { try await never.value }
    #expect(clock.sleeperCount == 0)
    #expect(clock.now.offset == .seconds(2))
  }
}
