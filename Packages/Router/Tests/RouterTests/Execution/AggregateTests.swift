import Foundation
import Router
import SQLiteCore
import Testing

@Suite struct `Aggregates` {
  static let schema = """
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, team TEXT, score INTEGER, bonus REAL, home TEXT,
      boss INTEGER REFERENCES player);
    INSERT INTO player VALUES
      (1, 'red', 7, 0.5, '{"city": "Ulm"}', NULL), (2, 'red', 3, NULL, '{"city": "Ulm"}', 1),
      (3, 'blue', 9, 1.5, '{"city": "Bonn"}', 1), (4, NULL, 1, 2, NULL, NULL),
      (5, NULL, NULL, NULL, NULL, NULL), (6, 'blue', 9, 4, '{"city": "Ulm"}', NULL);
    """

  static func executor() throws -> SQLiteRouteExecutor {
    SQLiteRouteExecutor(try database(schema))
  }

  struct Total: Codable, Hashable, Sendable {
    var team: String?
    var players: Int
    var total: Int?
  }

  static let totals = DatabaseRoute.fetch(from: "player").selecting("team")
    .aggregating(.count(as: "players"), .sum("score", as: "total"))

  @Test func `are grouped by the other selected columns`() async throws {
    let found = try await Self.executor().values(
      Total.self, for: Self.totals.ordered(by: .ascending("team")))
    #expect(
      found == [
        Total(team: "blue", players: 2, total: 18), Total(team: "red", players: 2, total: 10),
        Total(team: nil, players: 2, total: 1),
      ])
  }

  @Test func `are one row if nothing else is selected, even without rows`() async throws {
    let route = DatabaseRoute.fetch(from: "player").aggregating(
      .count(), .count("score", as: "scores"), .count("score", as: "different", distinct: true),
      .sum("score"), .sum("score", as: "once", distinct: true), .average("score"),
      .minimum("bonus"), .maximum("bonus"))
    let executor = try Self.executor()
    let response = try await executor.run(route)
    #expect(
      response.columns
        == ["count", "scores", "different", "sum", "once", "avg", "min", "max"])
    #expect(response.rows == [[6, 5, 4, 29, 20, 5.8, 0.5, 4.0]])
    let none = try await executor.run(route.filtered(by: Column("id").greaterThan(99)))
    #expect(none.rows == [[0, 0, 0, nil, nil, nil, nil, nil]])
    struct One: Decodable, Sendable { var sum: Int? }
    let one = DatabaseRoute.fetchOne(from: "player").aggregating(.sum("score"))
    #expect(try await executor.value(One.self, for: one).sum == 29)
  }

  @Test func `can be ordered and limited, and filtered by group`() async throws {
    let executor = try Self.executor()
    let best = Self.totals.ordered(by: .descending("TOTAL"))
    #expect(try await executor.values(Total.self, for: best).map(\.total) == [18, 10, 1])
    #expect(
      try await executor.values(Total.self, for: best.limited(to: 1, offset: 1)).map(\.total)
        == [10])
    #expect(
      try await executor.values(Total.self, for: Self.totals.limited(to: 2)).map(\.team)
        == [nil, "blue"])
    let high = best.filteringGroups(by: Column("total").between(2, 17) || Column("team").isNull())
    #expect(try await executor.values(Total.self, for: high).map(\.team) == ["red", nil])
    let few = best.filteringGroups(by: Column("players").in([3, 4]))
    #expect(try await executor.values(Total.self, for: few).isEmpty)
    let collated = Self.totals.ordered(
      by: .ascending("team", nullsFirst: true, collation: "NOCASE"))
    #expect(
      try await executor.values(Total.self, for: collated).map(\.team) == [nil, "blue", "red"])
  }

  @Test func `can have filters, and JSON paths as groups`() async throws {
    let executor = try Self.executor()
    let city = Column("home").at("city")
    let route = DatabaseRoute.fetch(
      from: "player", filteredBy: Column("home").isNotNull(), order: .descending(city)
    ).selecting(city).aggregating(
      .count(as: "all"), .count(as: "high", filteredBy: Column("score").greaterThan(5)),
      .maximum(city, as: "last"))
    let response = try await executor.run(route.filteringGroups(by: city.notEquals("Köln")))
    #expect(response.columns == ["city", "all", "high", "last"])
    #expect(response.rows == [["Ulm", 3, 2, "Ulm"], ["Bonn", 1, 1, "Bonn"]])
    // The next run has other values.
    let other = DatabaseRoute.fetch(
      from: "player", filteredBy: Column("home").isNotNull(), order: .descending(city)
    ).selecting(city).aggregating(
      .count(as: "all"), .count(as: "high", filteredBy: Column("score").greaterThan(8)),
      .maximum(city, as: "last"))
    #expect(
      try await executor.run(other.filteringGroups(by: city.notEquals("Bonn"))).rows
        == [["Ulm", 3, 1, "Ulm"]])
  }

  @Test func `only include rows that a row filter allows`() async throws {
    var executor = try Self.executor()
    executor.rowFilters["player"] = Column("team").equals("red")
    let filtered = executor
    #expect(
      try await filtered.values(Total.self, for: Self.totals)
        == [Total(team: "red", players: 2, total: 10)])
  }

  @Test func `are counted as groups`() async throws {
    let executor = try Self.executor()
    let route = Self.totals.filteringGroups(by: Column("total").greaterThan(1))
    let (values, total) = try await executor.countedValues(
      Total.self, for: route.ordered(by: .ascending("team")).limited(to: 1))
    #expect(values.map(\.team) == ["blue"])
    #expect(total == 2)
  }

  @Test func `that overflow are an error of SQLite`() async throws {
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE t (n); INSERT INTO t VALUES (9223372036854775807), (1)"))
    let route = DatabaseRoute.fetch(from: "t").aggregating(.sum("n"))
    await #expect(throws: SQLiteError.self) { _ = try await executor.run(route) }
  }

  @Test func `are refused in combination with other options`() async throws {
    let executor = try Self.executor()
    let sum = DatabaseRoute.fetch(from: "player").aggregating(.sum("score"))
    let invalid: [DatabaseRoute] = [
      sum.embedding(.init("player", via: "boss")), sum.page(size: 2),
      sum.ordered(by: .ascending("team")), sum.filteringGroups(by: Column("sum").equals(1)),
      Self.totals.filteringGroups(by: Column("bonus").equals(1)),
      Self.totals.aggregating(.count(as: "TEAM")), Self.totals.aggregating(.count(as: "")),
      Self.totals.aggregating(.init(.sum, of: nil)),
      Self.totals.aggregating(.init(.count, of: nil, as: "d", distinct: true)),
      .fetch(from: "player").filteringGroups(by: Column("id").equals(1)),
      DatabaseRoute.delete(id: 1, from: "player").aggregating(.count()),
    ]
    for route in invalid {
      #expect(await code { _ = try await executor.run(route) } == .invalidRoute, "\(route)")
    }
    let median = sum.aggregating(.init(.init(rawValue: "median"), of: "score"))
    #expect(await code { _ = try await executor.run(median) } == .unsupported)
    for route in [
      Self.totals.aggregating(.sum("scores", as: "x")), Self.totals.ordered(by: .ascending("x")),
      Self.totals.filteringGroups(by: Column("tota").equals(1)), sum.selecting("x"),
    ] {
      #expect(await code { _ = try await executor.run(route) } == .unknownColumn, "\(route)")
    }
    var deep = Column("total").equals(1)
    for _ in 0..<60 { deep = !deep }
    let (having, filter) = (
      Self.totals.filteringGroups(by: deep), sum.aggregating(.count(filteredBy: deep))
    )
    for route in [having, filter] {
      #expect(await code { _ = try await executor.run(route) } == .invalidRoute)
    }
  }

  @Test func `are parts of the route as a value`() throws {
    let route = Self.totals.aggregating(
      .count("score", as: "n", distinct: true, filteredBy: Column("team").equals("secret"))
    ).filteringGroups(by: Column("n").greaterThan(77))
    #expect(
      "\(route)"
        == "fetch player (team) make count(*) as players, sum(score) as total, "
        + "count(distinct score) where team eq ? as n having n gt ?")
    #expect(
      try JSONDecoder().decode(DatabaseRoute.self, from: JSONEncoder().encode(route)) == route)
    #expect(route != Self.totals)
    #expect(Set([route, Self.totals, route]).count == 2)
  }
}

