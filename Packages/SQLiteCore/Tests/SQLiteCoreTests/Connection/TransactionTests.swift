import SQLiteCore
import Testing

@Suite struct `A transaction` {
  private func table() throws -> Connection { try memory("CREATE TABLE t (a)") }

  @Test(arguments: Connection.TransactionKind.allCases)
  func `is committed when its body returns`(_ kind: Connection.TransactionKind) throws {
    let db = try table()
    let result = try db.transaction(kind) {
      #expect(db.isInTransaction)
      try db.run("INSERT INTO t VALUES (1)")
      return 7
    }
    #expect(result == 7)
    #expect(!db.isInTransaction)
    #expect(try db.count("t") == 1)
  }

  @Test(arguments: Connection.TransactionKind.allCases)
  func `is rolled back when its body throws`(_ kind: Connection.TransactionKind) throws {
    let db = try table()
    #expect(throws: Failure()) {
      try db.transaction(kind) {
        try db.run("INSERT INTO t VALUES (1)")
        throw Failure()
      }
    }
    #expect(!db.isInTransaction)
    #expect(try db.count("t") == 0)
  }

  @Test func `inside another is a savepoint`() throws {
    let db = try table()
    try db.transaction {
      try db.run("INSERT INTO t VALUES (1)")
      try db.transaction { try db.run("INSERT INTO t VALUES (2)") }
      #expect(throws: Failure()) {
        try db.transaction {
          try db.run("INSERT INTO t VALUES (3)")
          try db.savepoint { try db.run("INSERT INTO t VALUES (4)") }
          throw Failure()
        }
      }
      #expect(db.isInTransaction)
      try db.savepoint { try db.run("INSERT INTO t VALUES (5)") }
    }
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1, 2, 5])
  }

  @Test func `of a savepoint without a transaction is a transaction`() throws {
    let db = try table()
    try db.savepoint { try db.run("INSERT INTO t VALUES (1)") }
    #expect(throws: Failure()) {
      try db.savepoint {
        try db.run("INSERT INTO t VALUES (2)")
        throw Failure()
      }
    }
    #expect(!db.isInTransaction)
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1])
  }

  @Test func `can be nested a hundred levels deep, and rolled back partially`() throws {
    let db = try table()
    func nest(_ depth: Int) throws {
      try db.run("INSERT INTO t VALUES (?)", depth)
      if depth == 100 { throw Failure() }
      if depth == 50 {
        try? db.savepoint { try nest(depth + 1) }
      } else {
        try db.savepoint { try nest(depth + 1) }
      }
    }
    try db.transaction { try nest(1) }
    #expect(try db.count("t") == 50)
    #expect(!db.isInTransaction)
  }

  @Test func `begun by a script counts as one`() throws {
    let db = try table()
    try db.execute("BEGIN; INSERT INTO t VALUES (1)")
    #expect(throws: Failure()) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (2)")
        throw Failure()
      }
    }
    #expect(db.isInTransaction)
    try db.execute("COMMIT")
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1])
  }

  @Test func `is rolled back if its commit fails, with the cause`() throws {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      """)
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction { try db.run("INSERT INTO c VALUES (9)") }
    }
    #expect(error?.code == .constraintForeignKey)
    #expect(!db.isInTransaction)
    #expect(try db.count("c") == 0)
    try db.transaction {
      try db.run("INSERT INTO c VALUES (9)")
      try db.run("INSERT INTO p VALUES (9)")
    }
    #expect(try db.count("c") == 1)
  }

  @Test(arguments: [
    "INSERT OR ROLLBACK INTO u VALUES (1)", "INSERT INTO guarded VALUES (1)",
  ])
  func `that SQLite rolls back throws SQLite's error`(_ sql: String) throws {
    let db = try memory(
      """
      CREATE TABLE u (a UNIQUE); INSERT INTO u VALUES (1); CREATE TABLE guarded (a);
      CREATE TRIGGER g BEFORE INSERT ON guarded BEGIN SELECT raise(ROLLBACK, 'no'); END;
      """)
    for isNested in [false, true] {
      let error = #expect(throws: SQLiteError.self) {
        try db.transaction {
          try db.run("INSERT INTO u VALUES (2)")
          if isNested {
            try db.savepoint { try db.run(SQL(unsafe: sql)) }
          } else {
            try db.run(SQL(unsafe: sql))
          }
        }
      }
      #expect(error?.code.primary == .constraint)
      #expect(error?.sql == sql)
      #expect(!db.isInTransaction)
      #expect(try db.values(Int.self, "SELECT a FROM u") == [1])
    }
  }

  @Test func `that SQLite rolled back runs no more statements`() throws {
    let db = try memory("CREATE TABLE u (a UNIQUE); INSERT INTO u VALUES (1)")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        _ = try? db.run("INSERT OR ROLLBACK INTO u VALUES (1)")
        try db.run("INSERT INTO u VALUES (2)")
      }
    }
    #expect(error?.code == .transactionEnded)
    #expect(try db.values(Int.self, "SELECT a FROM u") == [1])
    try db.run("INSERT INTO u VALUES (3)")
    #expect(try db.count("u") == 2)
  }

  @Test func `that fills the disk is rolled back, and throws the error`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA max_page_count = 10")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        for _ in 0..<100 { try db.run("INSERT INTO t VALUES (zeroblob(4000))") }
      }
    }
    #expect(error?.code == .full)
    #expect(!db.isInTransaction)
    #expect(try db.count("t") == 1)
    try db.run("INSERT INTO t VALUES (2)")
  }

  @Test(arguments: ["COMMIT", "END", "ROLLBACK", "COMMIT; BEGIN", "ROLLBACK; BEGIN"])
  func `can't be ended by a statement inside it`(_ script: String) throws {
    let db = try table()
    for isNested in [false, true] {
      let error = #expect(throws: SQLiteError.self) {
        try db.transaction {
          try db.run("INSERT INTO t VALUES (1)")
          if isNested {
            try db.savepoint { try db.execute(SQL(unsafe: script)) }
          } else {
            try db.execute(SQL(unsafe: script))
          }
        }
      }
      #expect(error?.code == .transactionEnded)
      #expect(!db.isInTransaction)
      #expect(try db.count("t") == 0)
    }
    try db.transaction { try db.run("INSERT INTO t VALUES (1)") }
    #expect(try db.count("t") == 1)
  }

  @Test(arguments: ["RELEASE Outer", "ROLLBACK TO outer", "RELEASE holt_1", "RELEASE nowhere"])
  func `can't end a savepoint that was opened outside it`(_ script: String) throws {
    let db = try table()
    // The savepoint began the transaction.
    try db.execute("SAVEPOINT \"outer\"; INSERT INTO t VALUES (1)")
    let inOuter = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (2)")
        try db.execute(SQL(unsafe: script))
      }
    }
    #expect(inOuter?.code == .transactionEnded)
    #expect(db.isInTransaction)
    try db.execute("RELEASE \"outer\"")
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1])
    let inCall = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.execute("SAVEPOINT \"outer\"; INSERT INTO t VALUES (3)")
        try db.savepoint { try db.execute(SQL(unsafe: script)) }
      }
    }
    #expect(inCall?.code == .transactionEnded)
    #expect(!db.isInTransaction)
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1])
  }

  @Test func `can contain savepoints in raw SQL`() throws {
    let db = try table()
    try db.transaction {
      try db.execute("SAVEPOINT a; INSERT INTO t VALUES (1); ROLLBACK TO a; RELEASE a")
      try db.execute("SAVEPOINT b; INSERT INTO t VALUES (2)")
      try db.savepoint {
        try db.execute("SAVEPOINT b; SAVEPOINT c; INSERT INTO t VALUES (3); ROLLBACK TO B")
        try db.execute("RELEASE b")
      }
      try db.execute("ROLLBACK TO b; INSERT INTO t VALUES (2)")
    }
    #expect(!db.isInTransaction)
    #expect(try db.values(Int.self, "SELECT a FROM t") == [2])
  }

  @Test func `can't be begun inside a statement that another connection's lock fails`() throws {
    let directory = try TemporaryDirectory()
    let (a, b) = (try directory.connect(), try directory.connect { $0.busyTimeout = .zero })
    try a.execute("CREATE TABLE t (a)")
    try a.transaction {
      let error = #expect(throws: SQLiteError.self) { try b.transaction {} }
      #expect(error?.code == .busy)
      #expect(!b.isInTransaction)
    }
    try b.transaction { try b.run("INSERT INTO t VALUES (1)") }
  }

  @Test func `that is deferred and can't upgrade to a write is busy and ends`() throws {
    let directory = try TemporaryDirectory()
    let (a, b) = (try directory.connect(), try directory.connect())
    try a.execute("CREATE TABLE t (a)")
    let error = #expect(throws: SQLiteError.self) {
      try b.transaction(.deferred) {
        #expect(try b.count("t") == 0)
        try a.run("INSERT INTO t VALUES (1)")
        try b.run("INSERT INTO t VALUES (2)")
      }
    }
    #expect(error?.code == .busySnapshot)
    #expect(!b.isInTransaction)
    #expect(try b.count("t") == 1)
  }
}
