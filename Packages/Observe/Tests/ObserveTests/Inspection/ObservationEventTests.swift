import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The inspector` {
  static let schema = """
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO player VALUES (1, 'Ada', 10), (2, 'Bob', 11);
    """

  static let scores: @Sendable (Connection) throws -> [Int] = {
    try $0.values(Int.self, "SELECT score FROM player ORDER BY id")
  }

  /// Runs `body`, and returns the inspector's output without durations.
  static func events(
    _ store: Store = .file, _ body: (Database) async throws -> Void
  ) async throws -> [String] {
    try await withDatabase(store, schema) { database in
      let events = await Recording(database.observationEvents, of: database)
      try await body(database)
      await events.waitUntilIdle()
      return events.values.map { $0.description.replacing(#/ in [0-9.]+ (µs|ms|s)/#, with: "") }
    }
  }

  @Test(arguments: Store.allCases)
  func `reports the first value, a commit's changes, and the end`(_ store: Store) async throws {
    let events = try await Self.events(store) { database in
      let scores = database.observe(Self.scores).named("scores")
      let recording = await Recording(scores, of: database)
      try await database.run("UPDATE player SET score = 12 WHERE id = 1")
      await recording.waitUntilIdle()
      try await database.run("UPDATE player SET name = 'Eve' WHERE id = 1")
      try await database.run("INSERT INTO player VALUES (3, 'Cy', 5)")
      await recording.waitUntilIdle()
      await recording.cancel()
    }
    #expect(
      events == [
        "scores began",
        "scores ← first value | delivered | reads player(id, score)",
        "scores ← commit 1: player.score: updated 1 row (score: 10 → 12) | delivered",
        #"scores ← commit 3: player: inserted 1 row (id: 3, name: "Cy", score: 5) | delivered"#,
        "scores ended",
      ])
  }

  @Test func `identifies observations without a name by their number`() async throws {
    let events = try await Self.events { database in
      var scores = database.observe(Self.scores).makeAsyncIterator()
      _ = try await scores.next()
    }
    #expect(
      events == [
        "observation 1 began",
        "observation 1 ← first value | delivered | reads player(id, score)",
        "observation 1 ended",
      ])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let region: Region?, change: String, reported: String
    var testDescription: String { reported }
  }

  @Test(arguments: [
    Case(
      region: .everything, change: "INSERT INTO team VALUES (1, 'red')",
      reported: #"team: inserted 1 row (id: 1, name: "red")"#),
    Case(
      region: .table("player"), change: "DELETE FROM player WHERE id = 2",
      reported: #"player: deleted 1 row (id: 2, name: "Bob", score: 11)"#),
    Case(
      region: .table("player"), change: "UPDATE player SET name = 'Eve' WHERE id = 2",
      reported: #"player.name: updated 1 row (name: "Bob" → "Eve")"#),
    Case(
      region: .columns("player", ["score", "name"]),
      change: "UPDATE player SET score = 0, name = 'Eve'",
      reported: "player.(name, score): updated 2 rows (name, score)"),
    // Only one of the two rows changed in a column that is read.
    Case(
      region: .columns("player", ["score"]),
      change: "UPDATE player SET score = 10, name = 'Eve'",
      reported: #"player.score: updated 1 row (name: "Bob" → "Eve", score: 11 → 10)"#),
    Case(
      region: .rows(of: "player", where: .column("score", .greater, 10), reading: ["name"]),
      change: "UPDATE player SET name = 'Eve'",
      reported: #"player[2]: updated 1 row (name: "Bob" → "Eve")"#),
    Case(
      region: .rows(of: "player", where: .column("score", .greater, 0)),
      change: "INSERT INTO player (score) VALUES (1), (2)",
      reported: "player[3, 4]: inserted 2 rows"),
    Case(
      region: .rows(of: "player", where: .column("score", .greater, 0)),
      change: "INSERT INTO player (score) VALUES (1), (2), (3), (4)",
      reported: "player[…]: inserted 4 rows"),
    Case(
      region: Region.table("team").union(.columns("player", [])),
      change: "BEGIN; INSERT INTO team VALUES (1, 'r'); DELETE FROM player; COMMIT",
      reported: #"player: deleted 2 rows; team: inserted 1 row (id: 1, name: "r")"#),
  ])
  func `reports the table, columns or rows that made a value stale`(_ expected: Case) async throws {
    let events = try await Self.events { database in
      let fetch: @Sendable (Connection) throws -> Int = { _ in 0 }
      let recording = await Recording(
        database.observe(expected.region, fetch).named("it"), of: database)
      try await database.run(expected.change)
      await recording.waitUntilIdle()
    }
    #expect(events[2] == "it ← commit 1: \(expected.reported) | delivered")
  }

  @Test func `reports a schema change`() async throws {
    let events = try await Self.events { database in
      let recording = await Recording(database.observe(Self.scores).named("it"), of: database)
      try await database.run("CREATE TABLE other (x)")
      await recording.waitUntilIdle()
    }
    #expect(
      events[2] == "it ← schema change, commit 1: the schema was changed | delivered")
  }

  @Test func `reports a notification`() async throws {
    let events = try await Self.events { database in
      let recording = await Recording(database.observe(Self.scores).named("it"), of: database)
      database.notifyChanges(in: .table("player"))
      await recording.waitUntilIdle()
      database.notifyChanges()
      await recording.waitUntilIdle()
    }
    #expect(events[2] == "it ← notification 1: player: changed | delivered")
    #expect(events[3] == "it ← notification 2: anything may have changed | delivered")
  }

  @Test func `reports the relevant changes that a busy consumer caught up with`() async throws {
    let events = try await Self.events { database in
      var scores = database.observe(Self.scores).named("it").makeAsyncIterator()
      _ = try await scores.next()
      try await database.run("INSERT INTO team VALUES (1, 'red')")
      for score in 20...22 { try await database.run("UPDATE player SET score = \(score)") }
      try await database.run("INSERT INTO team VALUES (2, 'blue')")
      _ = try await scores.next()
    }
    #expect(
      events[2] == """
        it ← caught up with commits 2–4: player.score: updated 2 rows (score); player.score: \
        updated 2 rows (score); player.score: updated 2 rows (score) | delivered
        """)
  }

  @Test func `counts the commits that one fetch covers`() async throws {
    try await withDatabase(.memory, Self.schema) { database in
      let events = await Recording(database.observationEvents, of: database)
      do {
        var scores = database.observe(Self.scores).makeAsyncIterator()
        _ = try await scores.next()
        for score in 100..<400 { try await database.run("UPDATE player SET score = \(score)") }
        _ = try await scores.next()
      }
      await events.waitUntilIdle()
      let cause = try #require(
        events.values.compactMap { $0.fetch?.cause }.first { $0.trigger != .first })
      #expect(cause.commitCount == 300)
      #expect(cause.sequences == 1...300)
      #expect(cause.description.contains("; and "))
    }
  }

  @Test func `reports a resumed observation`() async throws {
    let events = try await Self.events { database in
      let control = DatabaseObservation.Control()
      let recording = await Recording(
        database.observe(Self.scores).named("it").controlled(by: control), of: database)
      control.pause()
      try await database.run("UPDATE player SET score = 12 WHERE id = 1")
      await recording.waitUntilIdle()
      control.resume()
      await recording.waitUntilIdle()
    }
    #expect(
      events[2]
        == "it ← resumed after commit 1: player.score: updated 1 row (score: 10 → 12) | delivered")
  }

  @Test func `reports a value that was skipped as a duplicate`() async throws {
    let events = try await Self.events { database in
      let best = database.observe { try $0.value(Int.self, "SELECT max(score) FROM player") }
      let recording = await Recording(best.removeDuplicates().named("best"), of: database)
      try await database.run("UPDATE player SET score = 9 WHERE id = 1")
      await recording.waitUntilIdle()
      #expect(recording.values == [11])
    }
    #expect(
      events[2]
        == "best ← commit 1: player.score: updated 1 row (score: 10 → 9) | equal to the last")
  }

  struct Failure: Error {}

  static let failing: @Sendable (Connection) throws -> [Int] = { connection in
    let scores = try Self.scores(connection)
    if scores.isEmpty { throw Failure() }
    return scores
  }

  @Test func `reports a failure, which ends values but not results`() async throws {
    let events = try await Self.events { database in
      let values = await Recording(database.observe(Self.failing).named("values"), of: database)
      let results = await Recording(
        database.observe(Self.failing).named("results").results, of: database)
      try await database.run("DELETE FROM player")
      await values.waitUntilIdle()
      #expect(values.error is Failure)
      try await database.run("INSERT INTO player (score) VALUES (1)")
      await results.waitUntilIdle()
    }
    let change = "commit 1: player: deleted 2 rows"
    #expect(
      events[4...]
        == [
          "values ← \(change) | failed: Failure()",
          "values ended: Failure()",
          "results ← \(change) | failed: Failure()",
          "results ← commit 2: player: inserted 1 row (id: 1, name: NULL, score: 1) | delivered",
          "results ended",
        ].prefix(events.count - 4))
  }

  @Test func `ends with the database, after reporting the end of all observations`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let events = await Recording(database.observationEvents, of: database)
      let waiting = await Recording(database.observationEvents, of: database)
      // The iterator is kept but not used: waiting until idle, including consumers, would wait for
      // it.
      var idle = database.observe(Self.scores).named("idle").makeAsyncIterator()
      _ = try await idle.next()
      database.close()
      while !events.hasEnded || !waiting.hasEnded { await Task.yield() }
      #expect(events.values.last?.description.hasPrefix("idle ended: ") == true)
      withExtendedLifetime(idle) {}
      let late = await Recording(database.observationEvents, of: database)
      await late.cancel()
      #expect(late.hasEnded && late.values.isEmpty)
    }
  }

  @Test func `has no cost without listeners, and can start at any time`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let hub = ChangeHub.of(database)
      #expect(!hub.inspector.hasListeners)
      let recording = await Recording(database.observe(Self.scores).named("it"), of: database)
      let events = await Recording(database.observationEvents, of: database)
      #expect(hub.inspector.hasListeners)
      try await database.run("UPDATE player SET score = 12 WHERE id = 1")
      await recording.waitUntilIdle()
      #expect(events.values.count == 1)
      await events.cancel()
      #expect(!hub.inspector.hasListeners)
    }
  }

  @Test func `drops the oldest events of a slow listener, and reports their number`() {
    let inspector = Inspector(limit: 4)
    let inbox = Inbox<DatabaseObservation.Event>()
    let id = inspector.addListener(inbox)
    for number in 1...10 as ClosedRange<UInt64> { inspector.didBegin(number, name: nil) }
    var reported: [String] = []
    while let event = inspector.next(id) { reported.append(event.description) }
    #expect(
      reported == [
        "(6 left out) observation 7 began", "observation 8 began", "observation 9 began",
        "observation 10 began",
      ])
  }

  @Test func `names requests by their type`() async throws {
    try await withDatabase(.file, playerSchema) { database in
      let events = await Recording(database.observationEvents, of: database)
      let controller = await QueryController(Captain(), in: .readOnly { database })
      await controller.waitUntilIdle(in: database)
      #expect(events.values.first?.description == "Captain began")
      withExtendedLifetime(controller) {}
    }
  }
}
