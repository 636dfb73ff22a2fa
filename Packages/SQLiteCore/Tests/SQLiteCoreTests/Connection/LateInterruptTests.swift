import Testing

@testable import SQLiteCore

/// Whoever asks before a statement whether it may begin can be told yes just before the answer changes.
/// Here the question is not asked at all, as `control` runs what it is given.
@Suite struct `A statement that begins as it is forbidden to` {
  @Test(.timeLimit(.minutes(10)))
  func `is stopped where its access was cancelled, and nothing later is`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let interrupter = db.handle.interrupter
    interrupter.beginAccess(7)
    interrupter.cancel(7)
    let error = #expect(throws: SQLiteError.self) { try db.handle.control(endlessQuery) }
    #expect(error?.code == .interrupt)
    interrupter.endAccess()
    interrupter.cancel(7)
    for _ in 0..<200 { try db.run("INSERT INTO t VALUES (1)") }
    #expect(try db.count("t") == 200)
  }

  @Test(.timeLimit(.minutes(10)))
  func `is stopped where its connection was suspended`() throws {
    let db = try memory()
    db.suspend()
    let error = #expect(throws: SQLiteError.self) { try db.handle.control(endlessQuery) }
    #expect(error?.code == .interrupt)
    db.resume()
    #expect(try db.value(Int.self, "SELECT 1") == 1)
  }
}
