import SQLiteCore
import Testing

@Suite struct `Writable virtual tables` {
  private func store() throws -> (Connection, Store) {
    let db = try memory()
    let store = Store()
    try db.register(module: store, as: "store")
    try db.execute("CREATE VIRTUAL TABLE t USING store")
    return (db, store)
  }

  private func filled() throws -> (Connection, Store) {
    let (db, store) = try store()
    try db.run("INSERT INTO t VALUES ('one', 1), ('two', 2.5), ('three', x'03')")
    return (db, store)
  }

  private let content: [[SQLiteValue]] = [
    [1, "one", 1], [2, "two", 2.5], [3, "three", .blob([3])],
  ]

  private func rows(_ db: Connection) throws -> [[SQLiteValue]] {
    try db.rows("SELECT rowid, * FROM t")
  }

  @Test func `insert rows, and choose their rowids`() throws {
    let (db, store) = try filled()
    #expect(try rows(db) == content)
    #expect(db.lastInsertedRowID == 3)
    #expect(db.totalChangeCount == 3)
    try db.run("INSERT INTO t (rowid, key, value) VALUES (40, 'forty', 'x')")
    #expect(store.tables["t"]?[40] == Store.Entry(key: "forty", value: "x"))
    #expect(db.lastInsertedRowID == 40)
  }

