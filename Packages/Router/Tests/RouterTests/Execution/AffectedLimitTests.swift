import Router
import SQLiteCore
import Testing

@Suite struct `Writes by a filter` {
  static func executor(rows: Int) async throws -> SQLiteRouteExecutor {
    SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE row (id INTEGER PRIMARY KEY, a INTEGER NOT NULL);
        WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        INSERT INTO row SELECT i, 0 FROM n;
        """))
  }

  static let filter = Column("id").greaterThan(0)

  static func writes() throws -> [DatabaseRoute] {
    let update = try DatabaseRoute.update(["a": 1] as Record, in: "row", filteredBy: filter)
    return [
      update, update.returning(.minimal), .delete(from: "row", filteredBy: filter),
      .delete(from: "row", filteredBy: filter).returning(.representation),
      .delete(from: "row", filteredBy: filter).returning(.minimal),
    ]
  }

  static func changed(_ executor: SQLiteRouteExecutor, of rows: Int) async throws -> Int {
    let left = DatabaseRoute.count(from: "row", filteredBy: [Column("a").equals(0)])
    return rows - (try await executor.value(Int.self, for: left))
  }

  @Test func `can change up to 1,000 rows`() async throws {
    for route in try Self.writes() {
      let executor = try await Self.executor(rows: 1_000)
      #expect(try await executor.run(route).affected == 1_000)
      #expect(try await Self.changed(executor, of: 1_000) == 1_000)
    }
  }

  @Test func `that match more than 1,000 rows fail, and change nothing`() async throws {
    let executor = try await Self.executor(rows: 1_001)
    for route in try Self.writes() {
      let error = await #expect(throws: RouterError.self) { try await executor.run(route) }
      #expect(error?.code == .tooManyRows)
      #expect(error?.table == "row")
      #expect(
        error?.message == """
          the filter selects 1001 rows, but at most 1000 may be written \
          (`DatabaseRoute.Limits.maximumAffectedByFilter`): state the number by `expecting(.atMost(_:))`
          """)
      #expect(await code { try await executor.perform(route) } == .tooManyRows)
      #expect(await code { _ = try await executor.run([route]) } == .tooManyRows)
      #expect(
        await code { _ = try await executor.values(Int.self, for: route.selecting("id")) }
          == .tooManyRows)
      #expect(try await Self.changed(executor, of: 1_001) == 0)
    }
  }

  @Test func `that fail within a transaction are rolled back individually`() async throws {
    let executor = try await Self.executor(rows: 1_001)
    try await executor.transaction { routes in
      try routes.run(.delete(id: 1, from: "row"))
      try routes.run(.insert(["id": 5_000, "a": 0] as Record, into: "row"))
      #expect(throws: RouterError.self) {
        try routes.run(.delete(from: "row", filteredBy: Self.filter))
      }
    }
    #expect(try await Self.changed(executor, of: 1_001) == 0)
    #expect(
      try await executor.optionalValue(Int.self, for: .fetchOne(id: 1, from: "row").selecting("id"))
        == nil)
  }

  @Test func `can change more rows if the route or the executor allows it`() async throws {
    for route in try Self.writes() {
      let executor = try await Self.executor(rows: 1_500)
      let few = route.expecting(.atMost(1_499))
      #expect(await code { try await executor.perform(few) } == .tooManyRows)
      #expect(try await Self.changed(executor, of: 1_500) == 0)
      #expect(try await executor.run(route.expecting(.atMost(1_500))).affected == 1_500)
      let called = try await Self.executor(rows: 1_500)
      let values = try await called.values(
        Int.self, for: route.selecting("id"), expecting: .atMost(1_500))
      #expect(values.count == 1_500)

      var other = try await Self.executor(rows: 1_500)
      other.limits.maximumAffectedByFilter = 10
      let strict = other
      #expect(await code { try await strict.perform(route) } == .tooManyRows)
      other.limits.maximumAffectedByFilter = nil
      #expect(try await other.run(route).affected == 1_500)
    }
  }

  @Test func `can change a whole table of any size explicitly`() async throws {
    let executor = try await Self.executor(rows: 1_500)
    let update = try DatabaseRoute.update(["a": 1] as Record, in: "row", filteredBy: .all)
    #expect(try await executor.run(update).affected == 1_500)
    #expect(try await executor.affectedCount(of: .delete(from: "row", filteredBy: .all)) == 1_500)
  }

  @Test func `do not exceed the general limit of writes, even if a route allows it`() async throws {
    var limited = try await Self.executor(rows: 1_500)
    limited.limits.maximumAffected = 1_200
    limited.limits.maximumAffectedByFilter = nil
    let executor = limited
    let delete = DatabaseRoute.delete(from: "row", filteredBy: Self.filter)
    let whole = DatabaseRoute.delete(from: "row", filteredBy: .all)
    for route in [delete, delete.expecting(.atMost(9_999)), whole] {
      #expect(await code { try await executor.perform(route) } == .tooManyRows)
    }
    #expect(try await Self.changed(executor, of: 1_500) == 0)
  }

  @Test func `do not limit inserts`() async throws {
    let executor = try await Self.executor(rows: 1)
    let rows = (2...1_500).map { ["id": .integer($0), "a": 0] as Record }
    try await executor.perform(.insert(rows, into: "row"))
    try await executor.perform(.upsert(rows, in: "row"))
    #expect(try await executor.value(Int.self, for: .count(from: "row")) == 1_500)
  }
}
