@_spi(Observing) import SQLiteCore
import Testing

@Suite struct `A query observer` {
  /// Records its calls as text.
  final class Log: Hooks.QueryObserver {
    let events: Shared<[String]>
    private var texts: [Hooks.RunningQuery: String] = [:]

    init(_ events: Shared<[String]>) { self.events = events }

    private func add(_ event: String) { events.update { $0.append(event) } }

    func didBegin(
      _ query: Hooks.RunningQuery, sql: String, hasParameters: Bool, expandedSQL: () -> String?
    ) {
      texts[query] = sql
      add(hasParameters ? "\(sql) as \(expandedSQL() ?? "")" : sql)
    }

    func didReturnRow(_ query: Hooks.RunningQuery) {
      if let sql = texts[query] { add("row of \(sql)") }
    }

    func didEnd(_ query: Hooks.RunningQuery) {
      if let sql = texts.removeValue(forKey: query) { add("end of \(sql)") }
    }

    func accessDidEnd() { add("end") }
  }

  @Test func `receives the runs of queries, and the ends of accesses`() async throws {
    let database = try Database.inMemory()
    let events = Shared<[String]>([])
    database.observeQueries { Log(events) }
    try await database.writeWithoutTransaction { connection in
      try connection.execute(
        """
        CREATE TABLE t (a); CREATE TABLE log (a);
        CREATE TRIGGER noted AFTER INSERT ON t BEGIN SELECT a FROM t; INSERT INTO log VALUES (1); END;
        INSERT INTO t VALUES (1), (2);
        """)
      try connection.run("INSERT INTO t VALUES (3) RETURNING a")
      _ = try connection.values(Int.self, "SELECT a FROM t WHERE a < ?", 3)
      try connection.forEach("SELECT a FROM t WHERE a > 2") { _ in
        _ = try connection.value(Int.self, "SELECT a FROM t")
      }
    }
    try await database.writeWithoutTransaction { _ in }
    let (list, outer, inner) = (
      "SELECT a FROM t WHERE a < ?", "SELECT a FROM t WHERE a > 2", "SELECT a FROM t"
    )
    #expect(
      events.value == [
        "\(list) as SELECT a FROM t WHERE a < 3", "row of \(list)", "row of \(list)",
        "end of \(list)", outer, "row of \(outer)", inner, "row of \(inner)", "end of \(inner)",
        "end of \(outer)", "end", "end",
      ])
  }

  @Test func `omits statements inside another one's step`() async throws {
    let database = try Database.inMemory()
    let events = Shared<[String]>([])
    try await database.write {
      try $0.execute("CREATE VIRTUAL TABLE page USING fts5(body); INSERT INTO page VALUES ('text')")
    }
    database.observeQueries { Log(events) }
    let search = "SELECT body FROM page WHERE page MATCH 'text'"
    try await database.write { _ = try $0.values(String.self, SQL(unsafe: search)) }
    #expect(events.value == [search, "row of \(search)", "end of \(search)", "end"])
  }

  @Test func `does not replace the subscribers of the trace`() async throws {
    let database = try Database.inMemory()
    let (events, traced) = (Shared<[String]>([]), Shared(0))
    database.observeQueries { Log(events) }
    try await database.write { connection in
      let tracing = try connection.hooks.trace(.rows) { _ in traced.update { $0 += 1 } }
      let profiling = try connection.hooks.profile { _ in traced.update { $0 += 10 } }
      try connection.run("SELECT 1")
      #expect(traced.value == 11)
      connection.hooks.remove(tracing)
      connection.hooks.remove(profiling)
      try connection.run("SELECT 2")
      #expect(traced.value == 11)
    }
    #expect(
      events.value == [
        "SELECT 1", "row of SELECT 1", "end of SELECT 1", "SELECT 2", "row of SELECT 2",
        "end of SELECT 2", "end",
      ])
  }

  @Test func `is created for each connection, also for later ones, until it is removed`()
    async throws
  {
    let (database, directory) = try `A database`.make(.file) { $0.maximumReaderCount = 2 }
    let (events, created) = (Shared<[String]>([]), Shared(0))
    _ = try await database.read { try $0.run("SELECT 1") }
    #expect(events.value == [])
    database.observeQueries {
      created.update { $0 += 1 }
      return Log(events)
    }
    #expect(created.value == 0)
    let barrier = (Gate(), Gate())
    async let first: Void = database.read { connection in
      barrier.0.open()
      #expect(barrier.1.wait())
      try connection.run("SELECT 1")
    }
    try await database.read { connection in
      barrier.1.open()
      #expect(barrier.0.wait())
      try connection.run("SELECT 1")
    }
    try await first
    try await database.write { try $0.run("SELECT 1") }
    #expect(created.value == 3)
    #expect(events.value.filter { $0 == "SELECT 1" }.count == 3)
    #expect(events.value.filter { $0 == "end" }.count == 3)
    database.observeQueries(nil)
    for _ in 0..<3 { _ = try await database.read { try $0.run("SELECT 1") } }
    try await database.write { try $0.run("SELECT 1") }
    #expect(events.value.filter { $0 == "SELECT 1" }.count == 3)
    withExtendedLifetime(directory) {}
  }

  @Test func `observes the connection of a snapshot`() async throws {
    let (database, directory) = try `A database`.make(.file)
    let events = Shared<[String]>([])
    database.observeQueries { Log(events) }
    let snapshot = try await database.snapshot()
    for _ in 0..<2 { _ = try await snapshot.read { try $0.run("SELECT 1") } }
    let run = ["SELECT 1", "row of SELECT 1", "end of SELECT 1", "end"]
    #expect(events.value.suffix(8) == (run + run)[...])
    withExtendedLifetime(directory) {}
  }
}
