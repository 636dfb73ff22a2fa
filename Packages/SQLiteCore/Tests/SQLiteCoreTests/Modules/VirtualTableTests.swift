import SQLiteCore
import Primitives
import Testing

@Suite struct `Virtual tables` {
  private func series() throws -> Connection {
    let db = try memory()
    try db.register(module: Series(), as: "series")
    return db
  }

  @Test(
    arguments: [
      ("SELECT value FROM series(1, 3)", [1, 2, 3]),
      ("SELECT value FROM series(1, 9, 4)", [1, 5, 9]),
      ("SELECT value FROM series WHERE start = 2 AND stop = 3", [2, 3]),
      ("SELECT value FROM series(3, 1)", []),
      ("SELECT value FROM series(1, 4) WHERE value % 2 = 0", [2, 4]),
      ("SELECT value FROM series(1, 3) ORDER BY value DESC", [3, 2, 1]),
      ("SELECT value FROM series(1, 3) ORDER BY value", [1, 2, 3]),
      ("SELECT rowid FROM series(5, 6)", [5, 6]),
      ("SELECT stop FROM series(5, 6)", [6, 6]),
      ("SELECT value FROM series(1, 100) LIMIT 2 OFFSET 3", [4, 5]),
      ("SELECT sum(value) FROM series(1, 10)", [55]),
    ] as [(SQL, [Int])])
  func `are functions whose hidden columns are the arguments`(_ sql: SQL, _ values: [Int]) throws {
    #expect(try series().values(Int.self, sql) == values)
  }

  @Test func `omit hidden columns from SELECT *`() throws {
    #expect(try series().rows("SELECT * FROM series(1, 2)") == [[1], [2]])
  }

