import Router
import SQLiteCore
import Testing

@Suite struct `Routes that read` {
  @Test func `return the rows that match all filters, in order`() async throws {
    let executor = try await todos()
    let all = try await executor.values(Todo.self, for: .fetch(from: "todos"))
    #expect(Set(all) == [.milk, .bread, .tea])
    let done = try await executor.values(
      Todo.self,
      for: .fetch(
        from: "todos", filteredBy: Column("completedOn").isNotNull(), Column("id").lessThan(9),
        order: .ascending("completedOn")))
    #expect(done == [.tea, .bread])
    let labelled = try await executor.values(
      Todo.self, for: .fetch(from: "todos", filters: [.id(1)], order: nil))
    #expect(labelled == [.milk])
  }

  @Test func `place NULLs as the order requests, in either direction`() async throws {
    let executor = try await todos()
    func names(_ order: DatabaseRoute.Order) async throws -> [Int?] {
      try await executor.values(Todo.self, for: .fetch(from: "todos", order: order))
        .map(\.completedOn)
    }
    #expect(try await names(.ascending("completedOn")) == [3, 5, nil])
    #expect(try await names(.ascending("completedOn", nullsFirst: true)) == [nil, 3, 5])
    #expect(try await names(.descending("completedOn")) == [5, 3, nil])
    #expect(try await names(.descending("completedOn", nullsFirst: true)) == [nil, 5, 3])
  }

  @Test func `can be ordered by several terms, and by a collation`() async throws {
    let executor = try await todos()
    try await executor.perform(.insert(Todo(id: 4, name: "TEA", completedOn: 9), into: "todos"))
    let route = DatabaseRoute.fetch(
      from: "todos", order: .ascending("name", collation: "NOCASE")
    ).ordered(by: Column("id").descending())
    #expect(try await executor.values(Todo.self, for: route).map(\.id) == [2, 1, 4, 3])
  }

  @Test func `can have a limit, an offset, or both`() async throws {
    let executor = try await todos()
    let route = DatabaseRoute.fetch(from: "todos", order: .ascending("id"))
    #expect(try await executor.values(Todo.self, for: route.limited(to: 1, offset: 1)) == [.bread])
    #expect(try await executor.values(Todo.self, for: route.limited(to: 0)) == [])
    var rest = route
    rest.offset = 2
    #expect(try await executor.values(Todo.self, for: rest) == [.tea])
    rest.offset = -1
    let negative = rest
    #expect(await code { _ = try await executor.run(negative) } == .invalidRoute)
    #expect(await code { _ = try await executor.run(route.limited(to: -1)) } == .invalidRoute)
  }

