import Observe
import PostgreSQL
import PostgreSQLTesting
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

/// The changes that make the value of a live route stale.
@Suite(.needsLiveServer, .serialized) struct `A live route on PostgreSQL` {
  private static let schema = """
    CREATE TABLE list (id bigint PRIMARY KEY, title text, color text);
    CREATE TABLE todo (
      id bigint PRIMARY KEY, list bigint REFERENCES list, name text, size double precision,
      note text, done boolean, code uuid, price numeric, at timestamptz);
    CREATE TABLE other (id bigint PRIMARY KEY);
    CREATE PUBLICATION holt FOR TABLE list, todo, other;
    INSERT INTO list VALUES (1, 'home', 'red'), (2, 'work', 'blue');
    INSERT INTO todo (id, list, name, size, done) VALUES
      (1, 1, 'milk', 1.5, false), (2, 1, 'eggs', NULL, true), (3, 2, 'mail', 2, false);
    """

  struct Case: CustomTestStringConvertible, Sendable {
    let route: DatabaseRoute
    let change: String
    /// Indicates whether the change matters with the default replica identity, and with `FULL`.
    let matters: Bool
    let mattersWithFullRows: Bool

    init(_ route: DatabaseRoute, _ change: String, _ matters: Bool, full: Bool? = nil) {
      self.route = route
      self.change = change
      self.matters = matters
      mattersWithFullRows = full ?? matters
    }

    var testDescription: String { "\(route.description): \(change)" }
  }

  private static let ofList = DatabaseRoute.fetch(
    from: "todo", filteredBy: Column("list").equals(1), order: .ascending("id"))
  private static let names = DatabaseRoute.fetch(
    from: "todo", filteredBy: Column("list").equals(1)
  ).selecting("id", "name")
  private static let byKey = DatabaseRoute.fetch(
    from: "todo", filteredBy: Column("id").in([1, 2]))

