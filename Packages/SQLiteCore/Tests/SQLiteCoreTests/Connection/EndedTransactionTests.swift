import SQLiteCore
import Testing

/// SQLite rolls a transaction back if it can't continue: the disk is full, a read fails, or a
/// savepoint can't be rolled back. `OR ROLLBACK` has the same effect.
@Suite struct `A transaction that SQLite has rolled back` {
  @Test func `commits no later part separately`() throws {
    let db = try memory("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    for part in [
      { try db.savepoint { try db.execute("INSERT INTO t VALUES (3)") } },
      { try db.transaction { try db.execute("INSERT INTO t VALUES (3)") } },
      { try db.run("INSERT INTO t VALUES (3)") },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) {
        try db.transaction {
          try db.run("INSERT INTO t VALUES (2)")
          _ = try? db.run("INSERT OR ROLLBACK INTO t VALUES (1)")
          #expect(!db.isInTransaction)
          try part()
        }
      }
      #expect(error?.code == .transactionEnded)
      #expect(try db.values(Int.self, "SELECT a FROM t") == [1])
    }
    try db.transaction { try db.run("INSERT INTO t VALUES (2)") }
    #expect(try db.count("t") == 2)
  }

  @Test func `can be a database's`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    try await database.write {
      try $0.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    }
    let error = await #expect(throws: SQLiteError.self) {
      try await database.write { db in
        _ = try? db.run("INSERT OR ROLLBACK INTO t VALUES (1)")
        try db.savepoint { try db.run("INSERT INTO t VALUES (2)") }
      }
    }
    #expect(error?.code == .transactionEnded)
    #expect(try await database.read { try $0.count("t") } == 1)
  }
}
