import CSQLite
import Testing

@testable import SQLiteCore

@Suite struct `SQLite's own handle` {
  @Test func `belongs to the connection`() throws {
    let directory = try TemporaryDirectory()
    let connection = try directory.connect()
    let name = try unsafe connection.withUnsafeHandle { handle in
      unsafe String(cString: sqlite3_db_filename(handle, "main"))
    }
    #expect(name.hasSuffix(directory.file()))
  }

  @Test(.needs(.preupdateHook)) func `runs statements that observers see`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let log = EventLog()
    try db.hooks.add(log)
    try unsafe db.withUnsafeHandle { handle in
      #expect(unsafe sqlite3_exec(handle, "INSERT INTO t VALUES (1), (2)", nil, nil, nil) == 0)
      #expect(log.commits == 0, "observers are notified after the body")
    }
    #expect(log.rows == 2)
    #expect(log.commits == 1)
    #expect(try db.count("t") == 2)
  }

  @Test func `sees uncommitted changes of the connection`() throws {
    let db = try memory("CREATE TABLE t (a)")
    try db.transaction {
      try db.run("INSERT INTO t VALUES (1)")
      try unsafe db.withUnsafeHandle { handle in
        #expect(unsafe sqlite3_get_autocommit(handle) == 0)
        #expect(unsafe sqlite3_total_changes(handle) == 1)
      }
    }
  }

  @Test func `rethrows the body's error`() throws {
    struct Failure: Error {}
    let db = try memory()
    #expect(throws: Failure.self) {
      try unsafe db.withUnsafeHandle { _ in throw Failure() }
    }
    #expect(try db.value(Int.self, "SELECT 1") == 1)
  }

  @Test func `is an error if the connection is closed`() throws {
    let db = try memory()
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try unsafe db.withUnsafeHandle { _ in } }
    #expect(error?.code == .closed)
  }

  @Test func `changes no setting of a pooled reader's later reads`() async throws {
    let directory = try TemporaryDirectory()
    let database = try directory.open()
    defer { database.close() }
    try await database.write { try $0.execute("CREATE TABLE t (a)") }
    for _ in 1...3 {
      try await database.read { db in
        #expect(try db.value(Int.self, "PRAGMA reverse_unordered_selects") == 0)
        try unsafe db.withUnsafeHandle { handle in
          _ = unsafe sqlite3_exec(handle, "PRAGMA reverse_unordered_selects = 1", nil, nil, nil)
        }
      }
    }
  }
}

private final class EventLog: TransactionObserver {
  var rows = 0
  var commits = 0
  func willChange(_ change: borrowing Hooks.RowChange) { rows += 1 }
  func didCommit() { commits += 1 }
}
