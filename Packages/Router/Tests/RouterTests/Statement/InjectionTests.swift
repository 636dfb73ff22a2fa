import Router
import RouterTesting
import SQLiteCore
import Testing

@Suite struct `Hostile input` {
  static let pieces = [
    "'", "\"", "`", "[", "]", ";", "--", "/*", "*/", "\0", "\\", "%", " ", "x", "é", "e\u{301}",
    "👩‍👩‍👧", "\n", ")", "(", "?1", ":a", "DROP TABLE safe", "' OR 1=1", "\" OR \"1\"=\"1", "secret",
  ]

  static func hostile(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...5, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  static let script = """
    CREATE TABLE safe (id INTEGER PRIMARY KEY, text TEXT, rank INTEGER);
    CREATE TABLE secret (id INTEGER PRIMARY KEY, secret TEXT);
    INSERT INTO secret VALUES (1, 'x');
    """

  /// The tables that statements accessed, except those read for the schema.
  static func tables(_ access: Statement.Access) -> Set<String> {
    Set((Array(access.reads.keys) + Array(access.writes.keys)).map(\.name)).filter {
      !$0.hasPrefix("pragma_") && !$0.hasPrefix("sqlite_") && $0 != "array_each"
    }
  }

  @Test func `values are stored and found unchanged, and affect no other table`() async throws {
    var random = SeededGenerator(seed: `Random filters`.seed)
    let database = try database(Self.script)
    let executor = SQLiteRouteExecutor(database)
    for number in 1...150 {
      let text = Self.hostile(&random)
      let routes: [DatabaseRoute] = [
        try .upsert(["id": 1, "text": .text(text)] as Record, in: "safe"),
        .fetch(from: "safe", filteredBy: Column("text").equals(text) && Column("text").in([text])),
        try .update(
          ["text": .text(text)] as Record, in: "safe", filteredBy: Column("text").equals(text)),
        .delete(from: "safe", filteredBy: Column("text").equals(text)).returning(.representation),
      ]
      let (responses, access) = try await executor.transaction { transaction in
        try transaction.connection.recordingAccess {
          try routes.map { try transaction.run($0).rows }
        }
      }
      let note: Comment = "\(number): \(text.debugDescription)"
      #expect(responses.allSatisfy { $0 == [[1, .text(text), nil]] }, note)
      #expect(Self.tables(access) == ["safe"], note)
      #expect(!access.changesSchema, note)
    }
  }

  @Test func `names are refused in any place`() async throws {
    var random = SeededGenerator(seed: `Random filters`.seed)
    let executor = SQLiteRouteExecutor(try database(Self.script))
    for number in 1...60 {
      let name = "safe" + Self.hostile(&random)
      let column = Column(name)
      let hostile: [DatabaseRoute] = [
        .fetch(from: .init(name)), .count(from: .init(name)),
        .fetch(from: "safe").selecting(column),
        .fetch(from: "safe", filteredBy: column.isNull()),
        .fetch(from: "safe", order: .ascending(column)),
        .delete(from: "safe", filteredBy: column.equals(1)),
        try .insert(Record(fields: [.init(column: column, value: 1)]), into: "safe"),
        try .update(
          Record(fields: [.init(column: column, value: 1)]), in: "safe", filteredBy: .all),
        try .upsert(["id": 1] as Record, in: "safe").onConflict(column),
        .fetch(from: .init("safe", schema: name)), .count(from: .init("safe", schema: name)),
        .delete(from: .init("safe", schema: name), filteredBy: .all),
        .fetch(from: .init(name, schema: "temp")),
        .fetch(from: "safe").aggregating(.sum(column)),
        .fetch(from: "safe").aggregating(.count(filteredBy: column.isNull())),
        .fetch(from: "safe").selecting(column).aggregating(.count()),
        .fetch(from: "safe", order: .ascending(column)).aggregating(.count(as: "n")),
        .fetch(from: "safe").selecting("rank").aggregating(.count(as: "n"))
          .filteringGroups(by: column.equals(1)),
        .fetch(from: "safe").selecting("rank").aggregating(.count(as: "n"))
          .filteringGroups(by: column.any(.equals, [Int]())),
      ]
      for route in hostile {
        let code = await code { _ = try await executor.run(route) }
        #expect(
          code == .unknownColumn || code == .unknownTable || code == .unknownSchema,
          "\(number): \(name.debugDescription)")
      }
    }
    #expect(try await executor.value(Int.self, for: .count(from: "secret")) == 1)
  }

