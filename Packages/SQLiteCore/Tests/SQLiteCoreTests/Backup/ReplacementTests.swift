import SQLiteCore
import Testing

/// Objects that a connection used before its database was replaced must not refer to the previous database.
@Suite struct `A database that is replaced` {
  private func filled() throws -> Connection {
    try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
  }

  /// A read of an eponymous table, and its result in addition to ``filled()``.
  struct Use: CustomTestStringConvertible, Sendable {
    let sql: String, answer: [SQLiteValue]
    var testDescription: String { sql }
  }

  static let uses = [
    Use(
      sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' ORDER BY name",
      answer: ["sqlite_schema", "t"]),
    Use(sql: "SELECT name FROM pragma_table_info('t')", answer: ["a"]),
    Use(sql: "SELECT name FROM main.pragma_table_xinfo('t')", answer: ["a"]),
    Use(sql: "SELECT value FROM json_each('[4, 5]')", answer: [4, 5]),
    Use(sql: "SELECT a FROM t, json_each('[2, 9]') WHERE a = value", answer: [2]),
  ]

  @Test(arguments: uses)
  func `can be replaced repeatedly, with any reads in between`(_ use: Use) throws {
    let bytes = try filled().serialized()
    let db = try Connection.inMemory()
    for round in 0..<20 {
      try db.deserialize(bytes)
      #expect(try db.rows(SQL(unsafe: use.sql)).flatMap { $0 } == use.answer)
      try db.run("INSERT INTO t VALUES (?)", 100 + round)
      #expect(try db.count("t") == 4)
    }
    try db.close()
  }

  @Test func `can be replaced repeatedly, with lists in between`() throws {
    let bytes = try filled().serialized()
    let db = try Connection.inMemory()
    try db.deserialize(bytes)
    let sql = "SELECT a FROM t WHERE a IN (SELECT value FROM array_each(?))"
    let kept = try db.prepare(SQL(unsafe: sql))
    for _ in 0..<20 {
      try db.deserialize(bytes)
      #expect(try db.values(Int.self, SQL(unsafe: sql), SQLiteArray([2, 3, 4])) == [2, 3])
      try kept.bind(SQLiteArray([1]), at: 1)
      #expect(try kept.step())
      kept.reset()
    }
  }

  @Test(arguments: uses)
  func `can be an attached one, with any reads in between`(_ use: Use) throws {
    let db = try filled()
    let other = try memory("CREATE TABLE u (b); INSERT INTO u VALUES (7)").serialized()
    for _ in 0..<20 {
      try db.execute("ATTACH ':memory:' AS extra")
      try db.deserialize(other, into: "extra")
      #expect(try db.rows(SQL(unsafe: use.sql)).flatMap { $0 } == use.answer)
      #expect(try db.value(Int.self, "SELECT b FROM extra.u") == 7)
      try db.execute("DETACH extra")
    }
  }

  @Test func `is read by statements about such tables that were compiled before`() throws {
    let bytes = try filled().serialized()
    let db = try Connection.inMemory()
    let tables = try db.prepare("SELECT count(*) FROM pragma_table_list WHERE schema = 'main'")
    let numbers = try db.prepare("SELECT sum(value) FROM json_each('[4, 5]')")
    for round in 0..<5 {
      #expect(try tables.step())
      #expect(try tables.row.values == [round == 0 ? 1 : 2])
      #expect(try numbers.step())
      #expect(try numbers.row.values == [9])
      tables.reset()
      numbers.reset()
      try db.deserialize(bytes)
    }
  }

  @Test func `keeps temporary triggers, which belong to the new tables`() throws {
    let bytes = try filled().serialized()
    let db = try filled()
    try db.execute(
      """
      CREATE TEMP TABLE log (a);
      CREATE TEMP TRIGGER logged AFTER INSERT ON main.t BEGIN INSERT INTO log VALUES (new.a); END
      """)
    for round in 0..<5 {
      try db.run("INSERT INTO t VALUES (?)", round)
      try db.deserialize(bytes)
    }
    #expect(try db.values(Int.self, "SELECT a FROM log") == [0, 1, 2, 3, 4])
    // A trigger without its table is not listed.
    try db.deserialize([])
    #expect(try db.tables().isEmpty)
    try db.deserialize(bytes)
    try db.execute("DROP TRIGGER logged")
    try db.run("INSERT INTO t VALUES (9)")
    #expect(try db.count("log") == 5)
  }

  @Test func `keeps temporary triggers on tables of an attached database`() throws {
    let bytes = try filled().serialized()
    let db = try memory("ATTACH ':memory:' AS extra")
    try db.deserialize(bytes, into: "extra")
    try db.execute(
      """
      CREATE TEMP TABLE log (a);
      CREATE TEMP TRIGGER logged AFTER INSERT ON extra.t BEGIN INSERT INTO log VALUES (new.a); END
      """)
    try db.deserialize(bytes, into: "extra")
    try db.run("INSERT INTO extra.t VALUES (4)")
    #expect(try db.values(Int.self, "SELECT a FROM log") == [4])
    try db.execute("DROP TRIGGER logged; DETACH extra")
  }

  @Test func `keeps a writable schema`() throws {
    let db = try filled()
    try db.setOption(.writableSchema, on: true)
    try db.deserialize(filled().serialized())
    #expect(try db.isOn(.writableSchema))
    try db.setOption(.writableSchema, on: false)
    try db.deserialize(filled().serialized())
    #expect(try !db.isOn(.writableSchema))
  }

