import ObserveTesting
import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Observations` {
  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER); CREATE TABLE u (x INTEGER);
    INSERT INTO t VALUES (1, 'x', 10), (2, 'y', 20); INSERT INTO u VALUES (1);
    """

  static let sum: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT total(b) + 0 FROM t WHERE typeof(b) = 'integer'")
      ?? 0
  }

  static let count: @Sendable (Connection) throws -> Int = {
    try $0.value(Int.self, "SELECT count(*) FROM t") ?? 0
  }

  @Test(arguments: Store.allCases)
  func `deliver the value, and a new one after each commit`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      var values = database.observe(Self.count).makeAsyncIterator()
      #expect(try await values.next() == 2)
      for count in 3...6 {
        try await database.write { try $0.run("INSERT INTO t (b) VALUES (0)") }
        #expect(try await values.next() == count)
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `do not fetch again if nothing has changed`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let fetches = Counter()
      var values = database.observe { connection in
        fetches.add()
        return try Self.count(connection)
      }.makeAsyncIterator()
      #expect(try await values.next() == 2)
      // None of these changes the number of rows and is committed.
      try await database.run("UPDATE t SET b = b + 1; UPDATE u SET x = 2; DELETE FROM t WHERE 0")
      try await database.run("BEGIN; DELETE FROM t; ROLLBACK")
      try await database.run("BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; COMMIT")
      try await database.run("DELETE FROM t WHERE id = 1")
      #expect(try await values.next() == 1)
      #expect(fetches.value == 2)
    }
  }

  @Test func `deliver the latest value to a slow consumer`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let fetches = Counter()
      var values = database.observe { connection in
        fetches.add()
        return try Self.count(connection)
      }.makeAsyncIterator()
      #expect(try await values.next() == 2)
      for _ in 0..<500 { try await database.write { try $0.run("INSERT INTO t (b) VALUES (0)") } }
      #expect(try await values.next() == 502)
      #expect(fetches.value == 2)
    }
  }

  @Test func `use a region that varies from fetch to fetch`() async throws {
    try await withDatabase(.file, "\(Self.schema); CREATE TABLE choice (name TEXT)") { database in
      try await database.run("INSERT INTO choice VALUES ('t')")
      let timeline = try await Timeline(database)
      let chosen = database.observe { connection in
        let name = try connection.value(String.self, "SELECT name FROM choice") ?? "t"
        return try connection.value(Int.self, "SELECT count(*) FROM \(unsafe: name)") ?? 0
      }
      await timeline.observe("chosen", chosen)
      try await timeline.step("choose u") { try await database.run("UPDATE choice SET name = 'u'") }
      try await timeline.step("into t") { try await database.run("INSERT INTO t (b) VALUES (0)") }
      try await timeline.step("into u") { try await database.run("INSERT INTO u VALUES (2)") }
      #expect(
        timeline.drawing == """
                   start  choose u  into t  into u
          commits  ───────1─────────2───────3─────
          chosen   2──────1─────────────────2─────
          """)
    }
  }

  @Test func `use an explicit region`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let timeline = try await Timeline(database)
      let letters = database.observe(.columns("t", ["b"]).union(.table("u"))) { connection in
        try connection.values(String.self, "SELECT a FROM t ORDER BY id").joined()
      }
      await timeline.observe("letters", letters)
      try await timeline.step("t.a") { try await database.run("UPDATE t SET a = 'z' WHERE id = 1") }
      try await timeline.step("u") { try await database.run("UPDATE u SET x = 5") }
      try await timeline.step("t.b") { try await database.run("UPDATE t SET b = 5") }
      #expect(
        timeline.drawing == """
                   start  t.a  u   t.b
          commits  ───────1────2───3──
          letters  xy──────────zy──zy─
          """)
    }
  }

  @Test(arguments: [
    ("a view", "SELECT count(*) FROM v", "INSERT INTO t VALUES (9, 'v', 1)"),
    (
      "a full-text table", "SELECT count(*) FROM ft WHERE ft MATCH 'hi'",
      "INSERT INTO ft VALUES ('hi')"
    ),
    ("the schema", "SELECT count(*) FROM sqlite_master", "CREATE TABLE n (x)"),
    ("a generated column", "SELECT max(g) FROM g", "UPDATE g SET x = 10"),
    (
      "a table's AUTOINCREMENT counter", "SELECT max(seq) FROM sqlite_sequence",
      "INSERT INTO n DEFAULT VALUES"
    ),
    ("a table without rowids", "SELECT max(x) FROM w", "UPDATE w SET x = 10"),
  ])
  func `detect changes of`(_ what: String, _ query: String, _ change: String) async throws {
    let schema = """
      \(Self.schema); CREATE VIEW v AS SELECT * FROM t WHERE a = 'v';
      CREATE VIRTUAL TABLE ft USING fts5(body); CREATE TABLE g (x, g AS (x + 1));
      INSERT INTO g (x) VALUES (1); CREATE TABLE w (k PRIMARY KEY, x) WITHOUT ROWID;
      INSERT INTO w VALUES (1, 1); CREATE TABLE c (id INTEGER PRIMARY KEY AUTOINCREMENT);
      """
    let isCounter = query.contains("sequence")
    for store in Store.allCases {
      try await withDatabase(store, schema) { database in
        if isCounter { try await database.run("INSERT INTO c DEFAULT VALUES") }
        var values = database.observe { try $0.value(Int?.self, SQL(unsafe: query)) ?? nil }
          .makeAsyncIterator()
        let before = try await values.next()
        try await database.run(isCounter ? "INSERT INTO c DEFAULT VALUES" : change)
        let after = try await values.next()
        #expect(before != after)
        #expect(
          try await database.read { try $0.value(Int?.self, SQL(unsafe: query)) ?? nil } == after)
      }
    }
  }

  @Test func `skip equal values on request`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let fetches = Counter()
      let best = database.observe { connection in
        fetches.add()
        return try connection.value(Int.self, "SELECT max(b) FROM t") ?? 0
      }
      let timeline = try await Timeline(database)
      await timeline.observe("best", best.removeDuplicates())
      for b in [11, 12, 30] {
        try await timeline.step("\(b)") {
          try await database.run("UPDATE t SET b = \(b) WHERE id = 1")
        }
      }
      #expect(
        timeline.drawing == """
                   start  11  12  30
          commits  ───────1───2───3─
          best     20─────────────30
          """)
      #expect(fetches.value == 4)
    }
  }

  @Test func `are consistent if one commit made them stale`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let collectors = (0..<8).map { _ in Collector<Int>() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for collector in collectors {
          group.addTask {
            for try await value in database.observe(Self.count) { collector.add(value) }
          }
        }
        for collector in collectors { await collector.wait { $0 == 2 } }
        try await database.run("INSERT INTO t (b) VALUES (0)")
        for collector in collectors { await collector.wait { $0 == 3 } }
        group.cancelAll()
        try await group.waitForAll()
      }
      for collector in collectors { #expect(collector.all == [2, 3]) }
    }
  }

  @Test func `rethrow an error of a fetch and end, while others continue`() async throws {
    struct Failure: Error {}
    try await withDatabase(.file, Self.schema) { database in
      let failing: @Sendable (Connection) throws -> Int = { connection in
        let count = try Self.count(connection)
        if count > 2 { throw Failure() }
        return count
      }
      let timeline = try await Timeline(database)
      await timeline.observe("sound", database.observe(Self.count))
      await timeline.observe("failing", database.observe(failing))
      for name in ["insert", "again"] {
        try await timeline.step(name) { try await database.run("INSERT INTO t (b) VALUES (0)") }
      }
      #expect(
        timeline.drawing == """
                   start  insert  again
          commits  ───────1───────2────
          sound    2──────3───────4────
          failing  2──────✕
          """)
      var values = database.observe(failing).makeAsyncIterator()
      await #expect(throws: Failure.self) { try await values.next() }
      #expect(try await values.next() == nil)
    }
  }

  @Test func `reject writes`() async throws {
    for store in Store.allCases {
      try await withDatabase(store, Self.schema) { database in
        var values = database.observe { try $0.run("DELETE FROM t").count }.makeAsyncIterator()
        let error = await #expect(throws: SQLiteError.self) { try await values.next() }
        #expect(error?.code.primary == .readOnly)
      }
    }
  }

  @Test(arguments: Store.allCases)
  func `end with an error when the database is closed`(_ store: Store) async throws {
    try await withDatabase(store, Self.schema) { database in
      let waiting = Collector<Int>()
      let listening = Collector<SQLiteError>()
      let observation = Task {
        for try await value in database.observe(Self.count) { waiting.add(value) }
      }
      let changes = Task {
        do {
          for try await _ in database.changes() {}
        } catch let error as SQLiteError {
          listening.add(error)
        }
      }
      await waiting.wait { $0 == 2 }
      var idle = database.observe(Self.count).makeAsyncIterator()
      #expect(try await idle.next() == 2)
      database.close()
      for _ in 0..<2 {
        let error = await #expect(throws: SQLiteError.self) { try await observation.value }
        #expect(error?.code == .closed)
      }
      let error = await #expect(throws: SQLiteError.self) { try await idle.next() }
      #expect(error?.code == .closed)
      #expect(try await idle.next() == nil)
      try await changes.value
      #expect(listening.all.map(\.code) == [.closed])
      var late = database.observe(Self.count).makeAsyncIterator()
      await #expect(throws: SQLiteError.self) { try await late.next() }
    }
  }

  @Test func `of a read-only database deliver one value`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      var configuration = Configuration()
      configuration.isReadOnly = true
      let reading = try Database(path: #require(database.path), configuration: configuration)
      var values = reading.observe(Self.count).makeAsyncIterator()
      #expect(try await values.next() == 2)
      reading.close()
      await #expect(throws: SQLiteError.self) { try await values.next() }
    }
  }

  @Test func `start while a long write runs, without waiting for it`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      try await database.startObserving()
      let mayEnd = Signal()
      let hasBegun = Signal()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          try await database.write { connection in
            try connection.run("INSERT INTO t (b) VALUES (0)")
            hasBegun.give()
            mayEnd.spin()
          }
        }
        await hasBegun.wait()
        var values = database.observe(Self.count).makeAsyncIterator()
        #expect(try await values.next() == 2)
        mayEnd.give()
        #expect(try await values.next() == 3)
        try await group.waitForAll()
      }
    }
  }

  @Test func `are not delayed by another observation's slow fetch`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let mayEnd = Signal()
      let hasBegun = Signal()
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          var slow = database.observe { connection in
            hasBegun.give()
            mayEnd.spin()
            return try Self.count(connection)
          }.makeAsyncIterator()
          _ = try await slow.next()
        }
        await hasBegun.wait()
        var values = database.observe(Self.count).makeAsyncIterator()
        #expect(try await values.next() == 2)
        try await database.run("INSERT INTO t (b) VALUES (0)")
        #expect(try await values.next() == 3)
        mayEnd.give()
        try await group.waitForAll()
      }
    }
  }

  @Test func `are fetched together for many observers`() async throws {
    try await withDatabase(.file, Self.schema) { database in
      let count = 500
      let sum = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            for try await value in database.observe(Self.count) {
              sum.add(value)
              if value == 3 { return }
            }
          }
        }
        while sum.value < 2 * count { await Task.yield() }
        try await database.run("INSERT INTO t (b) VALUES (0)")
        try await group.waitForAll()
      }
      #expect(sum.value == 5 * count)
    }
  }
}
