import Foundation
import SQLiteCore
import Testing

@Suite struct `The state of a transaction` {
  @Test func `is none, reading or writing, for each database separately`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a); ATTACH ':memory:' AS other; CREATE TABLE other.u (a)")
    #expect(try db.transactionState() == .none)
    try db.transaction(.deferred) {
      #expect(db.isInTransaction)
      #expect(try db.transactionState() == .none)
      _ = try db.count("t")
      #expect(try db.transactionState() == .read)
      #expect(try db.transactionState(of: "main") == .read)
      #expect(try db.transactionState(of: "other") == .none)
      try db.run("INSERT INTO other.u VALUES (1)")
      #expect(try db.transactionState(of: "main") == .read)
      #expect(try db.transactionState(of: "OTHER") == .write)
      #expect(try db.transactionState() == .write)
    }
    try db.transaction(.immediate) { () throws in
      #expect(try db.transactionState(of: "main") == .write)
    }
    #expect(try db.transactionState() == .none)
    #expect(Connection.TransactionState.none < .read && .read < .write)
  }

  @Test func `includes a statement that has not ended`() throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    let statement = try db.prepare("SELECT a FROM t")
    #expect(try statement.step())
    #expect(!db.isInTransaction)
    #expect(try db.transactionState() == .read)
    statement.reset()
    #expect(try db.transactionState() == .none)
  }

  @Test func `requires an existing database`() throws {
    let db = try memory()
    #expect(try db.transactionState(of: "temp") == .none)
    let missing = #expect(throws: SQLiteError.self) { try db.transactionState(of: "nothing") }
    #expect(missing?.code == .unknownSchema)
    try db.close()
    for schema in [nil, "main"] {
      let closed = #expect(throws: SQLiteError.self) { try db.transactionState(of: schema) }
      #expect(closed?.code == .closed)
    }
  }
}

@Suite struct `Changed pages` {
  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `are written before the commit on request`(
    _ mode: Configuration.JournalMode
  ) throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.journalMode = mode }
    try db.execute("CREATE TABLE t (a)")
    let file = directory.file() + (mode == .wal ? "-wal" : "")
    func size() throws -> Int {
      try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    }
    let before = try size()
    #expect(throws: Failure()) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (zeroblob(500000))")
        #expect(try size() == before)
        try db.flushCache()
        #expect(try size() > before + 400_000)
        try db.releaseMemory()
        #expect(try db.count("t") == 1)
        throw Failure()
      }
    }
    #expect(try db.count("t") == 0)
    try db.flushCache()
    try db.close()
    let closed = #expect(throws: SQLiteError.self) { try db.flushCache() }
    #expect(closed?.code == .closed)
  }
}
