import SQLiteCore
import Testing

@Suite struct `Errors of modules` {
  struct Case: CustomTestStringConvertible, Sendable {
    let callback: Probe.Callback
    let sql: SQL
    var kind = VirtualTable.ModuleKind.eponymousOnly
    var script: SQL = ""
    var testDescription: String { callback.rawValue }
  }

  static let cases: [Case] = [
    Case(callback: .create, sql: "CREATE VIRTUAL TABLE t USING probe", kind: .created),
    Case(callback: .connect, sql: "SELECT a FROM probe"),
    Case(
      callback: .destroy, sql: "DROP TABLE t", kind: .created,
      script: "CREATE VIRTUAL TABLE t USING probe"),
    Case(callback: .bestIndex, sql: "SELECT a FROM probe"),
    Case(callback: .open, sql: "SELECT a FROM probe"),
    Case(callback: .filter, sql: "SELECT a FROM probe"),
    Case(callback: .next, sql: "SELECT a FROM probe"),
    Case(callback: .column, sql: "SELECT a FROM probe"),
    Case(callback: .rowID, sql: "SELECT rowid FROM probe"),
    Case(callback: .insert, sql: "INSERT INTO probe VALUES (1, 2)"),
    Case(callback: .update, sql: "UPDATE probe SET a = 1"),
    Case(callback: .delete, sql: "DELETE FROM probe"),
    Case(callback: .begin, sql: "INSERT INTO probe VALUES (1, 2)"),
    Case(callback: .sync, sql: "INSERT INTO probe VALUES (1, 2)"),
    Case(
      callback: .savepoint, sql: "SAVEPOINT one",
      script: "BEGIN; INSERT INTO probe VALUES (1, 2)"),
    Case(
      callback: .release, sql: "RELEASE one",
      script: "BEGIN; SAVEPOINT one; INSERT INTO probe VALUES (1, 2)"),
    Case(
      callback: .rollbackToSavepoint, sql: "ROLLBACK TO one",
      script: "BEGIN; SAVEPOINT one; INSERT INTO probe VALUES (1, 2)"),
  ]

  @Test func `are tested for each callback`() {
    #expect(Set(Self.cases.map(\.callback)) == Set(Probe.Callback.allCases))
  }

  static let failures: [(any Error & Sendable, SQLiteError.Code, String)] = [
    (Failure(name: "my own reason"), .error, "my own reason"),
    (SQLiteError(code: .valueOutOfRange, message: "too large"), .valueOutOfRange, "too large"),
    (SQLiteError(code: .constraintCheck, message: "a check"), .constraintCheck, "a check"),
    (SQLiteError(code: .unsupported, message: "not built in"), .unsupported, "not built in"),
    // Codes that would mislead SQLite.
    (SQLiteError(code: .schema, message: "of another schema"), .error, "of another schema"),
    (SQLiteError(code: .init(rawValue: 0), message: "no error"), .error, "no error"),
    (SQLiteError(code: .init(rawValue: 101), message: "done"), .error, "done"),
  ]

  @Test(arguments: cases)
  func `fail the statement with the thrown error, and leave the connection usable`(_ given: Case)
    throws
  {
    for (failure, code, message) in Self.failures {
      let probe = Probe()
      probe.kind = given.kind
      let (db, _) = try probed(given.script, probe)
      var calls = 0
      probe.onCall = { callback in
        guard callback == given.callback else { return }
        calls += 1
        throw failure
      }
      let error = #expect(throws: SQLiteError.self) { try db.execute(given.sql) }
      #expect(error?.message == message)
      // A column is returned like a function's result, whose errors have SQLite's codes.
      #expect(error?.code == (given.callback == .column && code == .unsupported ? .error : code))
      #expect(calls >= 1 && calls < 5)
      probe.onCall = { _ in }
      if db.isInTransaction { try db.execute("ROLLBACK") }
      #expect(try db.value(Int.self, "SELECT 1") == 1)
      if given.kind == .eponymousOnly {
        #expect(try db.values(Int.self, "SELECT a FROM probe") == [1, 2, 3])
      }
      // The failure does not affect a later error.
      let later = #expect(throws: SQLiteError.self) { try db.execute("SELECT nowhere") }
      #expect(later?.message == "no such column: nowhere")
    }
  }

  @Test func `of a table that can't be destroyed preserve the table`() throws {
    let probe = Probe()
    probe.kind = .created
    let (db, _) = try probed("CREATE VIRTUAL TABLE t USING probe", probe)
    probe.onCall = { if $0 == .destroy { throw Failure() } }
    #expect(throws: SQLiteError.self) { try db.execute("DROP TABLE t") }
    #expect(try db.rows("SELECT a FROM t").count == 3)
    probe.onCall = { _ in }
    try db.execute("DROP TABLE t")
    #expect(throws: SQLiteError.self) { try db.rows("SELECT a FROM t") }
  }

  @Test(
    arguments: [
      ([], "the virtual table has no columns"),
      (["a", "A"], "duplicate column name: A"),
      (["a\0b"], "the name contains a NUL character"),
    ])
  func `describe what is wrong with the columns`(_ columns: [String], _ message: String) throws {
    let (db, probe) = try probed()
    probe.columns = columns.map { VirtualTable.Column($0) }
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT * FROM probe") }
    #expect(error?.message == message)
    probe.columns = [VirtualTable.Column("a")]
    #expect(try db.rows("SELECT * FROM probe") == [[1], [2], [3]])
  }

  @Test func `refuse names that no module may have`() throws {
    let db = try memory()
    for name in ["array_each", "ARRAY_EACH", "a\0b"] {
      let refused = [
        #expect(throws: SQLiteError.self) { try db.register(module: Series(), as: name) },
        #expect(throws: SQLiteError.self) { try db.unregister(module: name) },
      ]
      #expect(refused.allSatisfy { $0?.code == .misuse })
    }
  }

  @Test func `refuse to close the connection, or to register, in a callback`() throws {
    let (db, probe) = try probed()
    var codes: Set<SQLiteError.Code> = []
    var calls: Set<Probe.Callback> = []
    probe.onCall = { [weak db] callback in
      calls.insert(callback)
      do throws(SQLiteError) { try db?.close() } catch { codes.insert(error.code) }
      do throws(SQLiteError) {
        try db?.register(module: Series(), as: "probe")
      } catch { codes.insert(error.code) }
    }
    #expect(try db.rows("SELECT a, rowid FROM probe").count == 3)
    #expect(calls == [.connect, .bestIndex, .open, .filter, .next, .column, .rowID])
    #expect(codes == [.busy])
  }
}
