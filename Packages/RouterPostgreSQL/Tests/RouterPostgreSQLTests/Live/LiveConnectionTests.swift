import Observe
import PostgreSQL
import PostgreSQLTesting
import Primitives
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

/// Connections, slots, servers and triggers of live routes.
@Suite(.needsLiveServer, .serialized) struct `The changes of a PostgreSQL database` {
  private static let schema = """
    CREATE TABLE todo (id bigint PRIMARY KEY, list bigint, name text, size double precision);
    INSERT INTO todo VALUES (1, 1, 'milk', 1), (2, 2, 'mail', 2);
    """
  private static let published = schema + "CREATE PUBLICATION holt FOR TABLE todo;"
  private static let all = DatabaseRoute.fetch(from: "todo", order: .ascending("id"))

  // MARK: Connections

  @Test func `are received with one slot while something is observed, and no longer`() async throws
  {
    try await Live.with(Self.published) { live in
      func slots() async throws -> Int {
        try await live.database.value(
          Int.self,
          """
          SELECT count(*) FROM pg_replication_slots
          WHERE database = current_database() AND temporary
          """) ?? 0
      }
      #expect(try await slots() == 0)
      var collectors = (0..<3).map { _ in
        Collector(live.executor.observeValues(Todo.self, for: Self.all))
      }
      for collector in collectors { #expect(await collector.wait { $0.count == 2 }) }
      #expect(try await slots() == 1)
      for collector in collectors { await collector.cancel() }
      collectors = []
      // The slot is still used.
      let next = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      #expect(await next.wait { $0.count == 2 })
      try await Task.sleep(for: .seconds(1.5))
      #expect(try await slots() == 1)
      try await live.run("INSERT INTO todo VALUES (3)")
      #expect(await next.wait { $0.count == 3 })
      await next.cancel()
      try await live.expectNothingRemains()
      let again = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      #expect(await again.wait { $0.count == 3 })
      try await live.run("DELETE FROM todo")
      #expect(await again.wait { $0.isEmpty })
    }
  }

  @Test func `end their observations when they are closed`() async throws {
    try await Live.with(Self.published) { live in
      let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      #expect(await values.wait { $0.count == 2 })
      await live.changes.close()
      #expect((await values.end() as? PostgreSQLError)?.code == .closed)
      try await live.expectNothingRemains()
    }
  }

  @Test func `leave nothing when observers are cancelled while they begin`() async throws {
    try await Live.with(Self.published) { live in
      for delay in [0, 1, 2, 5, 10, 20] {
        let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
        try await Task.sleep(for: .milliseconds(delay))
        await values.cancel()
      }
      try await live.expectNothingRemains()
      #expect(!live.changes.publisher.isObserved)
    }
  }

  @Test func `that were missed without a connection are found after the next one`() async throws {
    try await Live.with(Self.published) { live in
      let events = Mutex<[Bool]>([])
      let changes = PostgreSQLChangeSource(live.database, method: .replication) { event in
        events.withLock {
          if case .connected = event { $0.append(true) } else { $0.append(false) }
        }
      }
      let executor = PostgreSQLRouteExecutor(live.database, changes: changes)
      let values = Collector(executor.observeValues(Todo.self, for: Self.all))
      #expect(await values.wait { $0.count == 2 })
      for number in 3...6 {
        // In one statement, so that the insertion is not received.
        try await live.run(
          """
          SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots
          WHERE database = current_database();
          INSERT INTO todo VALUES (\(number))
          """)
        #expect(await values.wait { $0.count == number })
      }
      #expect(values.error == nil)
      #expect(events.withLock { $0.contains(false) })
      await changes.close()
    }
  }

  @Test func `continue after the server was stopped and started`() async throws {
    let server = try PostgreSQLTestServer(settings: [
      "wal_level": "logical", "synchronous_commit": "on", "fsync": "on",
    ])
    let database = PostgreSQLDatabase(server.configuration())
    try await database.execute(PostgreSQLQuery(unsafe: Self.published))
    let changes = PostgreSQLChangeSource(database)
    let executor = PostgreSQLRouteExecutor(database, changes: changes)
    let values = Collector(executor.observeValues(Todo.self, for: Self.all))
    #expect(await values.wait { $0.count == 2 })
    for (number, isKilled) in [(3, false), (4, true)] {
      if isKilled { try server.kill() } else { try server.stop() }
      try server.start()
      // By another connection, before the observation has connected again.
      try server.psql(["INSERT INTO todo VALUES (\(number))"])
      #expect(await values.wait { $0.count == number })
      try server.psql(["UPDATE todo SET name = 'x\(number)' WHERE id = 1"])
      #expect(await values.wait { $0.first?.name == "x\(number)" })
    }
    #expect(values.error == nil)
    await changes.close()
    var slots = ""
    for _ in 0..<200 where !slots.hasPrefix("0") {
      slots = try server.psql(["SELECT count(*) FROM pg_replication_slots"])
    }
    #expect(slots.hasPrefix("0"))
    database.close()
  }

  @Test func `do not delay first values for a long transaction`() async throws {
    try await Live.with(Self.published) { live in
      let start = ContinuousClock.now
      try await live.database.withConnection { connection in
        try await connection.run("BEGIN")
        try await connection.run("INSERT INTO todo VALUES (10)")
        let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
        #expect(await values.wait { $0.count == 2 })
        #expect(start.duration(to: .now) < .seconds(10))
        try await live.run("INSERT INTO todo VALUES (11)")
        try await connection.run("COMMIT")
        #expect(await values.wait { $0.count == 4 })
      }
    }
  }

  // MARK: Requirements

  struct Requirement: CustomTestStringConvertible, Sendable {
    let setup: String
    let message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Requirement(setup: "", message: "the publication holt does not exist"),
    Requirement(
      setup: "CREATE PUBLICATION holt FOR TABLE todo WITH (publish = 'insert')",
      message: "must publish all kinds of changes"),
    Requirement(
      setup: "CREATE TABLE other (id int); CREATE PUBLICATION holt FOR TABLE other",
      message: "ALTER PUBLICATION holt ADD TABLE public.todo"),
    Requirement(
      setup: "CREATE PUBLICATION holt FOR TABLE todo WHERE (id > 5)",
      message: "does not contain all rows and columns of public.todo"),
    Requirement(
      setup: "CREATE PUBLICATION holt FOR TABLE todo (id, name)",
      message: "does not contain all rows and columns of public.todo"),
    Requirement(
      setup:
        "CREATE TABLE other (id int); CREATE PUBLICATION holt FOR TABLE other; ALTER TABLE todo SET UNLOGGED",
      message: "it is not logged"),
    Requirement(
      setup: """
        DROP TABLE todo; CREATE TABLE todo (id bigint, list bigint) PARTITION BY LIST (list);
        CREATE TABLE todo_1 PARTITION OF todo FOR VALUES IN (1);
        CREATE PUBLICATION holt FOR TABLE todo WITH (publish_via_partition_root = true)
        """,
      message: "SET (publish_via_partition_root = false)"),
    Requirement(
      setup: """
        CREATE TABLE other (id int); CREATE PUBLICATION holt FOR TABLE other;
        ALTER TABLE todo RENAME TO base; CREATE MATERIALIZED VIEW todo AS SELECT * FROM base
        """,
      message: "it is a materialized view"),
  ])
  func `need a publication of the tables`(_ requirement: Requirement) async throws {
    try await Live.with(Self.schema + requirement.setup) { live in
      let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      let error = await values.end() as? RouterError
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains(requirement.message) == true, "\(error?.message ?? "none")")
    }
  }

  @Test func `need a role that may replicate, and a server that decodes its log`() async throws {
    try await Live.with(Self.published) { live in
      let role = "plain_\(UInt32.random(in: 0..<UInt32.max))"
      try await live.run("CREATE ROLE \(role) LOGIN", "GRANT SELECT ON todo TO \(role)")
      var configuration = live.database.configuration
      configuration.user = role
      let database = PostgreSQLDatabase(configuration)
      let executor = PostgreSQLRouteExecutor(database)
      let values = Collector(executor.observeValues(Todo.self, for: Self.all))
      let message = (await values.end() as? RouterError)?.message
      #expect(message?.contains("the role \(role) needs the attribute REPLICATION") == true)
      database.close()
      try await live.run("DROP OWNED BY \(role)", "DROP ROLE \(role)")
    }
    try await Live.with(Self.schema, on: .shared) { live in
      let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      let error = await values.end() as? RouterError
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("`wal_level` is replica") == true)
      #expect(error?.message.contains("the publication holt does not exist") == true)
      #expect(error?.message.contains("installTriggers") == true)
    }
  }

  // MARK: Triggers

  @Test func `are reported by triggers if the log is not decoded`() async throws {
    try await Live.with(
      Self.schema + """
        CREATE TABLE "Other's" (id bigint);
        CREATE TABLE part (id bigint, list bigint) PARTITION BY LIST (list);
        CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
        """, on: .shared
    ) { live in
      let tables = ["todo", "Other's", "part"].map { TableName(schema: "public", $0) }
      try await live.changes.installTriggers(on: tables)
      // Again, without an effect.
      try await live.changes.installTriggers(on: tables)
      let todos = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      let others = Collector(
        live.executor.observeCount(of: .fetch(from: "Other's")))
      let parts = Collector(live.executor.observeCount(of: .fetch(from: "part")))
      let part = Collector(live.executor.observeCount(of: .fetch(from: "part_1")))
      #expect(await todos.wait { $0.count == 2 })
      #expect(await others.wait { $0 == 0 })
      #expect(await parts.wait { $0 == 0 })
      #expect(await part.wait { $0 == 0 })
      try await live.waitUntilConnected()
      let counts = (todos: todos.values.count, others: others.values.count)
      try await live.run(#"INSERT INTO "Other's" VALUES (1)"#)
      #expect(await others.wait { $0 == 1 })
      #expect(todos.values.count == counts.todos)
      try await live.run("UPDATE todo SET name = 'x' WHERE id = 1")
      #expect(await todos.wait { $0.first?.name == "x" })
      try await live.run("BEGIN; DELETE FROM todo; ROLLBACK", "INSERT INTO part VALUES (1, 1)")
      #expect(await parts.wait { $0 == 1 })
      try await live.run("INSERT INTO part_1 VALUES (2, 1)")
      #expect(await parts.wait { $0 == 2 })
      #expect(await part.wait { $0 == 2 })
      try await live.run("TRUNCATE todo")
      #expect(await todos.wait { $0.isEmpty })
      #expect(others.values.count == counts.others + 1)
      // A lost connection.
      try await live.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%';
        INSERT INTO todo VALUES (5)
        """)
      #expect(await todos.wait { $0.count == 1 })
      #expect(todos.error == nil)
      try await live.changes.removeTriggers(from: tables)
      let missing = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      #expect((await missing.end() as? RouterError)?.message.contains("has no trigger") == true)
    }
  }

  @Test func `can be reported by triggers on a server that decodes its log`() async throws {
    try await Live.with(Self.published, method: .notifications) { live in
      try await live.changes.installTriggers(on: [TableName(schema: "public", "todo")])
      let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      #expect(await values.wait { $0.count == 2 })
      #expect(
        try await live.database.value(
          Int.self,
          "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()") == 0)
      try await live.run("DELETE FROM todo")
      #expect(await values.wait { $0.isEmpty })
    }
  }

  // MARK: Change sets

  @Test func `contain each transaction's rows, with old and new values`() async throws {
    try await Live.with(Self.published + "ALTER TABLE todo REPLICA IDENTITY FULL") { live in
      let changes = Collector(live.changes.changes())
      let values = Collector(live.executor.observeValues(Todo.self, for: Self.all))
      #expect(await values.wait { $0.count == 2 })
      try await live.database.transaction { connection in
        try await connection.run("UPDATE todo SET name = 'a' WHERE id = 1")
        try await connection.run("UPDATE todo SET name = 'b' WHERE id = 1")
        try await connection.run("INSERT INTO todo VALUES (3, NULL, 'c', 0.5)")
        try await connection.run("DELETE FROM todo WHERE id = 2")
      }
      #expect(
        await changes.wait { changes in
          "\(changes)"
            == #"public.todo: inserted 1 row (id: 3, list: NULL, name: "c", size: 0.5), "#
            + #"updated 1 row (name: "milk" → "b"), "#
            + #"deleted 1 row (id: 2, list: 2, name: "mail", size: 2.0)"#
        }, "\(changes.last.map { "\($0)" } ?? "none")")
    }
  }
}
