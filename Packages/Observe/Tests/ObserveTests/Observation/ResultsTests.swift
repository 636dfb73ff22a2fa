import Foundation
import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Results` {
  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE TABLE u (x);
    INSERT INTO t VALUES (1, 10);
    """

  struct Negative: Error {}

  static let sum: @Sendable (Connection) throws -> Int = { connection in
    let sum = try connection.value(Int.self, "SELECT sum(a) FROM t") ?? 0
    if sum < 0 { throw Negative() }
    return sum
  }

  @Test(arguments: Store.allCases)
  func `continue after a failed fetch when a commit may have fixed it`(_ store: Store) async throws
  {
    try await withDatabase(store, Self.schema) { database in
      let fetches = Counter()
      let sums = database.observe { connection in
        fetches.add()
        return try Self.sum(connection)
      }
      let timeline = try await Timeline(database)
      await timeline.observe("sums", sums.results)
      for _ in 0..<2 {
        try await timeline.step("spoil") { try await database.run("UPDATE t SET a = a - 100") }
      }
      try await timeline.step("other") { try await database.run("INSERT INTO u VALUES (1)") }
      try await timeline.step("mend") { try await database.run("UPDATE t SET a = 20") }
      #expect(
        timeline.drawing == """
                   start  spoil  spoil  other  mend
          commits  ───────1──────2──────3──────4───
          sums     10─────✕──────✕─────────────20──
          """)
      #expect(fetches.value == 4)
    }
  }

  @Test func `also depend on the region of the last successful fetch`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let counts = database.observe { connection in
        if try connection.value(Int.self, "SELECT a FROM t WHERE id = 1") == 0 { throw Negative() }
        return try connection.value(Int.self, "SELECT count(*) FROM u") ?? 0
      }
      let timeline = try await Timeline(database)
      await timeline.observe("counts", counts.results)
      try await timeline.step("spoil t") { try await database.run("UPDATE t SET a = 0") }
      try await timeline.step("into u") { try await database.run("INSERT INTO u VALUES (1)") }
      try await timeline.step("mend t") { try await database.run("UPDATE t SET a = 1") }
      #expect(
        timeline.drawing == """
                   start  spoil t  into u  mend t
          commits  ───────1────────2───────3─────
          counts   0──────✕────────✕───────1─────
          """)
    }
  }

  @Test func `begin with an error if the first fetch fails, and wait for any commit`() async throws
  {
    try await withDatabase(.file, Self.schema) { database in
      let counts = database.observe { connection in
        try connection.value(Int.self, "SELECT count(*) FROM later") ?? 0
      }
      let timeline = try await Timeline(database)
      await timeline.observe("counts", counts.results)
      try await timeline.step("other") { try await database.run("INSERT INTO u VALUES (1)") }
      try await timeline.step("create") { try await database.run("CREATE TABLE later (x)") }
      try await timeline.step("insert") { try await database.run("INSERT INTO later VALUES (1)") }
      try await timeline.step("other") { try await database.run("INSERT INTO u VALUES (1)") }
      #expect(
        timeline.drawing == """
                   start  other  create  insert  other
          commits  ───────1──────2───────3───────4────
          counts   ✕──────✕──────0───────1────────────
          """)
    }
  }

  @Test func `deliver a value again that equals the one before an error`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let timeline = try await Timeline(database)
      await timeline.observe("sums", database.observe(Self.sum).removeDuplicates().results)
      for a in [-1, 10] {
        try await timeline.step("\(a)") { try await database.run("UPDATE t SET a = \(a)") }
      }
      #expect(
        timeline.drawing == """
                   start  -1  10
          commits  ───────1───2─
          sums     10─────✕───10
          """)
    }
  }

  @Test(arguments: Store.allCases)
  func `end when the database is closed`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let values = Collector<Int>()
      let task = Task {
        for await result in database.observe(Self.sum).results { values.add(try result.get()) }
      }
      await values.wait { $0 == 10 }
      var idle = database.observe(Self.sum).results.makeAsyncIterator()
      #expect(try await idle.next()?.get() == 10)
      database.close()
      try await task.value
      #expect(values.all == [10])
      #expect(await idle.next() == nil)
      var late = database.observe(Self.sum).results.makeAsyncIterator()
      #expect(await late.next() == nil)
    }
  }

  @Test func `end with their task`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let values = Collector<Int>()
      let task = Task {
        for await result in database.observe(Self.sum).results { values.add(try result.get()) }
      }
      await values.wait { $0 == 10 }
      task.cancel()
      try await task.value
      #expect(values.all == [10])
    }
  }

  @Test func `continue if no reader could be opened`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      let path = try #require(database.path)
      let (results, ended) = (Collector<Result<Int, any Error>>(), Collector<any Error>())
      for name in ["", "-wal", "-shm"] {
        try? FileManager.default.moveItem(atPath: path + name, toPath: path + name + ".away")
      }
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let lasting = Task {
        for await result in database.observe(Self.sum).results { results.add(result) }
      }
      do {
        var values = database.observe(Self.sum).makeAsyncIterator()
        _ = try await values.next()
      } catch { ended.add(error) }
      await results.wait { _ in true }
      try FileManager.default.removeItem(atPath: path)
      for name in ["", "-wal", "-shm"] {
        try? FileManager.default.moveItem(atPath: path + name + ".away", toPath: path + name)
      }
      await database.waitUntilIdle(includingConsumers: true)
      #expect(ended.all.count == 1)
      #expect(results.all.allSatisfy { (try? $0.get()) == nil })
      #expect(!results.all.isEmpty)
      database.notifyChanges()
      await results.wait { (try? $0.get()) == 10 }
      lasting.cancel()
      await lasting.value
    }
  }

  @Test func `of a flush that can't begin keep their observer for the next commit`() {
    var schedule = Schedule()
    let ending = schedule.addObserver(), lasting = schedule.addObserver(endsOnFailure: false)
    _ = schedule.demand(ending)
    _ = schedule.demand(lasting)
    let failed = schedule.flushDidFail()
    #expect(failed == [ending, lasting])
    #expect(!schedule.contains(ending))
    #expect(schedule.contains(lasting))
    let waiting = schedule.demand(lasting)
    #expect(waiting == [])
    let woken = schedule.commit(ChangeSet(isUnbounded: true))
    #expect(woken == [.flush])
  }

  @Test func `of a flush that can't begin miss no commit before the failure`() {
    var schedule = Schedule()
    let id = schedule.addObserver(endsOnFailure: false)
    _ = schedule.demand(id)
    _ = schedule.commit(ChangeSet(isUnbounded: true))
    _ = schedule.flushDidFail()
    let again = schedule.demand(id)
    #expect(again == [.flush])
    _ = schedule.flushDidFail()
    let waiting = schedule.demand(id)
    #expect(waiting == [])
  }
}