@Suite struct `Counts` {
  static func executor() throws -> SQLiteRouteExecutor {
    SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, kind INTEGER, note TEXT);
        CREATE INDEX kinds ON t (kind, note);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO t SELECT i, i % 4, i FROM n;
        ANALYZE;
        DELETE FROM t WHERE id > 90;
        """))
  }

  static func count(
    _ executor: SQLiteRouteExecutor, _ counting: DatabaseRoute.Counting, _ filters: [Filter] = [],
    limit: Int? = nil
  ) async throws -> DatabaseRoute.RowCount {
    var route = DatabaseRoute.count(from: "t", filteredBy: filters).counted(counting)
    route.limit = limit
    return try await executor.value(DatabaseRoute.RowCount.self, for: route)
  }

  @Test func `are exact, or marked as estimates`() async throws {
    let executor = try Self.executor()
    let kind = Column("kind").equals(1)
    #expect(try await Self.count(executor, .exact) == DatabaseRoute.RowCount(90))
    #expect(try await Self.count(executor, .planned) == DatabaseRoute.RowCount(100, isExact: false))
    #expect(
      try await Self.count(executor, .planned, [.all])
        == DatabaseRoute.RowCount(100, isExact: false))
    #expect(
      try await Self.count(executor, .planned, [kind]) == DatabaseRoute.RowCount(25, isExact: false)
    )
    #expect(
      try await Self.count(executor, .planned, limit: 7)
        == DatabaseRoute.RowCount(7, isExact: false))
    #expect(try await Self.count(executor, .estimated(upTo: 90)) == DatabaseRoute.RowCount(90))
    #expect(
      try await Self.count(executor, .estimated(upTo: 89))
        == DatabaseRoute.RowCount(100, isExact: false))
    #expect(
      try await Self.count(executor, .estimated(upTo: 10), limit: 5) == DatabaseRoute.RowCount(5))
    #expect(
      try await Self.count(executor, .estimated(upTo: 3), [kind, Column("note").isNotNull()])
        == DatabaseRoute.RowCount(4, isExact: false))
    #expect(
      await code { _ = try await Self.count(executor, .estimated(upTo: -1)) } == .invalidRoute)
    let number = DatabaseRoute.count(from: "t").counted(.planned)
    #expect(try await executor.value(Int.self, for: number) == 100)
  }

  @Test func `are exact if there are no statistics for an estimate`() async throws {
    let executor = try Self.executor()
    for filters: [Filter] in [
      [Column("note").equals("3")], [.id(3)], [Column("kind").equals(1), Column("id").equals(1)],
      [!Column("kind").equals(1)], [Column("kind").lessThan(3)],
    ] {
      #expect(try await Self.count(executor, .planned, filters).isExact, "\(filters)")
    }
    let todos = try await todos()
    let route = DatabaseRoute.count(from: "todos")
    #expect(
      try await todos.value(DatabaseRoute.RowCount.self, for: route.counted(.planned))
        == DatabaseRoute.RowCount(3))
    #expect(
      try await todos.value(DatabaseRoute.RowCount.self, for: route.counted(.estimated(upTo: 1)))
        == DatabaseRoute.RowCount(2, isExact: false))
  }

  @Test func `do not include hidden rows`() async throws {
    var executor = try Self.executor()
    executor.rowFilters["T"] = Column("kind").equals(1)
    let filtered = executor
    #expect(try await Self.count(filtered, .planned) == DatabaseRoute.RowCount(23))
    #expect(
      try await Self.count(filtered, .estimated(upTo: 5))
        == DatabaseRoute.RowCount(6, isExact: false))
  }

  @Test func `are returned with the rows of a page`() async throws {
    let executor = try Self.executor()
    let route = DatabaseRoute.fetch(from: "t").selecting("id").limited(to: 2)
    let (values, total) = try await executor.countedValues(
      Int.self, for: route, counting: .estimated(upTo: 10))
    #expect(values == [1, 2])
    #expect(total == DatabaseRoute.RowCount(100, isExact: false))
    #expect(try await executor.countedValues(Int.self, for: route).total == 90)
    let fetch = route.counted(.planned)
    #expect(await code { _ = try await executor.run(fetch) } == .invalidRoute)
  }

  @Test func `are parts of the route as a value`() throws {
    let route = DatabaseRoute.count(from: "t").counted(.estimated(upTo: 5))
    #expect("\(route)" == "count t estimated beyond 5")
    #expect(
      try JSONDecoder().decode(DatabaseRoute.self, from: JSONEncoder().encode(route)) == route)
    #expect(route != route.counted(.exact))
  }
}
