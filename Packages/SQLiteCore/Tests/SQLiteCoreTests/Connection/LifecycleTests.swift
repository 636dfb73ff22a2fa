import Foundation
import SQLiteCore
import Testing

@Suite struct `The lifetime of a connection` {
  @Test func `ends with every use refused`() throws {
    let db = try memory("CREATE TABLE t (a)")
    try db.close()
    try db.close()
    for attempt in [
      { _ = try db.prepare("SELECT 1") }, { try db.execute("SELECT 1") },
      { try db.run("SELECT 1") }, { _ = try db.rows("SELECT 1") },
      { try db.transaction {} }, { try db.savepoint {} },
      { try db.register("f", argumentCount: 0) { _ in .null } },
      { try db.registerCollation("c") { _, _ in 0 } },
      { try db.hooks.add(Recorder()) }, { try db.hooks.progress { true } },
      { try db.migrate([Migration(name: "a", sql: "SELECT 1")]) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .closed)
    }
    #expect(!db.isInTransaction)
    #expect(db.lastInsertedRowID == 0)
    #expect(db.totalChangeCount == 0)
    db.interrupt()
    db.interruptHandle.interrupt()
  }

  @Test func `is not ended while a prepared statement exists`() throws {
    let db = try memory()
    var statement: Statement? = try db.prepare("SELECT 1")
    #expect(try statement?.step() == true)
    let error = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(error?.code == .busy)
    #expect(error?.sql == "SELECT 1")
    #expect(try db.value(Int.self, "SELECT 2") == 2)
    statement = nil
    try db.close()
  }

  @Test func `is not ended inside a cached statement`() throws {
    let db = try memory()
    try db.withStatement("SELECT 1") { statement throws in
      let error = #expect(throws: SQLiteError.self) { try db.close() }
      #expect(error?.code == .busy)
      #expect(try statement.step())
    }
    try db.close()
  }

  @Test(arguments: ["fts5(a)", "fts4(a)", "rtree(a, b, c)"])
  func `is ended while virtual tables hold internal statements`(_ module: String) throws {
    let db = try memory(
      "CREATE VIRTUAL TABLE v USING \(unsafe: module); INSERT INTO v (a) VALUES (1)")
    #expect(try db.rows("SELECT * FROM v").count == 1)
    var statement: Statement? = try db.prepare("SELECT a FROM v")
    let error = #expect(throws: SQLiteError.self) { try db.close() }
    #expect(error?.sql == "SELECT a FROM v")
    #expect(try statement?.step() == true)
    statement = nil
    try db.close()
  }

