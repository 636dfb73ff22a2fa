import SQLiteCore
import Testing

@Suite(.needs(.preupdateHook)) struct `A transaction's outcome` {
  private func observed(_ script: String) throws -> (Connection, Recorder) {
    let db = try memory(SQL(unsafe: script))
    let recorder = Recorder()
    try db.hooks.add(recorder)
    return (db, recorder)
  }

  @Test func `is reported once, as a rollback, if the body throws`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    #expect(throws: Failure()) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(recorder.take() == ["insert t 0→1", "didRollback"])
  }

  @Test func `is a rollback if a foreign key prevents the commit`() throws {
    let (db, recorder) = try observed(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      """)
    #expect(throws: SQLiteError.self) {
      try db.transaction { try db.run("INSERT INTO c VALUES (1)") }
    }
    #expect(recorder.take() == ["insert c 0→1", "didRollback"])
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO c VALUES (1)") }
    #expect(recorder.take() == ["insert c 0→1", "failed", "didRollback"])
  }

  @Test func `of a blob that can't be opened is not reported with the next statement`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a); INSERT INTO t VALUES (x'00')")
    #expect(throws: SQLiteError.self) {
      try db.withBlob(in: "t", column: "a", row: 99, mode: .readWrite) { _ in }
    }
    _ = recorder.take()
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 1)
    #expect(recorder.take() == [])
  }

  @Test func `is reported when a busy commit succeeds, and not before`() throws {
    let directory = try TemporaryDirectory()
    let configure: (inout Configuration) -> Void = {
      $0.journalMode = .delete
      $0.busyTimeout = .zero
    }
    let (db, other) = (try directory.connect(configure), try directory.connect(configure))
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let recorder = Recorder()
    try db.hooks.add(recorder)
    let reading = try other.prepare("SELECT a FROM t")
    #expect(try reading.step())
    try db.execute("BEGIN; INSERT INTO t VALUES (2)")
    let error = #expect(throws: SQLiteError.self) { try db.execute("COMMIT") }
    #expect(error?.code == .busy)
    #expect(!recorder.events.contains("didCommit"))
    #expect(!recorder.events.contains("didRollback"))
    #expect(db.isInTransaction)
    reading.reset()
    try db.execute("COMMIT")
    #expect(recorder.events.filter { $0 == "didCommit" }.count == 1)
    #expect(try other.count("t") == 2)
  }

  @Test func `is a rollback if the commit of a statement or a transaction is busy`() throws {
    let directory = try TemporaryDirectory()
    let configure: (inout Configuration) -> Void = {
      $0.journalMode = .delete
      $0.busyTimeout = .zero
    }
    let (db, other) = (try directory.connect(configure), try directory.connect(configure))
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let recorder = Recorder()
    try db.hooks.add(recorder)
    let reading = try other.prepare("SELECT a FROM t")
    #expect(try reading.step())
    for attempt in [
      { try db.run("INSERT INTO t VALUES (2)") },
      { try db.transaction { try db.run("INSERT INTO t VALUES (2)") } },
    ] {
      #expect(throws: SQLiteError.self) { try attempt() }
      #expect(!db.isInTransaction)
      #expect(!recorder.events.contains("didCommit"))
      #expect(recorder.take().last == "didRollback")
    }
    reading.reset()
    #expect(try db.count("t") == 1)
  }

  @Test(arguments: ["INSERT OR ROLLBACK INTO t VALUES (1)", "INSERT INTO guarded VALUES (1)"])
  func `is a rollback if SQLite rolls back`(_ sql: String) throws {
    let (db, recorder) = try observed(
      """
      CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1); CREATE TABLE guarded (a);
      CREATE TRIGGER g BEFORE INSERT ON guarded BEGIN SELECT raise(ROLLBACK, 'no'); END;
      """)
    #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (2)")
        try db.run(SQL(unsafe: sql))
      }
    }
    #expect(recorder.events.filter { $0 == "didRollback" }.count == 1)
    #expect(!recorder.events.contains("willCommit"))
  }

  @Test func `is also reported for raw SQL`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    try db.execute("BEGIN; INSERT INTO t VALUES (1); COMMIT")
    #expect(recorder.take() == ["insert t 0→1", "willCommit", "didCommit"])
    try db.execute("BEGIN; INSERT INTO t VALUES (1); ROLLBACK")
    #expect(recorder.take() == ["insert t 0→2", "didRollback"])
  }

  @Test func `is reported for a statement that is left at a row`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    do {
      let statement = try db.prepare("INSERT INTO t VALUES (1), (2) RETURNING a")
      #expect(try statement.step())
    }
    #expect(recorder.take().suffix(2) == ["willCommit", "didCommit"])
    #expect(try db.value(Int.self, "INSERT INTO t VALUES (3) RETURNING a") == 3)
    #expect(recorder.take().suffix(2) == ["willCommit", "didCommit"])
    try db.withStatement("INSERT INTO t VALUES (4) RETURNING a") { statement throws in
      #expect(try statement.step())
    }
    #expect(recorder.take().suffix(2) == ["willCommit", "didCommit"])
  }

  @Test func `can be vetoed, with the veto's error`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    recorder.veto = Failure(name: "not today")
    #expect(throws: Failure(name: "not today")) {
      try db.transaction { try db.run("INSERT INTO t VALUES (1)") }
    }
    #expect(recorder.take() == ["insert t 0→1", "willCommit", "didRollback"])
    #expect(!db.isInTransaction)
    recorder.veto = nil
    try db.transaction { try db.run("INSERT INTO t VALUES (2)") }
    #expect(try db.values(Int.self, "SELECT a FROM t") == [2])
  }

  @Test func `can be vetoed by the first of several observers`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    let other = Recorder()
    try db.hooks.add(other)
    recorder.veto = Failure()
    #expect(throws: Failure()) { try db.transaction { try db.run("INSERT INTO t VALUES (1)") } }
    #expect(other.events == ["insert t 0→1", "didRollback"])
  }

  @Test func `of a single statement can be vetoed, with the veto in the message`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    recorder.veto = Failure(name: "not today")
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
    #expect(error?.code == .constraintCommitHook)
    #expect(error?.message == "not today")
    #expect(try db.count("t") == 0)
    // The veto does not affect a later failure.
    #expect(throws: Failure(name: "mine")) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (1)")
        throw Failure(name: "mine")
      }
    }
  }

  @Test func `of a savepoint is reported, however it is created`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    try db.transaction {
      try db.savepoint { try db.run("INSERT INTO t VALUES (1)") }
      try? db.savepoint { throw Failure() }
      try db.execute("SAVEPOINT mine; ROLLBACK TO mine; RELEASE mine")
    }
    #expect(
      recorder.take() == [
        "begin holt", "insert t 0→1", "release holt", "begin holt", "rollback holt",
        "release holt", "begin mine", "rollback mine", "release mine", "willCommit", "didCommit",
      ])
    try db.execute("SAVEPOINT outer; INSERT INTO t VALUES (2); RELEASE outer")
    #expect(recorder.take().suffix(3) == ["willCommit", "release outer", "didCommit"])
  }

  @Test(arguments: [
    "CREATE TABLE u (a)", "DROP TABLE t", "ALTER TABLE t ADD COLUMN b", "CREATE INDEX i ON t (a)",
    "CREATE VIEW v AS SELECT 1", "CREATE TEMP TABLE x (a)", "CREATE VIRTUAL TABLE f USING fts5(b)",
    "ATTACH ':memory:' AS other", "CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END",
  ])
  func `of a schema change is reported`(_ sql: String) throws {
    let (db, recorder) = try observed("CREATE TABLE t (a)")
    try db.run(SQL(unsafe: sql))
    #expect(recorder.events.filter { $0 == "schema" }.count == 1)
    _ = recorder.take()
    try db.run("SELECT 1")
    try db.run("CREATE TABLE IF NOT EXISTS sure (a)")
    _ = recorder.take()
    #expect(throws: SQLiteError.self) { try db.run("CREATE TABLE sure (a)") }
    #expect(!recorder.events.contains("schema"))
  }

  @Test func `of a failed statement is reported`() throws {
    let (db, recorder) = try observed("CREATE TABLE t (a CHECK (a < 3))")
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1), (3)") }
    #expect(recorder.take() == ["insert t 0→1", "failed", "didRollback"])
    #expect(throws: SQLiteError.self) { try db.run("SELECT abs(-9223372036854775808)") }
    #expect(recorder.take() == [])
  }
}