  @Test func `change rows, also their rowids`() throws {
    let (db, _) = try filled()
    try db.run("UPDATE t SET value = value || '!' WHERE key = 'two'")
    try db.run("UPDATE t SET rowid = 10 WHERE rowid = 1")
    try db.run("UPDATE t SET rowid = rowid + 100 WHERE rowid = 10")
    #expect(
      try rows(db) == [[2, "two", "2.5!"], [3, "three", .blob([3])], [110, "one", 1]])
  }

  @Test func `delete rows`() throws {
    let (db, _) = try filled()
    try db.run("DELETE FROM t WHERE rowid = 2")
    #expect(try db.values(String.self, "SELECT key FROM t") == ["one", "three"])
    try db.run("DELETE FROM t WHERE value = 1")
    let before = db.totalChangeCount
    try db.run("DELETE FROM t")
    #expect(db.totalChangeCount == before + 1)
    #expect(try db.count("t") == 0)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let sql: SQL
    var code: SQLiteError.Code?
    var message = ""
    let rows: [[SQLiteValue]]
    var testDescription: String { "\(sql)" }
  }

  static let one: [SQLiteValue] = [1, "one", 1]
  static let two: [SQLiteValue] = [2, "two", 2]

  static let cases: [Case] = [
    Case(
      sql: "INSERT INTO t VALUES ('three', 3), ('one', 4)", code: .constraintUnique,
      message: "one is taken", rows: [one, two]),
    Case(
      sql: "INSERT INTO t (rowid, key, value) VALUES (2, 'x', 4)", code: .constraintRowID,
      message: "row 2 is taken", rows: [one, two]),
    Case(
      sql: "INSERT INTO t VALUES ('x', NULL)", code: .constraintNotNull,
      message: "x has no value", rows: [one, two]),
    Case(
      sql: "UPDATE t SET key = 'one' WHERE rowid = 2", code: .constraintUnique,
      message: "one is taken", rows: [one, two]),
    Case(
      sql: "INSERT INTO t VALUES (5, 5)", code: .mismatch, message: "a key is a text",
      rows: [one, two]),
    Case(
      sql: "INSERT OR IGNORE INTO t VALUES ('three', 3), ('one', 4), ('four', 4)",
      rows: [one, two, [3, "three", 3], [4, "four", 4]]),
    Case(
      sql: "INSERT OR FAIL INTO t VALUES ('three', 3), ('one', 4), ('four', 4)",
      code: .constraintUnique, message: "one is taken", rows: [one, two, [3, "three", 3]]),
    Case(sql: "REPLACE INTO t VALUES ('one', 9)", rows: [two, [3, "one", 9]]),
    Case(
      sql: "REPLACE INTO t (rowid, key, value) VALUES (1, 'two', 9)", rows: [[1, "two", 9]]),
    Case(sql: "UPDATE OR REPLACE t SET key = 'one' WHERE rowid = 2", rows: [[2, "one", 2]]),
    Case(sql: "UPDATE OR IGNORE t SET key = 'one'", rows: [one, two]),
    Case(
      sql: "UPDATE t SET rowid = 'x' WHERE rowid = 1", code: .mismatch,
      message: "a rowid must be an INTEGER, not TEXT", rows: [one, two]),
    Case(
      sql: "UPDATE t SET rowid = NULL WHERE rowid = 1", code: .mismatch,
      message: "a rowid must be an INTEGER, not NULL", rows: [one, two]),
  ]

  @Test(arguments: cases) func `follow the statement's conflict resolution`(_ expected: Case)
    throws
  {
    let (db, _) = try store()
    try db.run("INSERT INTO t VALUES ('one', 1), ('two', 2)")
    do throws(SQLiteError) {
      try db.run(expected.sql)
      #expect(expected.code == nil)
    } catch {
      #expect(error.code == expected.code)
      #expect(error.message == expected.message)
    }
    #expect(try rows(db) == expected.rows)
  }

  @Test func `roll the transaction back if the statement specifies ROLLBACK`() throws {
    let (db, _) = try filled()
    try db.execute("BEGIN; DELETE FROM t")
    #expect(throws: SQLiteError.self) {
      try db.run("INSERT OR ROLLBACK INTO t VALUES ('a', 1), ('a', 2)")
    }
    #expect(!db.isInTransaction)
    #expect(try rows(db) == content)
  }

  @Test func `take part in transactions and savepoints`() throws {
    let (db, _) = try filled()
    try? db.transaction {
      try db.run("DELETE FROM t WHERE key = 'one'")
      #expect(try db.count("t") == 2)
      try? db.savepoint {
        try db.run("DELETE FROM t")
        #expect(try db.count("t") == 0)
        throw Failure()
      }
      #expect(try db.count("t") == 2)
      throw Failure()
    }
    #expect(try rows(db) == content)
    try db.transaction { try db.run("DELETE FROM t WHERE key = 'one'") }
    #expect(try db.count("t") == 2)
  }

  @Test func `undo a statement that fails halfway`() throws {
    let (db, _) = try filled()
    #expect(throws: SQLiteError.self) {
      try db.run("UPDATE t SET key = 'same', value = rowid WHERE rowid >= 2")
    }
    #expect(try rows(db) == content)
  }

  @Test func `can't be written on a read-only connection`() async throws {
    let directory = try TemporaryDirectory()
    let store = Store(kind: .eponymous)
    try directory.connect().execute("CREATE TABLE plain (a)")
    let db = try directory.connect { $0.isReadOnly = true }
    try db.register(module: store, as: "store")
    let error = #expect(throws: SQLiteError.self) {
      try db.run("INSERT INTO store VALUES ('a', 1)")
    }
    #expect(error?.code == .readOnly)
    #expect(store.tables.isEmpty)
    #expect(try db.rows("SELECT * FROM store") == [])
    let database = try directory.open { configuration in
      configuration.prepare = { try $0.register(module: Store(kind: .eponymous), as: "store") }
    }
    await #expect(throws: SQLiteError.self) {
      try await database.read { try $0.run("INSERT INTO store VALUES ('a', 1)") }
    }
    try await database.write { try $0.run("INSERT INTO store VALUES ('a', 1)") }
  }

  @Test func `that are read-only reject a write when it is compiled`() throws {
    let db = try memory()
    try db.register(module: Series(), as: "series")
    for sql: SQL in [
      "INSERT INTO series VALUES (1)", "UPDATE series SET value = 1", "DELETE FROM series",
    ] {
      let error = #expect(throws: SQLiteError.self) { _ = try db.prepare(sql) }
      #expect(error?.message == "table series may not be modified")
    }
  }

  @Test func `may be denied by an authorizer`() throws {
    let (db, store) = try filled()
    try db.hooks.authorize { $0.action == 18 && $0.first == "t" ? .deny : .allow }
    let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES ('x', 1)") }
    #expect(error?.code == .authorization)
    #expect(store.tables["t"]?.count == 3)
  }

  @Test(.needs(.preupdateHook))
  func `are reported to observers as statements and commits, not as rows`() throws {
    let (db, _) = try store()
    let recorder = Recorder()
    try db.hooks.add(recorder)
    let insert = try db.prepare("INSERT INTO t VALUES ('x', 1)")
    #expect(insert.access.writes["t"]?.inserts == true)
    try db.run("INSERT INTO t VALUES ('a', 1)")
    #expect(recorder.take() == ["willCommit", "didCommit"])
    try? db.transaction {
      try db.run("INSERT INTO t VALUES ('b', 1)")
      throw Failure()
    }
    #expect(recorder.take() == ["didRollback"])
    recorder.veto = Failure()
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES ('c', 1)") }
    #expect(try rows(db) == [[1, "a", 1]])
  }

  @Test func `return the rows of RETURNING`() throws {
    let (db, _) = try store()
    #expect(
      try db.rows("INSERT INTO t VALUES ('a', 1), ('b', 2) RETURNING key, value")
        == [["a", 1], ["b", 2]])
  }
}