  @Test(.needs(.preupdateHook)) func `is not ended by its callbacks`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY)") { $0.statementCacheCapacity = 0 }
    var refusals: [String: SQLiteError.Code] = [:]
    func close(in place: String) {
      do throws(SQLiteError) { try db.close() } catch { refusals[place] = error.code }
    }
    let recorder = Recorder()
    try db.hooks.add(recorder)
    try db.hooks.authorize { _ in
      close(in: "authorizer")
      return .allow
    }
    try db.hooks.profile { _ in close(in: "profile") }
    try db.hooks.trace([.statements, .close]) { close(in: $0 == .close ? "end" : "trace") }
    recorder.onWillCommit = { close(in: "commit") }
    try db.register("f", argumentCount: 0) { _ in
      close(in: "function")
      return 1
    }
    try db.transaction { try db.run("INSERT INTO t VALUES (f())") }
    recorder.onWillCommit = {}
    let changeset = try recorded(
      "INSERT INTO t VALUES (1)", schema: "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try db.apply(
      changeset,
      tables: { _ in
        close(in: "tables")
        return true
      },
      onConflict: { _ in
        close(in: "conflict")
        return .omit
      })
    #expect(try db.rows("SELECT id FROM t") == [[1]])
    try db.close()
    let places = [
      "authorizer", "profile", "trace", "end", "commit", "function", "tables", "conflict",
    ]
    #expect(refusals == Dictionary(uniqueKeysWithValues: places.map { ($0, .busy) }))
  }

  @Test func `ends with its observers, even if they retain the connection`() throws {
    weak var kept: Connection?
    do {
      let db = try memory()
      kept = db
      try db.hooks.profile { _ in _ = db.isInTransaction }
      try db.hooks.progress { !db.isInTransaction }
      let subscription = try db.hooks.authorize { _ in db.isInTransaction ? .deny : .allow }
      try db.close()
      db.hooks.remove(subscription)
    }
    #expect(kept == nil)
  }

  @Test(.needs(.preupdateHook)) func `can be exceeded by its statements`() throws {
    var db: Connection? = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let statement = try #require(try db?.prepare("SELECT a FROM t"))
    let recorder = Recorder()
    try db?.hooks.add(recorder)
    try db?.execute("BEGIN; INSERT INTO t VALUES (3)")
    #expect(try statement.step())
    db = nil
    #expect(try statement.step())
    #expect(try statement.row.read(Int.self, at: 0) == 2)
  }

  @Test(.needs(.preupdateHook)) func `ends with a rollback of an open transaction`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    let recorder = Recorder()
    try db.hooks.add(recorder)
    try db.execute("BEGIN; INSERT INTO t VALUES (1)")
    try db.close()
    #expect(recorder.events.last == "didRollback")
    #expect(try directory.connect().value(Int.self, "SELECT count(*) FROM t") == 0)
  }

  @Test func `leaves no write-ahead log after the last connection closes`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    try db.close()
    let again = try directory.connect { $0.isReadOnly = true }
    #expect(try again.rows("SELECT * FROM t") == [])
  }

  @Test func `begins only with a database file`() throws {
    let directory = try TemporaryDirectory()
    try writeGarbage(to: directory.file())
    for isReadOnly in [true, false] {
      let error = #expect(throws: SQLiteError.self) {
        try directory.connect { $0.isReadOnly = isReadOnly }
      }
      #expect(error?.code == .notADatabase)
      #expect(error?.message.hasPrefix("opening \(directory.file()): ") == true)
    }
  }

  @Test func `begins only with an existing file if it is read-only`() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: SQLiteError.self) { try directory.connect { $0.isReadOnly = true } }
    #expect(error?.code == .cannotOpen)
  }

  @Test func `does not interpret URIs`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("odd?mode=memory%20é'\"")
    try Connection(path: path).execute("CREATE TABLE t (a)")
    #expect(try Connection(path: path).tables().map(\.name) == ["t"])
  }

  @Test func `can use a temporary file`() throws {
    let db = try Connection(path: "")
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 1)
  }

  @Test func `begins with the configuration's preparation`() throws {
    let db = try memory { configuration in
      configuration.prepare = { connection in
        try connection.register("seven", argumentCount: 0) { _ in 7 }
      }
    }
    #expect(try db.value(Int.self, "SELECT seven()") == 7)
    #expect(throws: Failure()) { try memory { $0.prepare = { _ in throw Failure() } } }
  }

  @Test func `interrupts running statements, but not later ones`() throws {
    let db = try memory()
    let handle = db.interruptHandle
    handle.interrupt()
    #expect(try db.value(Int.self, "SELECT 1") == 1)
    let isRunning = Shared(false)
    try db.register("running", argumentCount: 0) { _ in
      isRunning.update { $0 = true }
      return 1
    }
    // A dedicated thread, since waiting tests can occupy all cooperative threads.
    Thread.detachNewThread {
      while !isRunning.value { Thread.sleep(forTimeInterval: 0.001) }
      Thread.sleep(forTimeInterval: 0.005)
      handle.interrupt()
    }
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "\(unsafe: endlessQuery) WHERE running()")
    }
    #expect(error?.code == .interrupt)
    #expect(try db.value(Int.self, "SELECT 1") == 1)
  }
}
