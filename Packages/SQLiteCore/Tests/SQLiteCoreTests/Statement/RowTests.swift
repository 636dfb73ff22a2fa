import SQLiteCore
import Testing

@Suite struct `Rows` {
  @Test func `can be read only while there is a current row`() throws {
    let db = try memory()
    let statement = try db.prepare("SELECT 1 AS a")
    func code() -> SQLiteError.Code? {
      do {
        _ = try statement.row.read(Int.self, at: 0)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code() == .noRow)
    #expect(try statement.step())
    #expect(code() == nil)
    #expect(try !statement.step())
    #expect(code() == .noRow)
    #expect(try statement.step())
    statement.reset()
    #expect(code() == .noRow)
    #expect(statement.row[0] == .null)
    #expect(statement.row["a"] == nil)
  }

  @Test(arguments: [-1, 2, Int.max, Int.min])
  func `have no column with a negative or too large index`(_ number: Int) throws {
    let db = try memory()
    let index = ColumnIndex(number)
    try db.forEach("SELECT 1, 2") { row throws in
      for code in [
        errorCode { _ = try row.read(Int.self, at: index) },
        errorCode { _ = try row.isNull(at: index) },
        errorCode { _ = try row.storageClass(at: index) },
        errorCode { _ = try row.read(SQLiteValue.self, at: index) },
        errorCode { _ = try row.read(Int?.self, at: index) },
      ] {
        #expect(code == .unknownColumn)
      }
      #expect(row[index] == .null)
    }
  }

  @Test(arguments: [-1, 1, Int.max])
  func `report missing columns in errors`(_ number: Int) throws {
    try memory().forEach("SELECT 1 AS a") { row in
      #expect(row.unexpectedNull("x", at: ColumnIndex(number)).column?.name == "\(number)")
    }
  }

  @Test func `are read by name, first by the exact name and then in any case`() throws {
    let db = try memory()
    try db.forEach("SELECT 1 AS a, 2 AS A, 3 AS b, 4 AS b") { row throws in
      #expect(try row.read(Int.self, named: "a") == 1)
      #expect(try row.read(Int.self, named: "A") == 2)
      #expect(try row.read(Int.self, named: "B") == 3)
      #expect(row["b"] == 3)
      #expect(row["c"] == nil)
      #expect(errorCode { _ = try row.read(Int.self, named: "c") } == .unknownColumn)
    }
  }

  @Test func `return all their values`() throws {
    let db = try memory()
    try db.forEach("SELECT 1 AS i, 2.5 AS r, 't' AS t, x'00' AS b, NULL AS n") { row throws in
      #expect(row.columnCount == 5)
      #expect(row.columnNames == ["i", "r", "t", "b", "n"])
      #expect(try row.values == [1, 2.5, "t", .blob([0]), nil])
      let classes = try (0..<5).map { try row.storageClass(at: ColumnIndex($0)) }
      #expect(classes == [.integer, .real, .text, .blob, .null])
    }
  }

  @Test func `are decoded by their type`() throws {
    let db = try memory("CREATE TABLE p (id INTEGER PRIMARY KEY, name)")
    try db.run("INSERT INTO p VALUES (1, 'a'), (2, NULL)")
    let all = try db.fetchAll(Pair.self, "SELECT id, name FROM p WHERE id > ? ORDER BY id", 0)
    #expect(all == [Pair(id: 1, name: "a"), Pair(id: 2, name: nil)])
    #expect(try db.fetchOne(Pair.self, "SELECT id, name FROM p WHERE id = ?", 2) == all[1])
    #expect(try db.fetchOne(Pair.self, "SELECT id, name FROM p WHERE id = ?", 3) == nil)
    #expect(throws: SQLiteError.self) { try db.fetchAll(Pair.self, "SELECT id FROM p") }
  }

  @Test func `return their first column as one value or as many`() throws {
    let db = try memory()
    let sql = "SELECT column1 FROM (VALUES (1), (2), (NULL)) WHERE column1 IS NOT ?"
    #expect(try db.values(Int?.self, SQL(unsafe: sql), 1) == [2, nil])
    #expect(throws: SQLiteError.self) { try db.values(Int.self, SQL(unsafe: sql), 1) }
    #expect(try db.value(Int.self, SQL(unsafe: sql), 1) == 2)
    #expect(try db.value(Int.self, "SELECT 1 WHERE 0") == nil)
    #expect(try db.value(Int?.self, "SELECT NULL") == .some(nil))
  }

  private func errorCode(_ body: () throws -> Void) -> SQLiteError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SQLiteError)?.code
    }
  }

  struct Pair: RowDecodable, Equatable {
    let id: Int
    let name: String?

    init(id: Int, name: String?) { (self.id, self.name) = (id, name) }

    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
    }
  }
}

