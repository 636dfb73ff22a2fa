import Router
import SQLiteCore
import Testing

@Suite struct `Policies` {
  static let schema = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, owner INTEGER, text TEXT);
    INSERT INTO note VALUES (1, 1, 'mine'), (2, 2, 'theirs'), (3, 1, 'also mine');
    CREATE TABLE comment (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note);
    INSERT INTO comment VALUES (1, 1), (2, 2);
    """

  static func executor() throws -> SQLiteRouteExecutor {
    var executor = SQLiteRouteExecutor(try database(schema))
    executor.rowFilters["NOTE"] = Column("owner").equals(1)
    return executor
  }

  @Test func `check each route before it runs`() async throws {
    struct Forbidden: Error {}
    var executor = try await todos()
    executor.policies = [{ route in if route.method == .delete { throw Forbidden() } }]
    let guarded = executor
    #expect(try await guarded.run(.fetch(from: "todos")).rows.count == 3)
    await #expect(throws: Forbidden.self) {
      try await guarded.perform(.delete(id: 1, from: "todos"))
    }
  }

  @Test func `hide other rows, regardless of the route`() async throws {
    let executor = try Self.executor()
    for route: DatabaseRoute in [
      .fetch(from: "note"), .fetch(from: "Note", filteredBy: .all),
      .fetch(from: "note", filteredBy: Column("owner").equals(2) || Column("owner").equals(1)),
      .fetch(from: "note", filteredBy: .not(Column("id").equals(2))),
    ] {
      #expect(try await executor.run(route).rows.map { $0[0] } == [1, 3], "\(route)")
    }
    #expect(try await executor.value(Int.self, for: .count(from: "note")) == 2)
    let embedded = DatabaseRoute.fetch(from: "comment", order: .ascending("id"))
      .embedding(.init("note", as: "of", via: "note", columns: ["text"]))
    #expect(
      try await executor.run(embedded).rows.map { $0[2] } == [#"{"text":"mine"}"#, nil])
  }

  @Test(arguments: [false, true])
  func `hide rows that are only reachable through a hidden row`(_ isRequired: Bool) async throws {
    var executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE note_tag (
          note INTEGER REFERENCES note, tag INTEGER REFERENCES tag, owner INTEGER,
          PRIMARY KEY (note, tag));
        INSERT INTO note VALUES (1), (2);
        INSERT INTO tag VALUES (1, 'mine'), (2, 'theirs');
        INSERT INTO note_tag VALUES (1, 1, 1), (1, 2, 2), (2, 2, 2);
        """))
    executor.rowFilters["note_tag"] = Column("owner").equals(1)
    struct Tag: Codable, Sendable { var name: String }
    struct Note: Codable, Sendable {
      var id: Int
      var tag: [Tag]
    }
    let route = DatabaseRoute.fetch(from: "note", order: .ascending("id"))
      .embedding(.init("tag", isRequired: isRequired))
    // Twice: the second run uses the cached text.
    for _ in 1...2 {
      let notes = try await executor.values(Note.self, for: route)
      #expect(notes.map { $0.tag.map(\.name) } == (isRequired ? [["mine"]] : [["mine"], []]))
    }
    let (_, total) = try await executor.countedValues(Note.self, for: route)
    #expect(total == (isRequired ? 1 : 2))
  }

  @Test func `prevent deletes by conflict clauses of the schema`() async throws {
    let database = try database(
      """
      CREATE TABLE note (
        id INTEGER PRIMARY KEY ON CONFLICT REPLACE, owner INTEGER,
        mail TEXT UNIQUE ON CONFLICT REPLACE);
      INSERT INTO note VALUES (1, 2, 'theirs'), (2, 1, 'mine');
      """)
    var executor = SQLiteRouteExecutor(database)
    executor.rowFilters["note"] = Column("owner").equals(1)
    let filtered = executor
    let routes: [DatabaseRoute] = [
      try .insert(["id": 1, "owner": 1] as Record, into: "note"),
      try .upsert(["id": 2, "owner": 1, "mail": "theirs"] as Record, in: "note"),
      try .update(["mail": "theirs"] as Record, in: "note", filteredBy: .id(2)),
    ]
    for route in routes {
      let error = await #expect(throws: RouterError.self, "\(route)") {
        try await filtered.perform(route)
      }
      #expect(error?.code == .constraintViolation)
    }
    let rows = try await database.read {
      try $0.values(String.self, "SELECT id || owner || mail FROM note ORDER BY id")
    }
    #expect(rows == ["12theirs", "21mine"])
  }

  @Test func `do not change the conflict handling of triggers`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE TABLE note (id INTEGER PRIMARY KEY, owner INTEGER);
        CREATE TABLE seen (owner INTEGER PRIMARY KEY);
        CREATE TRIGGER noted AFTER INSERT ON note BEGIN
          INSERT OR IGNORE INTO seen VALUES (new.owner);
        END;
        """))
    for id in 1...2 {
      try await executor.perform(.insert(["id": id, "owner": 7] as [String: Int], into: "note"))
    }
    #expect(try await executor.value(Int.self, for: .count(from: "seen")) == 1)
  }

  @Test func `also check routes that are only explained`() async throws {
    struct Forbidden: Error {}
    let custom = try DatabaseRoute.custom(on: "note") { _ in "SELECT * FROM note" }
    let filtered = try Self.executor()
    #expect(await code { _ = try await filtered.explain(custom) } == .refused)
    let all = DatabaseRoute.delete(from: "note", filteredBy: [])
    #expect(await code { _ = try await filtered.explain(all) } == .emptyFilter)
    var strict = filtered
    strict.policies = [{ _ in throw Forbidden() }]
    let forbidding = strict
    await #expect(throws: Forbidden.self) {
      _ = try await forbidding.explain(.fetch(from: "note"))
    }
  }

  @Test func `prevent writes of other rows, and writes that hide rows`() async throws {
    let executor = try Self.executor()
    #expect(try await executor.affectedCount(of: .delete(from: "note", filteredBy: .id(2))) == 0)
    let nobodys: Record = ["owner": nil]
    #expect(await code { try await executor.perform(.insert(nobodys, into: "note")) } == .refused)
    let theirs: Record = ["owner": 2, "text": "x"]
    #expect(
      await code { try await executor.perform(.insert(theirs, into: "note")) } == .refused)
    #expect(
      await code { try await executor.perform(.update(id: 1, in: "note", with: theirs)) }
        == .refused)
    let upsert = try DatabaseRoute.upsert(["id": 2, "owner": 1] as Record, in: "note")
    #expect(await code { try await executor.perform(upsert) } == .refused)
    let mine = try DatabaseRoute.upsert(["id": 1, "owner": 1, "text": "y"] as Record, in: "note")
    #expect(try await executor.run(mine).rows == [[1, 1, "y"]])
    #expect(try await executor.run(mine.returning(.minimal)) == DatabaseRoute.Response(affected: 1))
    let custom = try DatabaseRoute.custom(on: "comment") { _ in "SELECT * FROM note" }
    #expect(await code { _ = try await executor.run(custom) } == .refused)
    var all = executor
    all.rowFilters = [:]
    #expect(
      try await all.value(
        String.self, for: DatabaseRoute.fetchOne(id: 2, from: "note").selecting("text")) == "theirs"
    )
  }
}

@Suite struct `Custom routes` {
  @Test func `are values: equal if text, values and access are equal`() throws {
    func route(_ id: Int, _ access: DatabaseRoute.CustomStatement.Access = .read) throws
      -> DatabaseRoute
    {
      try .custom(on: "todos", access: access) { table in
        "SELECT name FROM \(identifier: table.name) WHERE id = \(id)"
      }
    }
    #expect(try route(1) == route(1))
    #expect(try route(1) != route(2))
    #expect(try route(1) != route(1, .write))
  }

  @Test func `run with their values, including lists`() async throws {
    let executor = try await todos()
    let ids = [1, 3]
    let route = try DatabaseRoute.custom(on: "todos") { _ in
      "SELECT name FROM todos WHERE id IN \(ids) AND name <> \("x") ORDER BY id"
    }
    #expect(try await executor.values(String.self, for: route) == ["Milk", "tea"])
  }

  @Test func `write only if declared so`() async throws {
    let executor = try await todos()
    let reading = try DatabaseRoute.custom(on: "todos") { _ in "DELETE FROM todos" }
    #expect(await code { _ = try await executor.run(reading) } == .refused)
    let writing = try DatabaseRoute.custom(on: "todos", access: .write) { _ in
      "DELETE FROM todos WHERE id < 3 RETURNING id"
    }
    let response = try await executor.run(writing)
    #expect(response.affected == 2)
    #expect(response.rows.count == 2)
  }
}

@Suite struct `Responses` {
  @Test func `are decoded like rows of a database`() throws {
    let response = DatabaseRoute.Response(
      columns: ["id", "name", "completedOn"], rows: [[1, "Milk", nil], [2, "Bread", 5]])
    #expect(try response.values(Todo.self) == [.milk, .bread])
    #expect(throws: SQLiteError.self) {
      try response.values(Int?.self).map { _ in try response.values([Int].self) }
    }
  }

  /// An executor that can only return responses.
  struct Canned: RouteExecutor {
    let response: DatabaseRoute.Response
    func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response { response }
  }

  @Test func `are sufficient for an executor`() async throws {
    let canned = Canned(
      response: DatabaseRoute.Response(columns: ["id", "name"], rows: [[1, "a"], [2, "b"]]))
    let route = DatabaseRoute.fetch(from: "todos")
    #expect(try await canned.values(Todo.self, for: route).map(\.name) == ["a", "b"])
    #expect(await code { _ = try await canned.value(Todo.self, for: route) } == .multipleRows)
    #expect(await code { _ = try await canned.run([route]) } == .unsupported)
  }
}