  @Test func `can be joined with themselves, with separate cursors`() throws {
    let db = try series()
    #expect(
      try db.rows("SELECT a.value, b.value FROM series(1, 3) a JOIN series(1, a.value) b")
        == [[1, 1], [2, 1], [2, 2], [3, 1], [3, 2], [3, 3]])
    // SQLite uses the join order that has a plan.
    #expect(
      try db.rows(
        "SELECT a.value, b.value FROM series(1, b.value) a, series(2, 2) b")
        == [[1, 2], [2, 2]])
  }

  @Test func `answer IN with one query for each value`() throws {
    let (db, probe) = try probed()
    probe.plan = { info in
      var plan = VirtualTable.Plan()
      for constraint in info.constraints where constraint.isUsable { plan.use(constraint) }
      return plan
    }
    #expect(try db.values(Int.self, "SELECT a FROM probe WHERE a IN (3, 1, 7)") == [1, 3])
    #expect(probe.queries.map(\.arguments) == [[1], [3], [7]])
  }

  @Test func `return values of every kind`() throws {
    let (db, probe) = try probed()
    for value in `Values`.values {
      probe.rows = [[value, .null, .null]]
      #expect(try db.value(SQLiteValue.self, "SELECT a FROM probe") == value)
    }
    probe.rows = [[.real(.nan), .null, .null]]
    #expect(try db.value(SQLiteValue.self, "SELECT a FROM probe") == .null)
  }

  @Test func `compare by the affinity of their columns`() throws {
    let (db, probe) = try probed()
    let affinities: [(ColumnAffinity, String)] = [
      (.integer, "INTEGER"), (.text, "TEXT"), (.real, "REAL"), (.numeric, "NUMERIC"), (.blob, ""),
    ]
    for (affinity, type) in affinities {
      probe.columns = [VirtualTable.Column("a \"quoted\" name", affinity: affinity)]
      probe.rows = [["1"]]
      try db.register(module: probe, as: "probe")
      let found = try db.rows(#"SELECT 1 FROM probe WHERE "a ""quoted"" name" = 1"#)
      #expect(found.count == (affinity == .blob ? 0 : 1))
      #expect(
        try db.value(String.self, "SELECT type FROM pragma_table_info('probe')") == type)
    }
  }

  @Test func `may use the connection while they are connected, planned and read`() throws {
    let (db, probe) = try probed("CREATE TABLE plain (x); INSERT INTO plain VALUES (7)")
    var seen: [Int?] = []
    probe.onCall = { [weak db] _ in
      seen.append(try db?.value(Int.self, "SELECT x FROM plain"))
    }
    let statement = try db.prepare("SELECT a FROM probe")
    let count = seen.count
    #expect(count >= 2)
    #expect(try statement.step())
    #expect(seen.count > count)
    #expect(seen.allSatisfy { $0 == 7 })
    // Statements compiled by the callbacks are not part of the statement's access.
    #expect(statement.access.reads.keys.map { $0.name } == ["probe"])
  }

  @Test func `that are eponymous can't be created, and those that are created are not eponymous`()
    throws
  {
    let db = try memory()
    for kind in VirtualTable.ModuleKind.allCases {
      let store = Store(kind: kind)
      try db.register(module: store, as: "store")
      let isTable = (try? db.rows("SELECT * FROM store")) != nil
      #expect(isTable == (kind != .created))
      let isCreated = (try? db.execute("CREATE VIRTUAL TABLE t USING store")) != nil
      #expect(isCreated == (kind != .eponymousOnly))
      if isCreated { try db.execute("DROP TABLE t") }
    }
  }

  @Test func `receive their name and arguments`() throws {
    let db = try memory("ATTACH ':memory:' AS other")
    let store = Store()
    var events: [String] = []
    store.onEvent = { events.append($0) }
    try db.register(module: store, as: "Store")
    try db.execute("CREATE VIRTUAL TABLE t USING store(  a = 'b, c' , d  e)")
    try db.execute("CREATE VIRTUAL TABLE other.u USING STORE")
    #expect(events == ["create t a = 'b, c'|d  e", "create other.u "])
  }

  @Test func `are available on every connection of a database`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open { configuration in
      configuration.prepare = { connection in
        try connection.register(module: Series(), as: "series")
        try connection.register(module: Store(), as: "store")
      }
    }
    try await database.write { try $0.execute("CREATE VIRTUAL TABLE t USING store") }
    let sums = try await withThrowingTaskGroup(of: Int?.self) { group in
      for count in 1...20 {
        group.addTask {
          try await database.read { connection in
            try connection.value(Int.self, "SELECT sum(value) FROM series(1, ?)", count)
          }
        }
      }
      return try await group.reduce(into: Set<Int>()) { if let sum = $1 { $0.insert(sum) } }
    }
    #expect(sums == Set((1...20).map { $0 * ($0 + 1) / 2 }))
    #expect(try await database.read { try $0.count("t") } == 0)
  }

  @Test func `are an error on a connection without their module`() throws {
    let directory = try TemporaryDirectory()
    let first = try directory.connect()
    try first.register(module: Store(), as: "store")
    try first.execute("CREATE VIRTUAL TABLE t USING store")
    let second = try directory.connect()
    let error = #expect(throws: SQLiteError.self) { try second.rows("SELECT * FROM t") }
    #expect(error?.message == "no such module: store")
    try second.register(module: Store(), as: "store")
    #expect(try second.count("t") == 0)
  }

  @Test func `reach the authorizer when they are read, not when they are declared`() throws {
    let db = try series()
    var requests: [String] = []
    let subscription = try db.hooks.authorize { request in
      requests.append("\(request.action) \(request.first ?? "") \(request.second ?? "")")
      return request.first == "series" && request.second == "stop" ? .deny : .allow
    }
    #expect(throws: SQLiteError.self) { try db.rows("SELECT stop FROM series(1, 2)") }
    #expect(!requests.contains { $0.contains("sqlite_master") })
    db.hooks.remove(subscription)
    #expect(try db.rows("SELECT stop FROM series(1, 1)") == [[1]])
  }

  @Test func `are used by the schema only if they are innocuous or the schema is trusted`() throws {
    let script: SQL = "CREATE VIEW v AS SELECT value FROM series(1, 2)"
    for (options, isTrusted, isAllowed) in [
      ([], false, false), ([], true, true), (.innocuous, false, true), (.directOnly, true, false),
    ] as [(Connection.FunctionOptions, Bool, Bool)] {
      let db = try memory { $0.trustsSchema = isTrusted }
      try db.register(module: Series(), as: "series", options: options)
      try db.execute(script)
      #expect((try? db.rows("SELECT * FROM v")) == (isAllowed ? [[1], [2]] : nil))
      #expect(try db.rows("SELECT value FROM series(1, 1)") == [[1]])
    }
  }

  @Test func `are connected again after main is deserialized`() throws {
    let db = try series()
    let image = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (3)").serialized()
    #expect(try db.rows("SELECT value FROM series(1, 1)") == [[1]])
    let store = Store(kind: .eponymousOnly)
    store.tables["Store"] = [1: Store.Entry(key: "a", value: 1)]
    try db.register(module: store, as: "Store")
    #expect(try db.rows("SELECT * FROM store") == [["a", 1]])
    try db.deserialize(image)
    #expect(try db.values(Int.self, "SELECT value FROM t, series(1, t.a)") == [1, 2, 3])
    #expect(try db.rows("SELECT * FROM store") == [["a", 1]])
  }
}
