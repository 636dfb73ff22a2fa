import SQLiteCore
import Testing

@Suite struct `Counters` {
  @Test func `of a connection show its memory and its pages`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))")
    #expect(try db.count("t") == 1)
    #expect(try db.status(.cacheUsed).current > 10_000)
    #expect(try db.status(.schemaUsed).current > 0)
    #expect(try db.status(.statementsUsed).current > 0)
    #expect(try db.status(.cacheWrites, resetting: true).current > 20)
    #expect(try db.status(.cacheWrites).current == 0)
    try db.releaseMemory()
    #expect(try db.status(.cacheUsed).current < 100_000)
    #expect(try db.status(.statementsUsed).current == 0)
    #expect(try db.count("t") == 1)
  }

  @Test(arguments: (0...12).map { Connection.Counter(rawValue: $0) })
  func `of a connection all have a value`(_ counter: Connection.Counter) throws {
    let value = try memory("CREATE TABLE t (a)").status(counter)
    #expect(value.current >= 0 && value.highest >= 0)
  }

  @Test func `of a connection show unsatisfied deferred foreign keys`() throws {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      BEGIN; INSERT INTO c VALUES (1)
      """)
    #expect(try db.status(.deferredForeignKeys).current == 1)
    try db.execute("INSERT INTO p VALUES (1)")
    #expect(try db.status(.deferredForeignKeys).current == 0)
  }

  @Test func `that are unknown are unsupported`() throws {
    let db = try memory()
    let one = #expect(throws: SQLiteError.self) {
      try db.status(Connection.Counter(rawValue: 999))
    }
    #expect(one?.code == .unsupported)
    let all = #expect(throws: SQLiteError.self) {
      try SQLiteLibrary.status(SQLiteLibrary.Counter(rawValue: 999))
    }
    #expect(all?.code == .unsupported)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) { try db.status(.cacheUsed) }
    #expect(closed?.code == .closed)
    let released = #expect(throws: SQLiteError.self) { try db.releaseMemory() }
    #expect(released?.code == .closed)
  }

  @Test func `of a statement show scans, sorts and runs`() throws {
    let db = try memory(
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (3, 1), (1, 2), (2, 3); CREATE TABLE u (a)")
    let statement = try db.prepare("SELECT a FROM t ORDER BY b")
    #expect(try statement.count(of: .runs) == 0)
    try statement.run()
    try statement.run()
    #expect(try statement.count(of: .runs) == 2)
    #expect(try statement.count(of: .sorts) == 2)
    #expect(try statement.count(of: .fullScanSteps) == 4)
    #expect(try statement.count(of: .machineSteps, resetting: true) > 10)
    #expect(try statement.count(of: .machineSteps) == 0)
    #expect(try statement.count(of: .memoryUsed) > 100)
    #expect(try statement.count(of: .automaticIndexRows) == 0)
    #expect(try statement.count(of: .filterHits) == 0)
    try db.execute("CREATE INDEX i ON t (b)")
    try statement.run()
    #expect(try statement.count(of: .recompilations, resetting: true) == 1)
    #expect(try statement.count(of: .recompilations) == 1)
    #expect(try statement.count(of: .sorts) == 0 || statement.count(of: .sorts) == 2)
  }

  @Test func `of a statement can be aggregated by its normalized SQL`() throws {
    let db = try memory("CREATE TABLE t (a, b)")
    let statement = try db.prepare("select  a from t where b = 'secret' or b = 5")
    if SQLiteLibrary.supports(.normalizedSQL) {
      let other = try db.prepare("SELECT a FROM t WHERE b='other' OR b=7")
      #expect(try statement.normalizedSQL == other.normalizedSQL)
      #expect(try !statement.normalizedSQL.contains("secret"))
    } else {
      let error = #expect(throws: SQLiteError.self) { try statement.normalizedSQL }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("normalized SQL") == true)
    }
  }

  @Test func `of a statement remain available after its connection is released`() throws {
    var db: Connection? = try memory()
    let statement = try #require(try db?.prepare("SELECT 1"))
    db = nil
    try statement.run()
    #expect(try statement.count(of: .runs) == 1)
  }

  @Test(arguments: [
    SQLiteLibrary.Counter.memoryUsed, .pageCacheUsed, .pageCacheOverflow, .largestAllocation,
    .parserStack, .largestPage, .allocationCount,
  ])
  func `of the library all have a value`(_ counter: SQLiteLibrary.Counter) throws {
    let db = try memory("CREATE TABLE t (a)")
    #expect(try SQLiteLibrary.status(counter).highest >= 0)
    #expect(SQLiteLibrary.memoryUsed > 0)
    #expect(SQLiteLibrary.highestMemoryUsed() > 0)
    try db.close()
  }
}