  @Test func `select columns, and JSON paths`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE person (id INTEGER PRIMARY KEY, profile TEXT);
        INSERT INTO person VALUES (1, '{"home": {"city": "Ulm", "a.b": [7]}}'), (2, NULL);
        """))
    let city = Column("profile").at("home", "city")
    let route = DatabaseRoute.fetch(from: "person", order: .ascending(city)).selecting("id", city)
    let response = try await executor.run(route)
    #expect(response.columns == ["id", "city"])
    #expect(response.rows == [[1, "Ulm"], [2, nil]])
    let deep = DatabaseRoute.fetch(
      from: "person", filteredBy: Column("profile").at("home", "a.b", 0).equals(7))
    #expect(try await executor.run(deep).rows.count == 1)
    let quote = DatabaseRoute.fetch(
      from: "person", filteredBy: Column("profile").at("a\"b").isNull())
    #expect(await code { _ = try await executor.run(quote) } == .invalidRoute)
  }

  @Test func `find the row of a key, regardless of its column's name`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
        INSERT INTO country VALUES ('ch', 'Schweiz'), ('at', 'Österreich');
        """))
    let names = try await executor.run(
      DatabaseRoute.fetchOne(id: "ch", from: "country").selecting("name"))
    #expect(names.rows == [["Schweiz"]])
  }

  @Test func `can count`() async throws {
    let executor = try await todos()
    #expect(try await executor.value(Int.self, for: .count(from: "todos")) == 3)
    let done = DatabaseRoute.count(from: "todos", filteredBy: [Column("completedOn").isNotNull()])
    #expect(try await executor.value(Int.self, for: done) == 2)
    let route = DatabaseRoute.fetch(from: "todos", order: .ascending("id")).limited(to: 2)
    let (values, total) = try await executor.countedValues(Todo.self, for: route)
    #expect(values == [.milk, .bread])
    #expect(total == 3)
  }

  @Test func `can be streamed`() async throws {
    let executor = try await todos()
    var seen: [Todo] = []
    let route = DatabaseRoute.fetch(from: "todos", order: .ascending("id"))
    for try await todo in try await executor.stream(Todo.self, for: route, batchSize: 2) {
      seen.append(todo)
    }
    #expect(seen == [.milk, .bread, .tea])
  }

  @Test func `can be explained`() async throws {
    let executor = try await todos()
    let plan = try await executor.explain(.fetchOne(id: 1, from: "todos"))
    #expect("\(plan)".contains("INTEGER PRIMARY KEY"))
  }
}

@Suite struct `The expected number of rows` {
  @Test func `is set by the call`() async throws {
    let executor = try await todos()
    let none = DatabaseRoute.fetch(from: "todos", filteredBy: .id(9))
    let one = DatabaseRoute.fetch(from: "todos", filteredBy: .id(1))
    let many = DatabaseRoute.fetch(from: "todos")
    #expect(try await executor.values(Todo.self, for: none) == [])
    #expect(try await executor.optionalValue(Todo.self, for: none) == nil)
    #expect(await code { _ = try await executor.value(Todo.self, for: none) } == .notFound)
    #expect(try await executor.value(Todo.self, for: one) == .milk)
    #expect(try await executor.optionalValue(Todo.self, for: one) == .milk)
    #expect(await code { _ = try await executor.value(Todo.self, for: many) } == .multipleRows)
    #expect(
      await code { _ = try await executor.optionalValue(Todo.self, for: many) } == .multipleRows)
  }

  @Test func `is at most one for fetchOne, unless the first is requested`() async throws {
    let executor = try await todos()
    let route = DatabaseRoute.fetchOne(from: "todos")
    #expect(await code { _ = try await executor.run(route) } == .multipleRows)
    #expect(await code { _ = try await executor.values(Todo.self, for: route) } == .multipleRows)
    let first = route.ordered(by: .descending("id")).first()
    #expect(try await executor.value(Todo.self, for: first) == .tea)
  }

  @Test func `has a limit for reads`() async throws {
    var executor = try await todos()
    executor.limits.maximumRows = 2
    let limited = executor
    let route = DatabaseRoute.fetch(from: "todos")
    #expect(await code { _ = try await limited.run(route) } == .tooManyRows)
    #expect(try await limited.run(route.limited(to: 2)).rows.count == 2)
    #expect(
      await code { _ = try await limited.run(route.limited(to: 9)) } == .tooManyRows)
  }

  @Test func `is checked for a write before the commit`() async throws {
    let executor = try await todos()
    let all = DatabaseRoute.delete(from: "todos", filteredBy: .all)
    #expect(await code { try await executor.perform(all.expecting(.one)) } == .multipleRows)
    #expect(await code { try await executor.perform(all.expecting(.atMost(2))) } == .tooManyRows)
    let update = try DatabaseRoute.update(["name": "x"] as Record, in: "todos", filteredBy: .all)
    #expect(await code { _ = try await executor.value(Todo.self, for: update) } == .multipleRows)
    let none = try DatabaseRoute.update(["name": "x"] as Record, in: "todos", filteredBy: .id(77))
    #expect(await code { _ = try await executor.value(Todo.self, for: none) } == .notFound)
    var copy = executor
    copy.limits.maximumAffected = 2
    let limited = copy
    #expect(await code { try await limited.perform(all) } == .tooManyRows)
    let left = DatabaseRoute.fetch(from: "todos", order: .ascending("id"))
    #expect(try await executor.values(Todo.self, for: left) == [.milk, .bread, .tea])
  }
}

