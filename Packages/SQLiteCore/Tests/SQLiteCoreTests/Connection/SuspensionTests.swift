import Foundation
import SQLiteCore
import Testing

@Suite struct `A suspended connection` {
  @Test func `starts no statement, acquires no lock, and works again after it is resumed`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    db.suspend()
    #expect(db.isSuspended)
    for attempt in [
      { _ = try db.count("t") }, { try db.run("INSERT INTO t VALUES (2)") },
      { try db.transaction { _ = Issue.record("a transaction began") } },
      { try db.savepoint { _ = Issue.record("a savepoint began") } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code.primary == .interrupt)
    }
    let other = try directory.connect { $0.busyPolicy = .failImmediately }
    try other.execute("BEGIN EXCLUSIVE; ROLLBACK")
    db.resume()
    db.resume()
    #expect(!db.isSuspended)
    #expect(try db.count("t") == 1)
  }

  @Test func `rolls back its transaction`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    try db.execute("CREATE TABLE t (a)")
    let handle = db.interruptHandle
    let error = #expect(throws: SQLiteError.self) {
      try db.transaction {
        try db.run("INSERT INTO t VALUES (1)")
        handle.suspend()
      }
    }
    #expect(error?.code == .interrupt)
    #expect(!db.isInTransaction)
    #expect(handle.isSuspended)
    handle.resume()
    #expect(try db.count("t") == 0)
  }

  @Test func `interrupts running statements`() throws {
    let isRunning = Shared(false)
    let db = try memory()
    try db.register("running", argumentCount: 0) { _ in
      isRunning.update { $0 = true }
      return 1
    }
    let handle = db.interruptHandle
    // A dedicated thread, since waiting tests can occupy all cooperative threads.
    Thread.detachNewThread {
      while !isRunning.value { Thread.sleep(forTimeInterval: 0.001) }
      handle.suspend()
    }
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "\(unsafe: endlessQuery) WHERE running()")
    }
    #expect(error?.code == .interrupt)
    try db.close()
    handle.suspend()
    handle.resume()
    db.suspend()
  }
}