  /// If an eponymous table would remain without a database, the pages are copied instead.
  @Test(.needs(.preupdateHook)) func `has the new content after SQLite's own tables were used`()
    throws
  {
    let db = try filled()
    let observer = Recorder()
    func useTables() throws {
      #expect(try db.value(Int.self, "SELECT count(*) FROM json_each('[1]')") == 1)
    }
    try useTables()
    try db.hooks.add(observer)
    let image = try memory("CREATE TABLE other (b TEXT); INSERT INTO other VALUES ('x')")
      .serialized()
    try db.deserialize(image)
    #expect(observer.take() == ["schema", "didCommit"])
    #expect(try db.tables().map(\.name) == ["other"])
    // Without the header, which contains a change counter.
    #expect(try db.serialized().dropFirst(100) == image.dropFirst(100))
    try useTables()
    for bytes in [[1], Array("hello".utf8)] as [[UInt8]] {
      let error = #expect(throws: SQLiteError.self) { try db.deserialize(bytes) }
      #expect(error?.code.primary == .notADatabase)
    }
    #expect(try db.value(String.self, "SELECT b FROM other") == "x")
    try db.deserialize([])
    #expect(try db.tables().isEmpty)
    try db.execute("CREATE TABLE new (a)")
    try useTables()
  }

  @Test func `loses its size limit after SQLite's own tables were used`() throws {
    let bytes = try filled().serialized()
    let db = try Connection(deserializing: bytes, maximumSize: 20_000)
    try db.execute("SELECT * FROM json_each('[1]')")
    try db.deserialize(bytes)
    try db.run("INSERT INTO t VALUES (zeroblob(100000))")
    let error = #expect(throws: SQLiteError.self) { try db.deserialize(bytes, maximumSize: 20_000) }
    #expect(error?.code == .databaseInUse)
    #expect(try db.count("t") == 4)
  }

  @Test func `is refused if its pages can't be written and SQLite's own tables were used`() throws {
    let bytes = try filled().serialized()
    func refusal(by db: Connection, isReadOnly: Bool = false) -> String? {
      let error = #expect(throws: SQLiteError.self) {
        try db.deserialize(bytes, isReadOnly: isReadOnly)
      }
      #expect(error?.code == .databaseInUse)
      return error?.message
    }
    let directory = try TemporaryDirectory()
    let file = try directory.connect()
    try file.execute("CREATE TABLE old (a)")
    try file.execute("SELECT * FROM json_each('[1]')")
    #expect(refusal(by: file)?.contains("json_each") == true)
    #expect(try file.tables().map(\.name) == ["old"])
    let shared = try Connection(.sharedMemory(named: "replaced"))
    let sharer = try Connection(.sharedMemory(named: "replaced"))
    try shared.execute("CREATE TABLE ours (a); SELECT * FROM json_each('[1]')")
    #expect(refusal(by: shared)?.contains("json_each") == true)
    #expect(try sharer.tables().map(\.name) == ["ours"])
    let fixed = try Connection(deserializing: bytes, isReadOnly: true)
    try fixed.execute("SELECT * FROM json_tree('[1]')")
    #expect(refusal(by: fixed)?.contains("json_tree") == true)
    let large = try memory("PRAGMA page_size = 8192; CREATE TABLE big (a)")
    try large.execute("SELECT * FROM json_each('[1]')")
    #expect(refusal(by: large)?.contains("json_each") == true)
    #expect(try large.tables().map(\.name) == ["big"])
    let db = try filled()
    // A statement that fails creates the table, too.
    #expect(throws: SQLiteError.self) { try db.execute("SELECT missing FROM json_each('[1]')") }
    #expect(refusal(by: db, isReadOnly: true)?.contains("json_each") == true)
    #expect(try db.count("t") == 3)
  }

  @Test func `can be damaged`() throws {
    func damage(_ db: Connection) throws {
      try db.setOption(.defensive, on: false)
      try db.setOption(.writableSchema, on: true)
      try db.run("UPDATE sqlite_schema SET sql = 'CREATE TABLE t ('")
      try db.execute("PRAGMA writable_schema = RESET")
      #expect(throws: SQLiteError.self) { try db.count("t") }
    }
    let bytes = try filled().serialized()
    let damaged = try filled()
    try damage(damaged)
    let db = try Connection.inMemory()
    try db.execute("SELECT * FROM json_each('[1]'); SELECT * FROM pragma_table_list")
    for _ in 0..<5 {
      try db.deserialize(bytes)
      #expect(throws: SQLiteError.self) { try db.deserialize(damaged.serialized()) }
      #expect(try db.count("t") == 3)
      #expect(try db.value(Int.self, "SELECT value FROM json_each('[8]')") == 8)
      #expect(try db.value(Int.self, "SELECT count(*) FROM pragma_table_info('t')") == 1)
      try damage(db)
    }
    let file = try TemporaryDirectory()
    let connection = try file.connect()
    try connection.execute("CREATE TABLE t (a)")
    try damage(connection)
    #expect(throws: SQLiteError.self) { try connection.deserialize(bytes) }
  }

  @Test func `does not call the authorizer for its own statements`() throws {
    let db = try filled()
    _ = try db.count("pragma_table_list")
    var requests: [Hooks.AuthorizationRequest] = []
    try db.hooks.authorize {
      requests.append($0)
      return .allow
    }
    try db.deserialize(filled().serialized())
    // SQLite attaches a deserialized database.
    #expect(requests.map(\.action) == [24])
    requests = []
    #expect(try db.value(Int.self, "SELECT value FROM array_each(?)", SQLiteArray([1])) == 1)
    #expect(requests.allSatisfy { $0.first == nil || $0.first == "array_each" })
  }
}
