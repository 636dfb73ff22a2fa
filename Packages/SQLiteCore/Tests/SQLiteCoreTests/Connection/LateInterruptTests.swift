import Testing

@testable import SQLiteCore

/// A check before a statement can succeed just before the state changes. Here there is no check, since `control` runs
/// its statement unconditionally.
@Suite struct `A statement that begins during an interruption` {
  @Test(.timeLimit(.minutes(10)))
  func `is interrupted if its access was cancelled, and later ones are not`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let interrupter = db.handle.interrupter
    interrupter.beginAccess(7)
    interrupter.cancel(7)
    let error = #expect(throws: SQLiteError.self) { try db.handle.execute(endlessQuery) }
    #expect(error?.code == .interrupt)
    interrupter.endAccess()
    interrupter.cancel(7)
    for _ in 0..<200 { try db.run("INSERT INTO t VALUES (1)") }
    #expect(try db.count("t") == 200)
  }

  @Test(.timeLimit(.minutes(10))) func `is interrupted if its connection was suspended`() throws {
    let db = try memory()
    db.suspend()
    let error = #expect(throws: SQLiteError.self) { try db.handle.execute(endlessQuery) }
    #expect(error?.code == .interrupt)
    db.resume()
    #expect(try db.value(Int.self, "SELECT 1") == 1)
  }
}

/// A function that runs for a long time has no other way to find out about an interruption.
@Suite struct `A function of an interrupted statement` {
  @Test func `can check for the interruption, which later statements do not have`() throws {
    let db = try memory()
    var found: [Bool] = []
    try db.register("f", argumentCount: 1) { [unowned db] arguments in
      found.append(db.isInterrupted)
      if arguments[0] == 1 { db.interrupt() }
      found.append(db.isInterrupted)
      return 1
    }
    #expect(throws: SQLiteError.self) { try db.rows("SELECT f(0), f(1) FROM (VALUES (1), (2))") }
    #expect(found == [false, false, false, true])
    found = []
    #expect(try db.value(Int.self, "SELECT f(0)") == 1)
    #expect(found == [false, false])
  }

  @Test func `can check whether its access was cancelled or suspended`() throws {
    let db = try memory()
    let interrupter = db.handle.interrupter
    interrupter.beginAccess(7)
    #expect(!db.isInterrupted)
    interrupter.cancel(7)
    #expect(db.isInterrupted)
    interrupter.endAccess()
    db.suspend()
    #expect(db.isInterrupted)
    db.resume()
  }
}
