import Router
import SQLiteCore
import Testing

@Suite struct `Routes that write` {
  static let byID = DatabaseRoute.fetch(from: "todos", order: .ascending("id"))

  @Test func `insert a value, and return it`() async throws {
    let executor = try await todos()
    let saved = try await executor.value(
      Todo.self, for: .insert(Todo(name: "Jam"), into: "todos"))
    #expect(saved == Todo(id: 4, name: "Jam"))
    let response = try await executor.run(
      .insert(Todo(name: "Ham"), into: "todos", returning: .minimal))
    #expect(response == DatabaseRoute.Response(affected: 1))
  }

  @Test func `insert many in order, with different columns and defaults`() async throws {
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT 'd', b INTEGER)"))
    let records: [Record] = [["b": 1], ["a": nil, "b": 2], ["a": "x"], [:], ["b": 5]]
    let response = try await executor.run(.insert(records, into: "t"))
    #expect(
      response.rows == [[1, "d", 1], [2, nil, 2], [3, "x", nil], [4, "d", nil], [5, "d", 5]])
    #expect(response.affected == 5)
    #expect(try await executor.run(.insert([Record](), into: "t")).affected == 0)
  }

  @Test func `insert all or none`() async throws {
    let executor = try await todos()
    let route = try DatabaseRoute.insert(
      [Todo(id: 7, name: "a"), Todo(id: 1, name: "b")], into: "todos")
    #expect(await code { try await executor.perform(route) } == .constraintViolation)
    #expect(try await executor.value(Int.self, for: .count(from: "todos")) == 3)
  }

  @Test func `update existing columns, including to NULL`() async throws {
    let executor = try await todos()
    let changed = try await executor.value(
      Todo.self, for: .update(id: 2, in: "todos", with: ["completedOn": nil] as Record))
    #expect(changed == Todo(id: 2, name: "Bread", completedOn: nil))
    struct Change: Encodable { var name: String?; var completedOn: Int? }
    let named = try await executor.value(
      Todo.self,
      for: .update(id: 3, in: "todos", with: Change(name: "Tea")).omittingNulls())
    #expect(named == Todo(id: 3, name: "Tea", completedOn: 3))
  }

  @Test func `update and delete many rows, and return how many`() async throws {
    let executor = try await todos()
    let done = Column("completedOn").isNotNull()
    let update = try DatabaseRoute.update(["name": "x"] as Record, in: "todos", filteredBy: done)
    #expect(try await executor.affectedCount(of: update) == 2)
    #expect(try await executor.values(Todo.self, for: update).count == 2)
    let delete = DatabaseRoute.delete(from: "todos", filteredBy: done)
    #expect(try await executor.run(delete) == DatabaseRoute.Response(affected: 2))
    let gone = try await executor.values(
      Todo.self, for: DatabaseRoute.delete(id: 1, from: "todos").returning(.representation))
    #expect(gone == [.milk])
  }

  @Test func `refuse a whole table, unless it is explicit`() async throws {
    let executor = try await todos()
    let empty: [Filter] = [
      Column("id").notIn([Int]()), .not(Column("id").in([Int]())), .all && .all,
      Column("id").equals(1) || .all, Column("name").each(.equals, [String]()),
      Column("completedOn").isNull() || Column("COMPLETEDON").isNotNull(),
      Column("completedOn").isNull() || !Column("completedOn").isNull(),
      Column("completedOn").isDistinct(from: 3) || Column("completedOn").isNotDistinct(from: 3),
      Column("completedOn").isTrue() || Column("completedOn").isFalse()
        || Column("completedOn").isNull(),
      Column("completedOn").lessThan(3) || Column("completedOn").greaterThanOrEquals(3)
        || Column("completedOn").isNotDistinct(from: Int?.none),
      Column("id").isNotNull(), Column("name").isNotNull(), !Column("id").isNull(),
      Column("name").equals("x") || Column("name").notEquals("x"),
      Column("name").in(["x"]) || Column("name").notIn(["x"]),
      Column("id").any(.lessThanOrEquals, [1, 2]) || Column("id").greaterThan(1),
      Column("completedOn").lessThanOrEquals(5) || Column("completedOn").greaterThanOrEquals(3),
      Column("completedOn").equals(5) || Column("completedOn").notEquals(5),
      Column("completedOn").in([5]) || Column("completedOn").notIn([5]),
      !(Column("completedOn").lessThan(3) && Column("completedOn").greaterThan(5)),
      Column("name").greaterThanOrEquals(""), Column("name").hasPrefix(""),
      Column("name").hasSuffix(""), Column("name").containsText(""), Column("name").iLike("%"),
      Column("name").like("%%") && Column("id").isNotNull(),
      Column("id").in([1, 2]) || Column("id").notIn([2, 1]),
      Column("id").lessThanOrEquals(2) || Column("id").greaterThanOrEquals(3),
      (Column("id").lessThan(9) || Column("name").greaterThan("a"))
        || (Column("id").greaterThan(3) && Column("name").lessThanOrEquals("b")),
      .or((1...100).map { Column("id").equals($0) } + [.not(.not(Column("name").isNotNull()))]),
    ]
    for filter in empty {
      let delete = DatabaseRoute.delete(from: "todos", filteredBy: filter)
      #expect(await code { try await executor.perform(delete) } == .emptyFilter, "\(filter)")
    }
    #expect(
      await code { try await executor.perform(.delete(from: "todos", filteredBy: [])) }
        == .emptyFilter)
    #expect(
      await code {
        try await executor.perform(
          .update(["name": "x"] as Record, in: "todos", filteredBy: [Filter]()))
      } == .emptyFilter)
    #expect(
      await code {
        try await executor.perform(.delete(from: "todos", filteredBy: .all).limited(to: 1))
      } == .invalidRoute)
    #expect(try await executor.affectedCount(of: .delete(from: "todos", filteredBy: .all)) == 3)
  }

  @Test(
    arguments: [
      Column("completedOn").isNotNull(), Column("completedOn").isNull(),
      Column("completedOn").isNotNull() && Column("name").hasPrefix(""),
      Column("completedOn").lessThanOrEquals(3) || Column("completedOn").greaterThanOrEquals(4),
      Column("completedOn").isNull() || Column("completedOn").greaterThan(4),
      Column("completedOn").isDistinct(from: 3), Column("name").notEquals("tea"),
      Column("completedOn").isTrue() || Column("completedOn").isFalse(),
      Column("id").lessThan(3) || Column("id").greaterThan(3), !Column("id").equals(3),
      Column("name").like("%") && Column("id").isNotNull() && Column("id").lessThan(3),
      Column("name").like("_%"), Column("name").like("*"), Column("name").greaterThan(""),
      Column("completedOn").in([5]) || Column("completedOn").notIn([5, 6]),
      Column("name").at("a").isNull() || Column("id").lessThan(3),
      (Column("completedOn").isNull() || Column("completedOn").isNotNull())
        && Column("name").notEquals("tea"),
    ] as [Filter])
  func `do not treat a filter that may exclude a row as a whole-table filter`(_ filter: Filter)
    async throws
  {
    let executor = try await todos()
    let delete = DatabaseRoute.delete(from: "todos", filteredBy: filter)
    #expect(
      await code { try await executor.perform(delete) } != .emptyFilter)
  }

  @Test func `assume NULLs in a view and in a nullable key`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE word (word TEXT PRIMARY KEY);
        CREATE TABLE old (id INTEGER PRIMARY KEY DESC);
        INSERT INTO word VALUES (NULL), ('a'); INSERT INTO old VALUES (NULL), (1);
        """))
    for (table, key) in [("word", "word"), ("old", "id")] {
      let delete = DatabaseRoute.delete(
        from: .init(table), filteredBy: Column(key).isNotNull())
      #expect(try await executor.affectedCount(of: delete) == 1)
    }
  }

  @Test func `require a writable database`() async throws {
    let database = try database(todosSchema)
    let executor = SQLiteRouteExecutor(readingFrom: database)
    #expect(
      await code { try await executor.perform(.insert(Todo.milk, into: "todos")) } == .readOnly)
    #expect(try await executor.run(.fetch(from: "todos")).rows == [])
  }

  @Test func `refuse values that a table can't store`() async throws {
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE t (a INTEGER, b AS (a + 1), c UNIQUE)"))
    func insert(_ record: Record) async -> RouterError.Code? {
      await code { try await executor.perform(.insert(record, into: "t")) }
    }
    #expect(await insert(["b": 1]) == .invalidRoute)
    #expect(await insert(["a": 1, "A": 2]) == .invalidRoute)
    #expect(await insert(["z": 1]) == .unknownColumn)
    #expect(
      await code {
        try await executor.perform(.update([:] as Record, in: "t", filteredBy: .all))
      } == .invalidRoute)
  }

  @Test func `can be tried in a dry run`() async throws {
    let executor = try await todos()
    let response = try await executor.dryRun(.delete(from: "todos", filteredBy: .all))
    #expect(response.affected == 3)
    #expect(try await executor.value(Int.self, for: .count(from: "todos")) == 3)
  }

  @Test func `run in one transaction, all or none`() async throws {
    let executor = try await todos()
    let routes: [DatabaseRoute] = [
      try .insert(Todo(id: 8, name: "a"), into: "todos"), .delete(id: 1, from: "todos"),
      .count(from: "todos"),
    ]
    let responses = try await executor.run(routes)
    #expect(responses.map(\.affected) == [1, 1, 0])
    #expect(responses[2].rows == [[3]])
    let failing: [DatabaseRoute] = [
      .delete(id: 2, from: "todos"), .delete(from: "todos", filteredBy: []),
    ]
    #expect(await code { _ = try await executor.run(failing) } == .emptyFilter)
    #expect(
      try await executor.optionalValue(Todo.self, for: .fetchOne(id: 2, from: "todos")) == .bread)
  }

  @Test func `can be mixed with Swift in a transaction, and fail individually`() async throws {
    let executor = try await todos(
      "CREATE TABLE archive (id INTEGER, name TEXT, completedOn INTEGER);")
    let count = try await executor.transaction { routes in
      let todo = try routes.value(Todo.self, for: .fetchOne(id: 2, from: "todos"))
      try routes.run(.insert(todo, into: "archive"))
      _ = try? routes.run(DatabaseRoute.delete(from: "todos", filteredBy: .all).expecting(.one))
      try routes.run(.delete(id: 2, from: "todos"))
      return try routes.value(Int.self, for: .count(from: "todos"))
    }
    #expect(count == 2)
    #expect(try await executor.values(Todo.self, for: .fetch(from: "archive")) == [.bread])
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await executor.transaction { routes in
        try routes.run(.delete(from: "todos", filteredBy: .all))
        throw Failure()
      }
    }
    #expect(try await executor.value(Int.self, for: .count(from: "todos")) == 2)
  }
}

@Suite struct `Upserts` {
  @Test func `insert, or update the row of the primary key`() async throws {
    let executor = try await todos()
    let changed = Todo(id: 1, name: "Oat milk", completedOn: 4)
    #expect(try await executor.value(Todo.self, for: .upsert(changed, in: "todos")) == changed)
    let new = try await executor.value(Todo.self, for: .upsert(Todo(name: "Rice"), in: "todos"))
    #expect(new == Todo(id: 4, name: "Rice"))
  }

  static let schema = """
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE, uses INTEGER DEFAULT 1);
    CREATE TABLE link (a INTEGER, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE plain (a INTEGER);
    CREATE UNIQUE INDEX partly ON plain (a) WHERE a > 3;
    INSERT INTO tag VALUES (1, 'red', 7);
    CREATE TABLE child (tag INTEGER REFERENCES tag ON DELETE CASCADE);
    INSERT INTO child VALUES (1);
    """

  @Test func `can have another key, and do not change other columns and rows`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let route = try DatabaseRoute.upsert(["name": "red"] as Record, in: "tag").onConflict("name")
    #expect(try await executor.run(route).rows == [[1, "red", 7]])
    // The row was never deleted: otherwise its child would be deleted.
    #expect(try await executor.value(Int.self, for: .count(from: "child")) == 1)
  }

  @Test func `are the default for a conflict`() async throws {
    let executor = try await todos()
    var route = DatabaseRoute(.upsert, "todos")
    route.values = [["id": 1, "name": "x"]]
    let final = route
    #expect(try await executor.value(Todo.self, for: final) == Todo(id: 1, name: "x"))
  }

  @Test func `can keep the existing row, which is not returned`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let route = try DatabaseRoute.upsert(
      [["name": "red", "uses": 0], ["name": "blue", "uses": 2]] as [Record], in: "tag"
    ).onConflict("name", resolution: .ignore)
    let response = try await executor.run(route.selecting("name"))
    #expect(response.rows == [["blue"]])
    #expect(response.affected == 1)
    #expect(await code { _ = try await executor.value(Int.self, for: route) } == .notFound)
  }

  @Test func `return a row that has only its key`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let route = try DatabaseRoute.upsert(["b": 2, "a": 1] as Record, in: "link")
    #expect(try await executor.run(route).rows == [[1, 2]])
    #expect(try await executor.run(route).rows == [[1, 2]])
  }

  @Test func `can have the key of an index with another collation than its column`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE word (text TEXT COLLATE NOCASE, uses INTEGER);
        CREATE UNIQUE INDEX exact ON word (text COLLATE BINARY);
        INSERT INTO word VALUES ('a', 1), ('A', 2);
        """))
    let route = try DatabaseRoute.upsert(["text": "A", "uses": 3] as Record, in: "word")
      .onConflict("text")
    #expect(try await executor.run(route).rows == [["A", 3]])
    #expect(try await executor.value(Int.self, for: .count(from: "word")) == 2)
  }

  @Test(arguments: [[], ["a"], ["uses"], ["name", "id"]] as [[Column]])
  func `require a unique index of exactly the key's columns`(_ target: [Column]) async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let table: DatabaseRoute.Table = target.first == "uses" || target.count == 2 ? "tag" : "plain"
    let record: Record = table == "tag" ? ["name": "x", "uses": 1] : ["a": 1]
    var route = try DatabaseRoute.upsert(record, in: table)
    route.conflict?.target = target
    let final = route
    #expect(await code { _ = try await executor.run(final) } == .invalidRoute)
  }
}
