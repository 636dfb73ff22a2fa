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
