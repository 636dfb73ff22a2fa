import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `A paused observation` {
  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `fetches nothing, and receives the latest value when resumed`(_ store: Store) async throws {
    try await withDatabase(store, "CREATE TABLE t (x)") { database in
      let control = DatabaseObservation.Control()
      let fetches = Counter()
      let counts = database.observe { connection in
        fetches.add()
        return try Self.count(connection)
      }
      let timeline = try await Timeline(database)
      await timeline.observe("counts", counts.controlled(by: control))
      for _ in 1...2 {
        await timeline.step("pause") { control.pause() }
        #expect(control.isPaused)
        try await timeline.step("insert") {
          for _ in 0..<3 { try await database.run("INSERT INTO t VALUES (1)") }
        }
        await timeline.step("resume") { control.resume() }
      }
      await timeline.step("both") {
        control.pause()
        control.resume()
      }
      #expect(
        timeline.drawing == """
                   start  pause  insert  resume  pause  insert  resume  both
          commits  ──────────────1,2,3──────────────────4,5,6───────────────
          counts   0─────────────────────3──────────────────────6───────────
          """)
      #expect(fetches.value == 3)
    }
  }

  @Test func `begins when it is resumed`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let control = DatabaseObservation.Control(isPaused: true)
      let timeline = try await Timeline(database)
      await timeline.observe("counts", database.observe(Self.count).controlled(by: control).results)
      try await timeline.step("insert") { try await database.run("INSERT INTO t VALUES (1)") }
      await timeline.step("resume") { control.resume() }
      #expect(
        timeline.drawing == """
                   start  insert  resume
          commits  ───────1─────────────
          counts   ───────────────1─────
          """)
    }
  }

  @Test func `ends with its task, and with the database`() async throws {
    try await withDatabase(.file, "CREATE TABLE t (x)") { database in
      let control = DatabaseObservation.Control(isPaused: true)
      let counts = database.observe(Self.count).controlled(by: control)
      let cancelled = Task { for try await _ in counts {} }
      let closed = Task { for try await _ in counts {} }
      cancelled.cancel()
      try await cancelled.value
      await database.waitUntilIdle(includingConsumers: true)
      database.close()
      await #expect(throws: SQLiteError.self) { try await closed.value }
      control.resume()
    }
  }

  @Test func `causes no fetch in any phase`() {
    var schedule = Schedule()
    let id = schedule.addObserver()
    let change = ChangeSet(tables: ["t": ChangeSet.TableChange(kinds: .insert)])
    func step(_ body: (inout Schedule) -> [Schedule.Action]) -> [Schedule.Action] {
      body(&schedule)
    }
    // Queued.
    #expect(step { $0.demand(id) } == [.flush])
    schedule.pause(id)
    let skipped = schedule.beginFlush()
    #expect(skipped.observers == [])
    #expect(step { $0.endFlush() } == [])
    #expect(step { $0.resume(id) } == [.flush])
    // Fetching: this value is delivered, and no other.
    let (batch, seen) = schedule.beginFlush()
    #expect(batch == [id])
    schedule.pause(id)
    let isWanted = schedule.didFetch(id, seen: seen, region: .table("t"), isNew: true)
    #expect(isWanted)
    #expect(step { $0.endFlush() } == [])
    #expect(step { $0.commit(change) } == [])
    #expect(step { $0.demand(id) } == [])
    #expect(step { $0.resume(id) } == [.flush])
    _ = schedule.beginFlush()
    _ = schedule.didFetch(id, seen: 1, region: .table("t"), isNew: true)
    _ = schedule.endFlush()
    // Idle, and then waiting.
    schedule.pause(id)
    #expect(step { $0.resume(id) } == [])
    #expect(step { $0.demand(id) } == [])
    schedule.pause(id)
    #expect(step { $0.commit(change) } == [])
    #expect(step { $0.resume(id) } == [.flush])
    schedule.pause(id)
    #expect(step { $0.close() } == [.end(id)])
  }
}
