import Foundation
import SQLiteCore
import Testing

/// A second connection or another process changes the schema after statements were compiled.
@Suite struct `A changed schema` {
  private static func pair(
    _ mode: Configuration.JournalMode = .wal
  ) throws -> (mine: Connection, other: Connection, TemporaryDirectory) {
    let directory = try TemporaryDirectory()
    let mine = try directory.connect { configuration in
      configuration.journalMode = mode
      configuration.busyTimeout = .milliseconds(5)
    }
    let other = try directory.connect { configuration in
      configuration.journalMode = mode
      configuration.busyTimeout = .milliseconds(5)
    }
    try mine.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES ('a1', 'b1'), ('a2', 'b2')")
    return (mine, other, directory)
  }

  static let reorder =
    """
    BEGIN; CREATE TABLE n (b, new, a); INSERT INTO n SELECT b, 'n', a FROM t; DROP TABLE t;
    ALTER TABLE n RENAME TO t; COMMIT
    """

  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `matches each name to its column, however rows are read`(
    _ mode: Configuration.JournalMode
  ) throws {
    let (mine, other, directory) = try Self.pair(mode)
    let statement = try mine.prepare("SELECT * FROM t ORDER BY a")
    #expect(statement.columnNames == ["a", "b"])
    #expect(try mine.rows("SELECT * FROM t WHERE a = 'a1'") == [["a1", "b1"]])
    try other.execute(SQL(unsafe: Self.reorder))
    #expect(try statement.step())
    #expect(statement.columnNames == ["b", "new", "a"])
    #expect(try statement.row.read(String.self, named: "a") == "a1")
    #expect(try statement.row.read(String.self, named: "b") == "b1")
    #expect(try statement.row.values == ["b1", "n", "a1"])
    statement.reset()
    #expect(try mine.rows("SELECT * FROM t WHERE a = 'a1'") == [["b1", "n", "a1"]])
    try mine.forEach("SELECT * FROM t WHERE a = 'a1'") { row throws in
      #expect(row["a"] == "a1")
      #expect(row.columnNames == ["b", "new", "a"])
      let error = #expect(throws: SQLiteError.self) { try row.read(Int.self, at: 2) }
      #expect(error?.column == .init(name: "a", table: "t", origin: "a"))
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `is an error that names the missing object and the statement`() throws {
    let (mine, other, directory) = try Self.pair()
    let select = try mine.prepare("SELECT a, b FROM t")
    let insert = try mine.prepare("INSERT INTO t (a, b) VALUES (?, ?)")
    try select.run()
    try other.execute("ALTER TABLE t DROP COLUMN b")
    try insert.bindAll("x", "y")
    for (statement, message) in [(select, "b"), (insert, "b")] {
      let error = #expect(throws: SQLiteError.self) { try statement.run() }
      #expect(error?.code.primary == .error)
      #expect(error?.message.contains("column") == true)
      #expect(error?.message.contains(message) == true)
      #expect(error?.sql == statement.sql)
    }
    try other.execute("DROP TABLE t")
    for statement in [select, insert] {
      let error = #expect(throws: SQLiteError.self) { try statement.run() }
      #expect(error?.message.contains("no such table: t") == true)
      #expect(error?.sql == statement.sql)
    }
    // The table exists again, so the statements can be used again.
    try other.execute("CREATE TABLE t (b, a); INSERT INTO t VALUES ('b', 'a')")
    #expect(try select.step())
    #expect(try select.row.values == ["a", "b"])
    withExtendedLifetime(directory) {}
  }

  @Test(arguments: [Configuration.JournalMode.wal, .delete])
  func `does not affect rows that are being read`(_ mode: Configuration.JournalMode) throws {
    let (mine, other, directory) = try Self.pair(mode)
    let statement = try mine.prepare("SELECT * FROM t ORDER BY a")
    #expect(try statement.step())
    if mode == .wal {
      try other.execute(SQL(unsafe: Self.reorder))
    } else {
      // Without a write-ahead log, readers and writers exclude each other.
      let error = #expect(throws: SQLiteError.self) { try other.execute(SQL(unsafe: Self.reorder)) }
      #expect(error?.code.primary == .busy)
      try other.execute("ROLLBACK")
    }
    #expect(try statement.row.read(String.self, named: "b") == "b1")
    #expect(try statement.step())
    #expect(try statement.row.read(String.self, named: "b") == "b2")
    #expect(statement.columnNames == ["a", "b"])
    #expect(try !statement.step())
    if mode == .wal {
      #expect(try statement.step())
      #expect(statement.columnNames == ["b", "new", "a"])
      #expect(try statement.row.read(String.self, named: "b") == "b1")
    }
    withExtendedLifetime(directory) {}
  }

  @Test func `can't drop a table whose rows are being read`() throws {
    let (mine, _, directory) = try Self.pair()
    let statement = try mine.prepare("SELECT * FROM t ORDER BY a")
    #expect(try statement.step())
    let error = #expect(throws: SQLiteError.self) { try mine.execute("DROP TABLE t") }
    #expect(error?.code.primary == .locked)
    try mine.execute("ALTER TABLE t ADD COLUMN c DEFAULT 'c'")
    #expect(try statement.row.read(String.self, named: "b") == "b1")
    #expect(try statement.step())
    #expect(try statement.row.values == ["a2", "b2"])
    withExtendedLifetime(directory) {}
  }

  @Test func `is noticed by a database's readers and writer`() async throws {
    let (mine, _, directory) = try Self.pair()
    let database = try directory.open()
    let read: @Sendable (Connection) throws -> String? = { db in
      var seen: String?
      try db.forEach("SELECT * FROM t WHERE a = 'a1'") { seen = try $0.read(named: "b") }
      return seen
    }
    #expect(try await database.read { try read($0) } == "b1")
    #expect(try await database.write { try read($0) } == "b1")
    try mine.execute(SQL(unsafe: Self.reorder))
    #expect(try await database.read { try read($0) } == "b1")
    #expect(try await database.write { try read($0) } == "b1")
  }

  @Test func `is noticed if another process has changed it`() async throws {
    let (mine, _, directory) = try Self.pair()
    let statement = try mine.prepare("SELECT * FROM t ORDER BY a")
    try statement.run()
    let path = directory.file()
    await #expect(processExitsWith: .success) {
      [path = path as String] in
      try Connection(path: path).execute(SQL(unsafe: `A changed schema`.reorder))
    }
    #expect(try statement.step())
    #expect(try statement.row.read(String.self, named: "b") == "b1")
    #expect(statement.columnNames == ["b", "new", "a"])
  }
}