  @Test func `names of a table's columns are quoted`() async throws {
    let table = "a\"b; DROP TABLE safe --", column = "c'\"d"
    let database = try database(Self.script)
    try await database.write { connection in
      try connection.execute(
        "CREATE TABLE \(identifier: table) (id INTEGER PRIMARY KEY, \(identifier: column))")
    }
    let executor = SQLiteRouteExecutor(database)
    let record = Record(fields: [.init(column: Column(column), value: 7)])
    let name = DatabaseRoute.Table(table)
    #expect(try await executor.run(.upsert(record, in: name)).rows == [[1, 7]])
    let found = DatabaseRoute.fetch(
      from: name, filteredBy: Column(column).equals(7), order: .ascending(Column(column)))
    #expect(try await executor.run(found).rows == [[1, 7]])
    #expect(try await executor.run(.update(record, in: name, filteredBy: .id(1))).affected == 1)
    #expect(try await executor.affectedCount(of: .delete(id: 1, from: name)) == 1)
    #expect(try await executor.value(Int.self, for: .count(from: "safe")) == 0)
  }

  @Test func `custom names are quoted`() async throws {
    var random = SeededGenerator(seed: `Random filters`.seed)
    let executor = SQLiteRouteExecutor(try database(Self.script))
    try await executor.perform(.insert(["rank": 3] as Record, into: "safe"))
    for number in 1...60 {
      let name = Self.hostile(&random)
      let route = DatabaseRoute.fetch(
        from: "safe", order: .ascending(.init(name))
      ).selecting("text").aggregating(.sum("rank", as: name))
        .filteringGroups(by: Column(name).equals(3))
      let note: Comment = "\(number): \(name.debugDescription)"
      if name.utf8.contains(0) {
        #expect(await code { _ = try await executor.run(route) } == .invalidRoute, note)
      } else {
        let response = try await executor.run(route)
        #expect(response.columns == ["text", name], note)
        #expect(response.rows == [[nil, 3]], note)
      }
      let other = DatabaseRoute.fetch(from: "safe").aggregating(
        .init(.init(rawValue: name), of: "rank", as: "n"))
      #expect(await code { _ = try await executor.run(other) } == .unsupported, note)
    }
    #expect(try await executor.value(Int.self, for: .count(from: "secret")) == 1)
  }

  /// The column of embedded rows other than the key.
  struct Keyed: Decodable, Sendable {
    struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    let key: String
    let rows: [[String: String]]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      key = container.allKeys.last?.stringValue ?? ""
      rows = try container.decode([[String: String]].self, forKey: Key(stringValue: key))
    }
  }

  @Test func `keys of embedded rows are those of the columns`() async throws {
    var random = SeededGenerator(seed: `Random filters`.seed)
    for number in 1...30 {
      let name = Self.hostile(&random).filter { $0 != "\0" }
      let database = try database("CREATE TABLE parent (key INTEGER PRIMARY KEY)")
      try await database.write { connection in
        try connection.execute(
          """
          CREATE TABLE child (
            key INTEGER PRIMARY KEY, parent REFERENCES parent, \(identifier: "x" + name));
          INSERT INTO parent VALUES (1);
          INSERT INTO child VALUES (1, 1, 'y');
          """)
      }
      let route = DatabaseRoute.fetch(from: "parent").selecting("key").embedding(
        .init("child", as: "z" + name, columns: [Column("x" + name)]))
      let found = try await SQLiteRouteExecutor(database)
        .value(Keyed.self, for: route)
      #expect(found.key == "z" + name, "\(number)")
      #expect(found.rows == [["x" + name: "y"]], "\(number): \(name.debugDescription)")
    }
  }

  @Test func `collations and names of embeds are quoted`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.script))
    let route = DatabaseRoute.fetch(
      from: "safe", order: .ascending("text", collation: "NOCASE; DROP TABLE safe"))
    await #expect(throws: SQLiteError.self) { try await executor.run(route) }
    #expect(try await executor.value(Int.self, for: .count(from: "safe")) == 0)
  }
}