@Suite struct `Running a statement` {
  @Test func `counts the rows that the statement itself changed`() throws {
    let db = try memory(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      CREATE TABLE log (v);
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1), (2); END;
      """)
    let changes = try db.run("INSERT INTO t (v) VALUES (1), (2)")
    #expect(changes.count == 2)
    #expect(changes.lastInsertedRowID == 2)
    #expect(try db.run("UPDATE t SET v = 3 WHERE id = 1").count == 1)
    #expect(try db.run("UPDATE t SET v = 3 WHERE id = 9").count == 0)
    #expect(try db.run("SELECT 1").count == 0)
    #expect(try db.run("CREATE TABLE u (a)").count == 0)
    #expect(try db.run("DELETE FROM t").count == 2)
    #expect(db.lastInsertedRowID == 2)
    #expect(db.totalChangeCount == 9)
  }

  @Test func `that fails halfway leaves no row`() throws {
    let db = try memory("CREATE TABLE t (v CHECK (v < 3))")
    #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1), (2), (3)") }
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 0)
  }

  @Test func `with RETURNING writes all rows even if only one is read`() throws {
    let db = try memory("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let sql = "INSERT INTO t VALUES (1), (2), (3) RETURNING id"
    #expect(try db.value(Int.self, SQL(unsafe: sql)) == 1)
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 3)
    #expect(!db.isInTransaction)
  }

  @Test func `with RETURNING reports a commit that fails after the first row`() throws {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
      """)
    let error = #expect(throws: SQLiteError.self) {
      try db.value(Int.self, "INSERT INTO c VALUES (9) RETURNING p")
    }
    #expect(error?.code == .constraintForeignKey)
    #expect(try db.value(Int.self, "SELECT count(*) FROM c") == 0)
    #expect(throws: SQLiteError.self) {
      try db.fetchOne(`Rows`.Pair.self, "INSERT INTO c VALUES (9) RETURNING p, 'a'")
    }
  }

  @Test func `stops when the body throws`() throws {
    let db = try memory()
    var seen = 0
    #expect(throws: Failure()) {
      try db.forEach("SELECT 1 UNION ALL SELECT 2") { _ in
        seen += 1
        throw Failure()
      }
    }
    #expect(seen == 1)
    #expect(!db.isInTransaction)
  }

  @Test func `restarts it after its end`() throws {
    let db = try memory("CREATE TABLE t (v)")
    let statement = try db.prepare("INSERT INTO t VALUES (1)")
    try statement.run()
    try statement.run()
    #expect(try !statement.step())
    #expect(try db.value(Int.self, "SELECT count(*) FROM t") == 3)
  }

  @Test func `executes a script in order, and stops at the first error`() throws {
    let db = try memory("CREATE TABLE t (v); INSERT INTO t VALUES (1); SELECT * FROM t;; -- end")
    #expect(throws: SQLiteError.self) {
      try db.execute("INSERT INTO t VALUES (2); INSERT INTO nope VALUES (1); DELETE FROM t")
    }
    #expect(try db.values(Int.self, "SELECT v FROM t") == [1, 2])
    for empty in ["", " ", "-- c", "/* c */", ";"] { try db.execute(SQL(unsafe: empty)) }
  }

  @Test func `executes triggers with semicolons in their bodies`() throws {
    let db = try memory(
      """
      CREATE TABLE t (v); CREATE TABLE log (v);
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN
        INSERT INTO log VALUES ('a;b'); INSERT INTO log VALUES (new.v);
      END;
      INSERT INTO t VALUES (7);
      """)
    #expect(try db.rows("SELECT v FROM log") == [["a;b"], [7]])
  }

  @Test func `executes a script four times as long in about four times the time`() throws {
    let line = "INSERT INTO t VALUES ('0123456789012345678901234567890123456789é');\n"
    func time(_ count: Int) throws -> Duration {
      let script = String(repeating: line, count: count)
      let db = try memory("CREATE TABLE t (v)")
      let time = try ContinuousClock().measure {
        try db.transaction { try db.execute(SQL(unsafe: script)) }
      }
      #expect(try db.value(Int.self, "SELECT count(*) FROM t") == count)
      return time
    }
    // If the script were scanned from the beginning for each statement, it would take sixteen times
    // as long. One of three tries must succeed, because other processes may use the processor.
    let ratios = try (0..<3).map { _ in try time(20_000) / time(5_000) }
    #expect(ratios.contains { $0 < 9 }, "\(ratios)")
  }
}