  static let cases: [Case] = [
    Case(ofList, "INSERT INTO todo (id, list) VALUES (9, 1)", true),
    Case(ofList, "INSERT INTO todo (id, list) VALUES (9, 2)", false),
    Case(ofList, "INSERT INTO todo (id, list) VALUES (9, NULL)", false),
    Case(ofList, "INSERT INTO todo (id, list) VALUES (9, 2), (10, 1)", true),
    Case(ofList, "INSERT INTO other VALUES (1)", false),
    Case(ofList, "UPDATE list SET title = 'x' WHERE id = 1", false),
    Case(ofList, "UPDATE todo SET name = 'x' WHERE id = 1", true),
    // Without the old row, the row may have been one of the list.
    Case(ofList, "UPDATE todo SET name = 'x' WHERE id = 3", true, full: false),
    Case(ofList, "UPDATE todo SET list = 1 WHERE id = 3", true),
    Case(ofList, "UPDATE todo SET list = 2 WHERE id = 1", true),
    Case(ofList, "UPDATE todo SET name = name WHERE id = 1", true, full: false),
    Case(ofList, "UPDATE todo SET id = 30 WHERE id = 3", true, full: false),
    Case(ofList, "DELETE FROM todo WHERE id = 1", true),
    Case(ofList, "DELETE FROM todo WHERE id = 3", true, full: false),
    Case(ofList, "DELETE FROM todo WHERE id = 77", false),
    Case(ofList, "TRUNCATE todo", true),
    Case(
      ofList,
      """
      BEGIN; SAVEPOINT s; INSERT INTO todo (id, list) VALUES (9, 1); ROLLBACK TO s;
      INSERT INTO todo (id, list) VALUES (10, 2); COMMIT
      """, false),
    Case(ofList, "BEGIN; INSERT INTO todo (id, list) VALUES (9, 1); ROLLBACK", false),
    Case(
      ofList,
      "BEGIN; INSERT INTO todo (id, list) VALUES (9, 1); DELETE FROM todo WHERE id = 9; COMMIT",
      false),
    Case(names, "UPDATE todo SET note = 'x' WHERE id = 1", true, full: false),
    Case(names, "UPDATE todo SET name = 'x' WHERE id = 1", true),
    Case(byKey, "UPDATE todo SET name = 'x' WHERE id = 3", false),
    Case(byKey, "UPDATE todo SET name = 'x' WHERE id = 2", true),
    Case(byKey, "UPDATE todo SET id = 30 WHERE id = 3", false),
    Case(byKey, "UPDATE todo SET id = 30 WHERE id = 2", true),
    Case(byKey, "DELETE FROM todo WHERE id = 3", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("done").equals(true)),
      "INSERT INTO todo (id, done) VALUES (9, false)", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("done").isTrue()),
      "INSERT INTO todo (id, done) VALUES (9, false)", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("done").isTrue()),
      "INSERT INTO todo (id, done) VALUES (9, true)", true),
    Case(
      .fetch(from: "todo", filteredBy: Column("size").greaterThan(5)),
      "INSERT INTO todo (id, size) VALUES (9, 4.5)", false),
    // NaN is greater than any other number.
    Case(
      .fetch(from: "todo", filteredBy: Column("size").greaterThan(5)),
      "INSERT INTO todo (id, size) VALUES (9, 'NaN')", true),
    Case(
      .fetch(from: "todo", filteredBy: Column("name").equals("milk")),
      "INSERT INTO todo (id, name) VALUES (9, 'Milk')", false),
    // The collation is C.
    Case(
      .fetch(from: "todo", filteredBy: Column("name").lessThan("m")),
      "INSERT INTO todo (id, name) VALUES (9, 'n')", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("name").like("a%")),
      "INSERT INTO todo (id) VALUES (9)", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("name").isNull()),
      "INSERT INTO todo (id, name) VALUES (9, 'x')", false),
    Case(
      .fetch(
        from: "todo",
        filteredBy: Column("code").equals("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11")),
      "INSERT INTO todo (id, code) VALUES (9, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')", true),
    Case(
      .fetch(
        from: "todo",
        filteredBy: Column("code").equals("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11")),
      "INSERT INTO todo (id, code) VALUES (9, 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("price").equals(3)),
      "INSERT INTO todo (id, price) VALUES (9, 4)", false),
    Case(
      .fetch(from: "todo", filteredBy: Column("price").equals(3)),
      "INSERT INTO todo (id, price) VALUES (9, 3.00)", true),
    Case(
      .fetch(from: "todo", filteredBy: Column("at").equals("2026-01-01 00:00:00Z")),
      "INSERT INTO todo (id, at) VALUES (9, '2026-01-01 01:00:00+01')", true),
    Case(.count(from: "todo"), "UPDATE todo SET name = 'x' WHERE id = 1", false),
    Case(.count(from: "todo"), "DELETE FROM todo WHERE id = 1", true),
    Case(
      .fetch(from: "list", order: .ascending("id")).embedding(
        .init("todo", columns: ["id", "name"])),
      "UPDATE todo SET name = 'x' WHERE id = 3", true),
    Case(
      .fetch(from: "list", order: .ascending("id")).embedding(
        .init("todo", columns: ["id", "name"])),
      "UPDATE todo SET note = 'x' WHERE id = 3", true, full: false),
    Case(
      .fetch(from: "list", order: .ascending("id"))
        .embedding(.init("todo", columns: ["id"], filteredBy: Column("size").greaterThan(100))),
      "INSERT INTO todo (id, list, size) VALUES (9, 1, 1)", false),
    Case(
      .fetch(from: "list", order: .ascending("id"))
        .embedding(.init("todo", columns: ["id"], filteredBy: Column("size").greaterThan(100))),
      "INSERT INTO todo (id, list, size) VALUES (9, 1, 101)", true),
    Case(
      DatabaseRoute.fetch(from: "todo").selecting("list")
        .aggregating(.count(as: "count"), .sum("size", as: "total")),
      "UPDATE todo SET name = 'x' WHERE id = 1", true, full: false),
    Case(
      DatabaseRoute.fetch(from: "todo").selecting("list")
        .aggregating(.count(as: "count"), .sum("size", as: "total")),
      "UPDATE todo SET size = 9 WHERE id = 1", true),
  ]

  /// A row of any of the routes.
  struct Row: Codable, Hashable, Sendable {
    var id: Int?
    var list: Int?
    var name: String?
    var size: Double?
    var note: String?
    var title: String?
    var todo: [Todo]?
    var count: Int?
    var total: Double?
  }

  @Test(arguments: cases, ["DEFAULT", "FULL"])
  func `is fetched again if a change matters`(_ test: Case, _ identity: String) async throws {
    let matters = identity == "FULL" ? test.mattersWithFullRows : test.matters
    try await Live.with(
      Self.schema + "ALTER TABLE todo REPLICA IDENTITY \(identity); CREATE TABLE mark (id int);"
        + "ALTER PUBLICATION holt ADD TABLE mark"
    ) { live in
      let marks = Collector(live.changes.changes(in: .table(TableName(schema: "public", "mark"))))
      let values = Collector(live.executor.observe(Row.self, for: test.route, expecting: nil))
      #expect(await values.wait { _ in true })
      try await live.waitUntilConnected()
      // A late connection is reported as a change of all tables.
      let (count, markCount) = (values.values.count, marks.values.count)
      try await live.run(test.change)
      // A commit that follows the change.
      try await live.run("INSERT INTO mark VALUES (1)")
      #expect(await marks.wait(forMoreThan: markCount))
      await live.changes.waitUntilIdle(includingConsumers: true)
      #expect(values.values.count == count + (matters ? 1 : 0))
      let fresh = try await live.executor.values(Row.self, for: test.route)
      // NaN is not equal to itself, and not every route has an order.
      #expect(values.last?.map { "\($0)" }.sorted() == fresh.map { "\($0)" }.sorted())
    }
  }

  // MARK: Values

  @Test func `keeps a large value that an update has not changed`() async throws {
    try await Live.with(
      """
      CREATE TABLE todo (id bigint PRIMARY KEY, name text, list bigint);
      ALTER TABLE todo ALTER COLUMN name SET STORAGE EXTERNAL, REPLICA IDENTITY FULL;
      CREATE PUBLICATION holt FOR TABLE todo;
      INSERT INTO todo VALUES (1, repeat('x', 100000), 1);
      """
    ) { live in
      let names = Collector(
        live.executor.observeValues(
          Todo.self,
          for: DatabaseRoute.fetch(from: "todo", filteredBy: Column("name").isNotNull())
            .selecting("id", "name")))
      let all = Collector(live.executor.observeValues(Todo.self, for: .fetch(from: "todo")))
      #expect(await names.wait { $0.first?.name?.utf8.count == 100_000 })
      #expect(await all.wait { _ in true })
      try await live.waitUntilConnected()
      let count = names.values.count
      try await live.run("UPDATE todo SET list = 2")
      #expect(await all.wait { $0.first?.list == 2 })
      #expect(all.last?.first?.name?.utf8.count == 100_000)
      await live.changes.waitUntilIdle(includingConsumers: true)
      #expect(names.values.count == count)
    }
  }

  @Test func `is fetched once for a commit of many rows`() async throws {
    try await Live.with(Self.schema) { live in
      let values = Collector(
        live.executor.observeValues(Todo.self, for: Self.ofList))
      #expect(await values.wait { $0.count == 2 })
      try await live.run(
        "INSERT INTO todo (id, list) SELECT i, 2 FROM generate_series(100, 20000) AS i")
      // The rows are not kept, so that they may be rows of the list.
      try await live.run("INSERT INTO todo (id, list) VALUES (50, 1)")
      #expect(await values.wait { $0.count == 3 })
      #expect(values.values.count <= 3)
    }
  }

  @Test func `has the columns of the table after DDL`() async throws {
    try await Live.with(Self.schema) { live in
      struct Extended: Codable, Hashable, Sendable {
        var id: Int
        var extra: String?
      }
      let values = Collector(
        live.executor.observeValues(
          Extended.self, for: .fetch(from: "todo", order: .ascending("id"))))
      // A value with the columns before the change.
      #expect(await values.wait { $0.count == 3 })
      try await live.run("UPDATE todo SET note = 'x' WHERE id = 1")
      try await live.run("ALTER TABLE todo ADD COLUMN extra text DEFAULT 'new'")
      try await live.run("UPDATE todo SET note = 'y' WHERE id = 1")
      #expect(await values.wait { $0.allSatisfy { $0.extra == "new" } })
      try await live.run(
        "ALTER TABLE todo DROP COLUMN extra", "UPDATE todo SET note = 'z' WHERE id = 1")
      #expect(await values.wait { $0.allSatisfy { $0.extra == nil } })
      #expect(values.error == nil)
    }
  }

  @Test func `follows views, and the tables of views`() async throws {
    try await Live.with(
      Self.schema + """
        CREATE VIEW home AS SELECT t.id, t.name FROM todo t JOIN list l ON l.id = t.list
          WHERE l.title = 'home';
        CREATE VIEW homes AS SELECT id, upper(name) AS name FROM home;
        """
    ) { live in
      let values = Collector(
        live.executor.observeValues(
          Todo.self, for: .fetch(from: "homes", order: .ascending("id"))))
      #expect(await values.wait { $0.map(\.name) == ["MILK", "EGGS"] })
      try await live.run("UPDATE todo SET name = 'tea' WHERE id = 1")
      #expect(await values.wait { $0.map(\.name) == ["TEA", "EGGS"] })
      try await live.run("UPDATE list SET title = 'away' WHERE id = 1")
      #expect(await values.wait { $0.isEmpty })
    }
  }

  @Test func `follows the tables of policies of row-level security`() async throws {
    try await Live.with(
      Self.schema + """
        CREATE TABLE member (list bigint);
        ALTER PUBLICATION holt ADD TABLE member;
        CREATE POLICY p ON todo USING (list IN (SELECT list FROM member));
        ALTER TABLE todo ENABLE ROW LEVEL SECURITY;
        ALTER TABLE todo FORCE ROW LEVEL SECURITY;
        CREATE ROLE reader_\(UInt32.random(in: 0..<UInt32.max)) IN ROLE pg_read_all_data;
        """
    ) { live in
      let role = try #require(
        try await live.database.value(
          String.self, "SELECT rolname::text FROM pg_roles WHERE rolname LIKE 'reader_%' LIMIT 1"))
      try await live.run(
        "ALTER ROLE \(role) LOGIN REPLICATION", "GRANT SELECT ON member, todo TO \(role)")
      var configuration = live.database.configuration
      configuration.user = role
      let database = PostgreSQLDatabase(configuration)
      let changes = PostgreSQLChangeSource(database)
      let executor = PostgreSQLRouteExecutor(database, changes: changes)
      let values = Collector(executor.observeValues(Todo.self, for: Self.ofList))
      #expect(await values.wait { $0.isEmpty })
      try await live.run("INSERT INTO member VALUES (1)")
      #expect(await values.wait { $0.count == 2 })
      try await live.run("UPDATE todo SET name = 'x' WHERE id = 1")
      #expect(await values.wait { $0.first { $0.id == 1 }?.name == "x" })
      await changes.close()
      database.close()
      try await live.expectNothingRemains()
      try await live.run("DROP OWNED BY \(role)", "DROP ROLE \(role)")
    }
  }

  @Test func `follows the partitions of a table`() async throws {
    try await Live.with(
      """
      CREATE TABLE todo (id bigint, list bigint, name text, PRIMARY KEY (id, list))
        PARTITION BY LIST (list);
      CREATE TABLE todo_1 PARTITION OF todo FOR VALUES IN (1);
      CREATE TABLE todo_2 (
        list bigint NOT NULL, name text, id bigint NOT NULL, PRIMARY KEY (id, list));
      ALTER TABLE todo ATTACH PARTITION todo_2 FOR VALUES IN (2);
      CREATE PUBLICATION holt FOR TABLE todo;
      INSERT INTO todo VALUES (1, 1, 'a'), (2, 2, 'b');
      """
    ) { live in
      let values = Collector(
        live.executor.observeValues(
          Todo.self,
          for: .fetch(
            from: "todo", filteredBy: Column("id").lessThan(100), order: .ascending("id"))))
      #expect(await values.wait { $0.count == 2 })
      try await live.run("UPDATE todo SET name = 'c' WHERE id = 2")
      #expect(await values.wait { $0.last?.name == "c" })
      try await live.run("UPDATE todo SET list = 2 WHERE id = 1")
      #expect(await values.wait { $0.first?.list == 2 })
      try await live.run("TRUNCATE todo_2")
      #expect(await values.wait { $0.isEmpty })
      await live.changes.waitUntilIdle(includingConsumers: true)
      let count = values.values.count
      try await live.run(
        "INSERT INTO todo VALUES (500, 1, 'x')", "INSERT INTO todo VALUES (3, 1, 'y')")
      #expect(await values.wait { $0.count == 1 })
      #expect(values.values.count == count + 1)
    }
  }

  @Test func `with custom SQL depends on its declared tables, or else on everything`() async throws
  {
    try await Live.with(Self.schema) { live in
      let custom = try DatabaseRoute.custom(on: "todo") { _ in
        "SELECT count(*) AS count FROM todo"
      }
      let undeclared = Collector(live.executor.observeValues(Row.self, for: custom))
      let declared = Collector(
        live.executor.observeValues(Row.self, for: custom.reading("todo", "list")))
      #expect(await undeclared.wait { $0.first?.count == 3 })
      #expect(await declared.wait { $0.first?.count == 3 })
      try await live.run("INSERT INTO other VALUES (1)")
      #expect(await undeclared.wait { _ in undeclared.values.count == 2 })
      try await live.run("DELETE FROM todo WHERE id = 1")
      #expect(await undeclared.wait { $0.first?.count == 2 })
      #expect(await declared.wait { $0.first?.count == 2 })
      #expect(declared.values.count == 2)
    }
  }

  @Test func `applies policies and row filters to each value`() async throws {
    try await Live.with(Self.schema) { live in
      struct Refused: Error {}
      var executor = live.executor
      executor.rowFilters["todo"] = Column("list").equals(1)
      executor.policies = [{ if $0.table == "list" { throw Refused() } }]
      let values = Collector(
        executor.observeValues(Todo.self, for: .fetch(from: "todo", order: .ascending("id"))))
      #expect(await values.wait { $0.map(\.id) == [1, 2] })
      try await live.run("INSERT INTO todo (id, list) VALUES (8, 2)")
      try await live.run("INSERT INTO todo (id, list) VALUES (9, 1)")
      #expect(await values.wait { $0.map(\.id) == [1, 2, 9] })
      #expect(values.values.count == 2)
      let refused = Collector(executor.observeValues(Todo.self, for: .fetch(from: "list")))
      #expect(await refused.end() is Refused)
    }
  }

  @Test func `continues after an error when a commit has fixed it`() async throws {
    try await Live.with(Self.schema) { live in
      let results = Collector(
        live.executor.observeValue(Todo.self, for: .fetchOne(id: 7, from: "todo")).results)
      func code(_ result: Result<Todo, any Error>) -> RouterError.Code? {
        guard case .failure(let error) = result else { return nil }
        return (error as? RouterError)?.code
      }
      #expect(await results.wait { code($0) == .notFound })
      try await live.run("INSERT INTO todo (id, name) VALUES (7, 'late')")
      #expect(await results.wait { (try? $0.get())?.name == "late" })
      try await live.run("DELETE FROM todo WHERE id = 7")
      #expect(await results.wait { code($0) == .notFound })
    }
  }

  @Test func `that can't be observed ends with an error`() async throws {
    try await Live.with(Self.schema) { live in
      @Sendable func code(_ values: Collector<[Todo]>) async -> RouterError.Code? {
        (await values.end() as? RouterError)?.code
      }
      let write = Collector(
        live.executor.observeValues(Todo.self, for: .delete(id: 1, from: "todo")))
      #expect(await code(write) == .invalidRoute)
      let unknown = Collector(live.executor.observeValues(Todo.self, for: .fetch(from: "todos")))
      #expect(await code(unknown) == .unknownTable)
      try await live.executor.transaction { routes in
        let live = try #require(routes as? any LiveRouteExecutor)
        let values = Collector(live.observeValues(Todo.self, for: .fetch(from: "todo")))
        #expect(await code(values) == .unsupported)
      }
    }
  }

  @Test func `is observed by a router, with its overrides`() async throws {
    try await Live.with(Self.schema) { live in
      var router = GeneralRouter(live.executor)
      let values: DatabaseRoute.Observation<[Todo]> = router.observe(Self.ofList)
      let real = Collector(values)
      #expect(await real.wait { $0.count == 2 })
      try await live.run("INSERT INTO todo (id, list) VALUES (9, 1)")
      #expect(await real.wait { $0.count == 3 })
      router.override(.route(Self.ofList, with: [Todo(id: 77)]))
      let overridden: DatabaseRoute.Observation<[Todo]> = router.observe(Self.ofList)
      let other = Collector(overridden)
      #expect(await other.wait { $0.map(\.id) == [77] })
    }
  }

  @Test func `shares its fetches with equal routes`() async throws {
    try await Live.with(Self.schema) { live in
      let runs = Counter()
      var executor = live.executor
      executor.policies = [{ _ in runs.increment() }]
      let collectors = (0..<8).map { _ in
        Collector(executor.observeValues(Todo.self, for: Self.ofList))
      }
      for collector in collectors { #expect(await collector.wait { $0.count == 2 }) }
      await live.changes.waitUntilIdle(includingConsumers: true)
      let before = runs.value
      try await live.run("INSERT INTO todo (id, list) VALUES (9, 1)")
      for collector in collectors { #expect(await collector.wait { $0.count == 3 }) }
      #expect(runs.value == before + 1)
    }
  }
}
