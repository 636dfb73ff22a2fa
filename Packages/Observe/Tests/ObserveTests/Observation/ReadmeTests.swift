import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The README's examples` {
  static let schema = """
    CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);
    INSERT INTO player VALUES (1, 'Ada', 10), (2, 'Bob', 11);
    """

  @Test func `observe a value`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let reported = Collector<[String]>()
      @Sendable func print(_ names: [String]) { reported.add(names) }
      let task = Task {
        let players = database.observe { connection in
          try connection.values(String.self, "SELECT name FROM player ORDER BY score DESC, name")
        }
        for try await names in players {
          print(names)
        }
      }
      await reported.wait { $0 == ["Bob", "Ada"] }
      try await database.run("UPDATE player SET score = 12 WHERE id = 1")
      await reported.wait { $0 == ["Ada", "Bob"] }
      task.cancel()
      _ = await task.result
      #expect(reported.all == [["Bob", "Ada"], ["Ada", "Bob"]])
    }
  }

  @Test func `print commits`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let reported = Collector<String>()
      @Sendable func print(_ changes: ChangeSet) { reported.add("\(changes)") }
      let task = Task {
        for try await changes in database.changes(in: .table("player")) {
          print(changes)  // player: updated 1 row (score: 10 → 12)
        }
      }
      // It is unknown when the task begins to listen.
      while !reported.all.contains("player: updated 1 row (score: 10 → 12)") {
        try await database.run("UPDATE player SET score = 22 - score WHERE id = 1")
      }
      task.cancel()
      _ = await task.result
    }
  }

  @Test func `print the cause of a fetch`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let log = Collector<String>()
      try await database.startObserving()
      @Sendable func print(_ event: DatabaseObservation.Event) { log.add("\(event)") }
      let task = Task {
        for await event in database.observationEvents { print(event) }
      }
      while !ChangeHub.of(database).inspector.hasListeners { await Task.yield() }
      let players = database.observe { connection in
        try connection.values(String.self, "SELECT name FROM player ORDER BY score DESC, name")
      }
      let recording = await Recording(players.named("players"), of: database)
      try await database.run("UPDATE player SET score = 12 WHERE id = 1")
      await recording.waitUntilIdle()
      #expect(log.all.count == 3)
      #expect(log.all.first == "players began")
      #expect(
        log.all.last?.hasPrefix(
          "players ← commit 1: player.score: updated 1 row (score: 10 → 12) | delivered in ")
          == true)
      task.cancel()
      await task.value
    }
  }

  @Test func `report a query in a loop`() async throws {
    try await withDatabase(.memory, Self.schema) { database in
      let log = Collector<String>()
      @Sendable func print(_ sql: String, _ count: Int) { log.add("\(count): \(sql)") }
      let task = Task {
        for await event in database.observationEvents(repeatedQueryThreshold: 50) {
          if let query = event.repeatedQuery { print(query.sql, query.count) }
        }
      }
      let sql = "SELECT name FROM player WHERE id = ?"
      // It is unknown when the task begins to listen.
      while !log.all.contains("50: \(sql)") {
        try await database.read { connection in
          _ = try connection.values(Int.self, "SELECT id FROM player")
          for id in 1...50 { _ = try connection.value(String.self, SQL(unsafe: sql), id) }
        }
      }
      task.cancel()
      await task.value
    }
  }

  @Test func `draw a timeline`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let players = database.observe { connection in
        try connection.values(String.self, "SELECT name FROM player ORDER BY score DESC, name")
      }
      let timeline = try await Timeline(database)
      await timeline.observe("players", players)
      try await timeline.step("insert") {
        try await database.write { try $0.run("INSERT INTO player VALUES (3, 'Cy', 20)") }
      }
      try await timeline.step("rename") {
        try await database.write { try $0.run("UPDATE player SET name = 'Di' WHERE id = 3") }
      }
      #expect(
        timeline.drawing == """
                   start           insert                rename
          commits  ────────────────1─────────────────────2───────────────────
          players  ["Bob", "Ada"]──["Cy", "Bob", "Ada"]──["Di", "Bob", "Ada"]
          """)
    }
  }

  @Test func `observe some rows`() async throws {
    let schema = """
      CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, team INTEGER, score INTEGER);
      INSERT INTO player VALUES (1, 'Ada', 7, 150), (2, 'Bob', 8, 150);
      """
    try await withDatabase(.file, schema) { database in
      let squad = Region.rows(
        of: "player", where: .column("team", equals: 7) && .column("score", .greater, 100),
        reading: ["name"])
      var names = database.observe(squad) { connection in
        try connection.values(
          String.self, "SELECT name FROM player WHERE team = 7 AND score > 100 ORDER BY id")
      }.makeAsyncIterator()
      #expect(try await names.next() == ["Ada"])
      try await database.run("UPDATE player SET name = 'Rob', score = 200 WHERE id = 2")
      try await database.run("UPDATE player SET team = 7 WHERE id = 2")
      #expect(try await names.next() == ["Ada", "Rob"])
    }
  }
}
