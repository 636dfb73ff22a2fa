import SQLiteCore
import Testing

@testable import Router

@Suite struct `The text of a route` {
  static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
    CREATE TABLE u (id INTEGER PRIMARY KEY, a TEXT, t INTEGER REFERENCES t);
    """

  static func run(_ routes: [DatabaseRoute], on connection: Connection, _ cache: StatementCache)
    throws
  {
    var settings = RouteSettings()
    settings.cache = cache
    for route in routes {
      _ = try RouteRunner(connection: connection, settings: settings).response(
        route)
    }
  }

  @Test func `is created once for routes that differ only in values`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let cache = StatementCache()
    let pairs: [(DatabaseRoute, DatabaseRoute)] = [
      (.fetchOne(id: 1, from: "t"), .fetchOne(id: 2, from: "T")),
      (
        .fetch(from: "t", filteredBy: Column("a").in([1, 2, 3])).limited(to: 3),
        .fetch(from: "t", filteredBy: Column("a").in(["x"])).limited(to: 4)
      ),
      (try .insert(["a": 1] as Record, into: "t"), try .insert(["a": nil] as Record, into: "t")),
      (
        try .update(["a": 1] as Record, in: "t", filteredBy: Column("b").like("x%")),
        try .update(["a": 2] as Record, in: "t", filteredBy: Column("b").like("%y_"))
      ),
      (
        try .fetch(from: "t").page(after: ["id": 3] as Record, size: 2),
        try .fetch(from: "t").page(after: ["id": 5] as Record, size: 3)
      ),
      (
        DatabaseRoute.fetch(from: "t").selecting("a").aggregating(
          .count(as: "n", filteredBy: Column("b").equals("x"))
        ).filteringGroups(by: Column("n").greaterThan(1)),
        DatabaseRoute.fetch(from: "T").selecting("A").aggregating(
          .count(as: "n", filteredBy: Column("b").equals("y"))
        ).filteringGroups(by: Column("N").greaterThan(2))
      ),
    ]
    for (number, (first, second)) in pairs.enumerated() {
      try Self.run([first, second, first], on: connection, cache)
      #expect(cache.statistics.misses == number + 1, "\(first)")
    }
  }

  @Test(arguments: [
    DatabaseRoute.fetchOne(id: 1, from: "t"),
    .fetch(from: "t", filteredBy: Column("a").equals(2)),
    DatabaseRoute.fetch(from: "t", filteredBy: Column("b").equals("3")).limited(to: 1),
    .fetch(from: "t", filteredBy: Column("a").equals(SQLiteValue.null)),
    .fetch(from: "t", filteredBy: Column("b").at("k").equals(1)),
    DatabaseRoute.count(from: "t", filteredBy: [Column("a").equals(2)]).limited(to: 1),
    DatabaseRoute.fetch(from: "t", filteredBy: Column("a").equals(2)).limited(to: 2, offset: 1),
  ])
  func `that is cached binds the same values as a new one`(_ route: DatabaseRoute) throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let settings = RouteSettings()
    func values() throws -> [String] {
      let catalog = try RouteRunner(connection: connection, settings: settings).catalog(of: route)
      return try SQLiteDialect.statement(
        of: route, settings: settings, limit: 7, in: catalog
      ).values.map { "\($0)" }
    }
    let outcomes = try (0..<3).map { _ in
      do { return try values() } catch let error as RouterError { return [error.description] }
    }
    #expect(Set(outcomes).count == 1)
  }

  @Test func `differs if the routes differ in anything else`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let cache = StatementCache()
    let a = Column("a")
    let routes: [DatabaseRoute] = [
      .fetch(from: "t"), .fetchOne(from: "t"), .count(from: "t"),
      .fetch(from: "t").limited(to: 1), .fetch(from: "t").limited(to: 1, offset: 0),
      .fetch(from: "t", order: .ascending("a")), .fetch(from: "t", order: .descending("a")),
      .fetch(from: "t", order: .ascending("a", nullsFirst: true)),
      .fetch(from: "t", order: .ascending("a", collation: "NOCASE")),
      .fetch(from: "t").selecting("a"), .fetch(from: "t", filteredBy: a.equals(1)),
      .fetch(from: "t", filteredBy: a.lessThan(1)), .fetch(from: "t", filteredBy: !a.equals(1)),
      .fetch(from: "t", filteredBy: a.any(.equals, [1])),
      .fetch(from: "t", filteredBy: a.any(.equals, [1, 2])),
      .fetch(from: "t", filteredBy: a.each(.equals, [1, 2])),
      .fetch(from: "t", filteredBy: a.at("x").equals(1)),
      .fetch(from: "t", filteredBy: a.at("x").equals(1) && a.equals(1)),
      .fetch(from: "t", filteredBy: a.at("x").equals(1) || a.equals(1)),
      try .insert(["a": 1] as Record, into: "t"), try .insert(["b": 1] as Record, into: "t"),
      try .insert(["a": 1] as Record, into: "t", returning: .minimal),
      try .upsert(["a": 1] as Record, in: "t"),
      try .upsert(["a": 1] as Record, in: "t").onConflict("id", resolution: .ignore),
      try .update(["a": 1] as Record, in: "t", filteredBy: .id(1)),
      .delete(from: "t", filteredBy: .id(1)), .fetch(from: "t").page(size: 2),
      try .fetch(from: "t", order: .ascending("a"))
        .page(after: ["a": 1, "id": 1] as Record, size: 2),
      try .fetch(from: "t", order: .ascending("a"))
        .page(after: ["a": nil, "id": 1] as Record, size: 2),
      .fetch(from: "t").aggregating(.sum("a")), .fetch(from: "t").aggregating(.average("a")),
      .fetch(from: "t").aggregating(.sum("a", as: "s")),
      .fetch(from: "t").aggregating(.sum("a", as: "S")),
      .fetch(from: "t").aggregating(.sum("b", as: "s")),
      .fetch(from: "t").aggregating(.sum("a", as: "s", distinct: true)),
      .fetch(from: "t").aggregating(.sum("a", as: "s", filteredBy: a.equals(1))),
      .fetch(from: "t").aggregating(.sum("a", as: "s", filteredBy: a.lessThan(1))),
      .fetch(from: "t").aggregating(.sum("a", as: "s"), .count()),
      .fetchOne(from: "t").aggregating(.sum("a", as: "s")),
      .count(from: "t").aggregating(.sum("a", as: "s")),
      .fetch(from: "t").selecting("b").aggregating(.sum("a", as: "s")),
      .fetch(from: "t").selecting("b").aggregating(.sum("a", as: "s"))
        .filteringGroups(by: Column("s").equals(1)),
      .fetch(from: "t").selecting("b").aggregating(.sum("a", as: "s"))
        .filteringGroups(by: Column("s").lessThan(1)),
      // Swift considers these names equal, SQLite does not.
      .fetch(from: "t").selecting(a.at("é")), .fetch(from: "t").selecting(a.at("e\u{301}")),
      .fetch(from: "t").aggregating(.sum("a", as: "é")),
      .fetch(from: "t").aggregating(.sum("a", as: "e\u{301}")),
      .fetch(from: "t").embedding(.init("u", as: "é")),
      .fetch(from: "t").embedding(.init("u", as: "e\u{301}")),
      .fetch(from: "t").embedding(.init("u", columns: [a.at("é")])),
      .fetch(from: "t").embedding(.init("u", columns: [a.at("e\u{301}")])),
    ]
    for (number, route) in routes.enumerated() {
      _ = try? Self.run([route], on: connection, cache)
      #expect(cache.statistics.misses == number + 1, "\(route)")
    }
  }

  @Test func `is created again after a schema change, and discarded by a rollback`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let cache = StatementCache()
    let route = DatabaseRoute.fetch(from: "t", filteredBy: Column("c").isNull())
    #expect(throws: RouterError.self) { try Self.run([route], on: connection, cache) }
    try connection.execute("ALTER TABLE t ADD COLUMN c")
    try Self.run([route], on: connection, cache)
  }

  @Test func `is created again if the database was replaced`() throws {
    let cache = StatementCache()
    var settings = RouteSettings()
    settings.cache = cache
    for column in ["a", "b"] {
      let connection = try Connection.inMemory()
      // Both have the same schema version.
      let other = try Connection.inMemory()
      try other.execute("CREATE TABLE t (\(unsafe: column)); INSERT INTO t VALUES (1)")
      try connection.deserialize(try other.serialized())
      let run = RouteRunner(connection: connection, settings: settings)
      #expect(try run.response(.fetch(from: "t")).columns == [column])
      #expect(
        try run.response(.fetch(from: "t", filteredBy: Column(column).equals(1))).rows == [[1]])
    }
  }

  @Test func `of a temporary table is not cached`() throws {
    let cache = StatementCache()
    let route = DatabaseRoute.fetch(from: .init("t", schema: "temp"))
    for column in ["a", "b"] {
      let connection = try Connection.inMemory()
      try connection.execute("CREATE TEMP TABLE t (\(unsafe: column)); INSERT INTO t VALUES (1)")
      var settings = RouteSettings()
      settings.cache = cache
      let run = RouteRunner(connection: connection, settings: settings)
      #expect(try run.response(route).columns == [column])
    }
    #expect(cache.statistics == (0, 0))
  }

  @Test func `has aggregates and groups with quoted names, each once`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let run = RouteRunner(connection: connection, settings: RouteSettings())
    let route = DatabaseRoute.fetch(
      from: "T", filteredBy: Column("A").equals(1), order: .descending("x\"y")
    ).selecting("b").aggregating(.sum("A", as: "x\"y", distinct: true))
      .filteringGroups(by: Column("x\"y").greaterThan(1))
    #expect(
      try run.preview(route).sql
        == #"SELECT "t"."b" AS "b", sum(DISTINCT "t"."a") AS "x""y" FROM "main"."t" "#
        + #"WHERE ("t"."a" = ?1) GROUP BY 1 HAVING (sum(DISTINCT "t"."a") > ?2) "#
        + #"ORDER BY 2 DESC NULLS LAST LIMIT ?3"#)
  }

  @Test func `is limited in number`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let cache = StatementCache(capacity: 10)
    for count in 1...50 {
      let filter = Filter.and((1...count).map { Column("a").notEquals($0) })
      try Self.run([.fetch(from: "t", filteredBy: filter)], on: connection, cache)
    }
    #expect(cache.statistics.count <= 10)
    #expect(cache.statistics.misses == 50)
  }

  @Test func `has qualified columns, quoted names, and ordered NULLs`() throws {
    let connection = try Connection.inMemory()
    try connection.execute(SQL(unsafe: Self.schema))
    let run = RouteRunner(connection: connection, settings: RouteSettings())
    let route = DatabaseRoute.fetch(
      from: "T", filteredBy: Column("A").equals(1), order: .ascending("b")
    ).selecting("a")
    #expect(
      try run.preview(route).sql
        == #"SELECT "t"."a" AS "a" FROM "main"."t" WHERE ("t"."a" = ?1) ORDER BY "t"."b" ASC NULLS LAST LIMIT ?2"#
    )
    let upsert = try DatabaseRoute.upsert(
      ["id": 1, "a": 2] as Record, in: "t", returning: .minimal)
    #expect(
      try run.preview(upsert).sql
        == #"INSERT INTO "main"."t" ("id", "a") VALUES (?1, ?2) ON CONFLICT ("id") DO UPDATE SET "a" = excluded."a""#
    )
  }
}
