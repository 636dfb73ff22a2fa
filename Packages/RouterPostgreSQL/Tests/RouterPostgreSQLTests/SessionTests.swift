import PostgreSQL
import PostgreSQLTesting
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

/// Row-level security by the role and the settings of a session.
@Suite(.needsServer) struct `A session of routes` {
  static let schema = """
    DO $$BEGIN
      CREATE ROLE member;
    -- Another test has created it, or does.
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END$$;
    CREATE TABLE todo (id bigint PRIMARY KEY, owner text NOT NULL, name text NOT NULL);
    CREATE TABLE secret (id bigint PRIMARY KEY);
    GRANT SELECT, INSERT, UPDATE, DELETE ON todo TO member;
    ALTER TABLE todo ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON todo TO member USING (
      owner = nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub');
    INSERT INTO todo VALUES (1, 'ada', 'a'), (2, 'bob', 'b'), (3, 'ada', 'c');
    """

  /// Passes executors for Ada, for a member without claims, and for the owner of the tables to `body`. They share a pool.
  private func withExecutors(
    connections: Int = 1,
    _ body: (
      _ ada: PostgreSQLRouteExecutor, _ nobody: PostgreSQLRouteExecutor,
      _ owner: PostgreSQLRouteExecutor, PostgreSQLDatabase
    ) async throws -> Void
  ) async throws {
    try await PostgreSQLTestServer.withDatabase(Self.schema, connections: connections) { database in
      let owner = PostgreSQLRouteExecutor(database)
      var (ada, nobody) = (owner, owner)
      ada.session = PostgreSQLRouteSession(role: "member", claims: #"{"sub": "ada"}"#)
      nobody.session = PostgreSQLRouteSession(role: "member")
      try await body(ada, nobody, owner, database)
    }
  }

  private static let all = DatabaseRoute.fetch(from: "todo", order: .ascending("id"))
    .selecting("id")

  private func code(_ body: () async throws -> Void) async -> RouterError.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? RouterError)?.code
    }
  }

  @Test func `restricts every kind of route, and leaves nothing on the connection`() async throws {
    try await withExecutors { ada, nobody, owner, database in
      let all = Self.all
      for _ in 1...2 {
        #expect(try await ada.values(Int.self, for: all) == [1, 3])
        #expect(try await nobody.values(Int.self, for: all) == [])
        #expect(try await owner.values(Int.self, for: all) == [1, 2, 3])
      }
      #expect(try await ada.value(Int.self, for: .count(from: "todo")) == 2)
      // Estimates of the planner count the rows of others.
      let planned = DatabaseRoute.count(from: "todo").counted(.planned)
      #expect(try await ada.value(DatabaseRoute.RowCount.self, for: planned) == .init(2))
      let (ids, total) = try await ada.countedValues(Int.self, for: all.limited(to: 1))
      #expect(ids == [1] && total == 2)
      var streamed: [Int] = []
      for try await id in try await ada.stream(Int.self, for: all) { streamed.append(id) }
      #expect(streamed == [1, 3])
      let custom = try DatabaseRoute.custom(on: "todo") { _ in "SELECT count(*) FROM todo" }
      #expect(try await ada.value(Int.self, for: custom) == 2)
      let update = try DatabaseRoute.update(
        ["name": "x"] as DatabaseRoute.Record, in: "todo", filteredBy: .all)
      #expect(try await ada.affectedCount(of: update) == 2)
      #expect(try await ada.affectedCount(of: .delete(id: 2, from: "todo")) == 0)
      let names = try await owner.values(
        String.self, for: .fetch(from: "todo", order: .ascending("id")).selecting("name"))
      #expect(names == ["x", "b", "x"])
      let role = try await database.value(String.self, "SELECT current_user::text")
      #expect(role == "postgres")
    }
  }

  @Test func `refuses what the role may not do`() async throws {
    try await withExecutors { ada, _, owner, _ in
      let insert = try DatabaseRoute.insert(
        ["id": 9, "owner": "bob", "name": "x"] as DatabaseRoute.Record, into: "todo")
      #expect(await code { try await ada.perform(insert) } == .refused)
      #expect(await code { _ = try await ada.run(.fetch(from: "secret")) } == .refused)
      var unknown = owner
      unknown.session = PostgreSQLRouteSession(role: "nobody here")
      await #expect(throws: (any Error).self) { _ = try await unknown.run(Self.all) }
      #expect(try await owner.value(Int.self, for: .count(from: "todo")) == 3)
    }
  }

  @Test func `can't write with a function in a route that reads`() async throws {
    try await withExecutors { ada, _, owner, database in
      try await database.execute(
        """
        CREATE FUNCTION add_secret() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS
          'INSERT INTO secret VALUES (1) RETURNING id';
        CREATE VIEW trap AS SELECT add_secret() AS id;
        GRANT SELECT ON trap TO member;
        """)
      #expect(await code { _ = try await ada.run(.fetch(from: "trap")) } == .readOnly)
      #expect(try await owner.value(Int.self, for: .count(from: "secret")) == 0)
    }
  }

  @Test func `is the same for all routes of a transaction`() async throws {
    try await withExecutors { ada, _, owner, _ in
      let session = ada.session
      let counts = try await ada.transaction { routes in
        var routes = try #require(routes as? PostgreSQLRouteExecutor)
        let own = try await routes.value(Int.self, for: .count(from: "todo"))
        routes.session = nil
        let route = DatabaseRoute.count(from: "todo")
        #expect(await code { _ = try await routes.run(route) } == .unsupported)
        routes.session = session
        return [own, try await routes.value(Int.self, for: route)]
      }
      #expect(counts == [2, 2])
    }
  }

  @Test func `can limit the time of statements`() async throws {
    try await withExecutors { _, _, owner, _ in
      var limited = owner
      limited.session = PostgreSQLRouteSession(settings: ["statement_timeout": "50"])
      let slow = try DatabaseRoute.custom(on: "todo") { _ in "SELECT pg_sleep(20)" }
      let start = ContinuousClock.now
      await #expect(throws: (any Error).self) { _ = try await limited.run(slow) }
      #expect(start.duration(to: .now) < .seconds(10))
    }
  }

  @Test func `restricts live routes, which are not shared with other sessions`() async throws {
    try await withExecutors(connections: 4) { ada, nobody, owner, database in
      try await owner.changes.installTriggers(on: [TableName(schema: "public", "todo")])
      let route = Self.all
      var values: [AsyncThrowingStream<[Int], any Error>.Iterator] = []
      for executor in [ada, nobody, owner, ada] {
        values.append(Self.stream(of: executor.observe(Int.self, for: route, expecting: nil)))
      }
      var first: [[Int]?] = []
      for index in values.indices { first.append(try await values[index].next()) }
      #expect(first == [[1, 3], [], [1, 2, 3], [1, 3]])
      try await database.execute("INSERT INTO todo VALUES (4, 'ada', 'd')")
      #expect(try await values[0].next() == [1, 3, 4])
      #expect(try await values[2].next() == [1, 2, 3, 4])
      #expect(try await values[3].next() == [1, 3, 4])
      await owner.changes.close()
    }
  }

  private static func stream(
    of observation: DatabaseRoute.Observation<[Int]>
  ) -> AsyncThrowingStream<[Int], any Error>.Iterator {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await value in observation { continuation.yield(value) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }.makeAsyncIterator()
  }
}
