import SQLiteCore
import Testing

@Suite struct `An interrupted transaction` {
  /// A statement that has not ended keeps SQLite's interruption active for all later statements.
  @Test func `is rolled back while a statement has not ended`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let statement = try db.prepare("SELECT a FROM t")
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (3)")
        #expect(try statement.step())
        db.interrupt()
        try db.run("INSERT INTO t VALUES (4)")
      }
    }
    #expect(error?.code == .interrupt)
    #expect(!db.isInTransaction)
    #expect(try db.count("t") == 2)
    let ended = #expect(throws: SQLiteError.self) { try statement.step() }
    #expect(ended?.code.primary == .abort || ended?.code == .interrupt)
    #expect(try statement.step())
  }

  @Test func `rolls back its savepoint while a statement has not ended`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let statement = try db.prepare("SELECT a FROM t")
    try db.transaction {
      #expect(throws: SQLiteError.self) {
        try db.savepoint {
          try db.run("INSERT INTO t VALUES (3)")
          #expect(try statement.step())
          db.interrupt()
          try db.run("INSERT INTO t VALUES (4)")
        }
      }
      try db.run("INSERT INTO t VALUES (5)")
    }
    #expect(!db.isInTransaction)
    #expect(try db.values(Int.self, "SELECT a FROM t ORDER BY a") == [1, 2, 5])
  }

  /// A database with a function that fails in a savepoint after the connection is interrupted.
  private func databaseWithFunction() throws -> Connection {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    try db.register("f", argumentCount: 0) { [unowned db] _ in
      try db.savepoint {
        try db.run("INSERT INTO t VALUES (3)")
        db.interrupt()
        try db.run("INSERT INTO t VALUES (4)")
      }
      return 1
    }
    return db
  }

  @Test func `that a function began is rolled back when the function's statement ends`() throws {
    let db = try databaseWithFunction()
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT f() FROM t") }
    #expect(error?.code == .interrupt)
    #expect(!db.isInTransaction)
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1, 2])
  }

  @Test func `is rolled back completely if a function's savepoint could not be`() throws {
    let db = try databaseWithFunction()
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (5)")
        _ = try? db.rows("SELECT f() FROM t")
      }
    }
    #expect(error?.code == .transactionEnded)
    #expect(!db.isInTransaction)
    #expect(try db.values(Int.self, "SELECT a FROM t") == [1, 2])
  }

  @Test func `of a database leaves the connection usable`() async throws {
    let database = try Database.inMemory()
    try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)") }
    #expect(throws: SQLiteError.self) {
      var kept: Statement?
      defer { kept = nil }
      try database.read { db in
        kept = try db.prepare("SELECT a FROM t")
        #expect(try kept?.step() == true)
        db.interrupt()
        _ = try db.count("t")
      }
      _ = kept
    }
    try await database.write { try $0.run("INSERT INTO t VALUES (3)") }
    #expect(try await database.read { try $0.count("t") } == 3)
  }
}