@Suite struct `Pages` {
  struct Row: Codable, Hashable, Sendable {
    var id: Int
    var rank: Int?
  }

  static let orders: [DatabaseRoute.Order] = [
    .ascending("rank"), .descending("rank"), .ascending("rank", nullsFirst: true),
    .descending("rank", nullsFirst: true),
  ]

  @Test(arguments: orders)
  func `contain each row once, even if order values are equal or NULL`(_ order: DatabaseRoute.Order)
    async throws
  {
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE row (id INTEGER PRIMARY KEY, rank INTEGER)"))
    let rows = (1...11).map { Row(id: $0, rank: $0 % 4 == 0 ? nil : $0 % 3) }
    try await executor.perform(.insert(rows, into: "row"))
    let route = DatabaseRoute.fetch(from: "row", order: order)
    var seen: [Row] = []
    while seen.count <= rows.count {
      let page = try await executor.values(Row.self, for: route.page(after: seen.last, size: 3))
      if page.isEmpty { break }
      seen += page
    }
    let all = try await executor.values(
      Row.self,
      for: route.ordered(by: .init(column: "id", ascending: order.ascending)))
    #expect(seen == all)
  }

  @Test func `contain each row once, even if a collation makes keys equal`() async throws {
    struct Word: Codable, Hashable, Sendable { var word: String }
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE word (word TEXT PRIMARY KEY);
        INSERT INTO word VALUES ('a'), ('A'), ('b'), ('B');
        """))
    let route = DatabaseRoute.fetch(from: "word", order: .ascending("word", collation: "NOCASE"))
    var seen: [Word] = []
    for _ in 1...4 {
      seen += try await executor.values(Word.self, for: route.page(after: seen.last, size: 1))
    }
    #expect(seen.map(\.word) == ["A", "a", "B", "b"])
    #expect(
      try await executor.values(Word.self, for: route.limited(to: 2, offset: 1)).map(\.word)
        == ["a", "B"])
  }

  @Test func `do not continue after a row whose key is NULL`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE word (word TEXT PRIMARY KEY, n INTEGER);
        INSERT INTO word VALUES (NULL, 1), (NULL, 2), ('a', 3);
        """))
    let first = DatabaseRoute.fetch(from: "word", order: .descending("word", nullsFirst: true))
    #expect(try await executor.run(first.page(size: 1)).rows.map { $0[0] } == [.null])
    let second = try first.page(after: ["word": nil] as Record, size: 1)
    #expect(await code { _ = try await executor.run(second) } == .invalidRoute)
  }

  @Test func `use an index of their order`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE row (id INTEGER PRIMARY KEY, rank INTEGER NOT NULL);
        CREATE INDEX ranks ON row (rank)
        """))
    for order in [DatabaseRoute.Order.ascending("rank"), .descending("rank")] {
      let route = DatabaseRoute.fetch(from: "row", order: order)
      let plan = try await executor.explain(
        route.page(after: Row(id: 3, rank: 4), size: 20))
      #expect(!"\(plan)".contains("SCAN row"), "\(plan)")
      #expect("\(plan)".contains("ranks"), "\(plan)")
    }
  }

  @Test func `require the columns of the order and the key`() async throws {
    let executor = try await todos()
    let route = try DatabaseRoute.fetch(from: "todos", order: .ascending("name"))
      .page(after: ["name": "a"] as Record, size: 3)
    #expect(await code { _ = try await executor.run(route) } == .invalidRoute)
  }
}
