import SQLiteCore
import Testing

@Suite struct `A script` {
  @Test func `takes values for each statement in turn`() throws {
    let db = try memory()
    try db.execute(
      """
      CREATE TABLE t (a, b); -- made here, used below
      INSERT INTO t VALUES (?, ?);
      UPDATE t SET a = ?1 + ?1;
      INSERT INTO t VALUES (:x, :y)
      """, values: [1, "one", 21, 2, "two"])
    #expect(try db.rows("SELECT a, b FROM t") == [[42, "one"], [2, "two"]])
    try db.execute("SELECT 1; ; /* nothing */", values: [])
  }

  @Test func `refuses too few values, and too many`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let script = "INSERT INTO t VALUES (?);\n INSERT INTO t VALUES (?)"
    let few = #expect(throws: SQLiteError.self) { try db.execute(SQL(unsafe: script), values: [1]) }
    #expect(few?.code == .parameterCount)
    #expect(few?.sql == script)
    #expect(few?.offset == SQLiteError.ByteOffset(rawValue: 27))
    #expect(try db.count("t") == 1)
    let many = #expect(throws: SQLiteError.self) {
      try db.execute(SQL(unsafe: script), values: [1, 2, 3])
    }
    #expect(many?.code == .parameterCount)
    #expect(try db.count("t") == 3)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) {
      try db.execute(SQL(unsafe: script), values: [1, 2])
    }
    #expect(closed?.code == .closed)
  }

  @Test func `is iterated statement by statement`() throws {
    let db = try memory()
    var texts: [String] = []
    var numbers: [Int] = []
    try db.forEachStatement(
      in: "CREATE TABLE t (a); INSERT INTO t VALUES (?); SELECT a FROM t; DELETE FROM t"
    ) { statement in
      texts.append(statement.sql)
      if statement.parameterCount == 1 { try statement.bindAll([9]) }
      if statement.sql.contains("DELETE") { return }
      while try statement.step() { numbers.append(try statement.row.read(Int.self, at: 0)) }
    }
    #expect(texts.count == 4)
    #expect(numbers == [9])
    #expect(try db.count("t") == 1)
  }

  @Test func `finishes a statement that has remaining rows`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    var kept: Statement?
    try db.forEachStatement(
      in: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2) RETURNING a; SELECT a FROM t"
    ) { statement in
      if try statement.step() { kept = statement }
    }
    #expect(!db.isInTransaction)
    #expect(try directory.connect().count("t") == 2)
    #expect(try kept?.step() == true)
  }

  @Test func `reports the offset of its errors`() throws {
    let db = try memory("CREATE TABLE t (a UNIQUE)")
    let script = "INSERT INTO t VALUES (1);\n  INSERT INTO t VALUES (1); SELECT 1"
    let failing = #expect(throws: SQLiteError.self) {
      try db.forEachStatement(in: SQL(unsafe: script)) { try $0.run() }
    }
    #expect(failing?.code == .constraintUnique)
    #expect(failing?.sql == script)
    #expect(failing?.offset == SQLiteError.ByteOffset(rawValue: 28))
    let broken = "SELECT 1; SELECT nope FROM t"
    let compiled = #expect(throws: SQLiteError.self) {
      try db.forEachStatement(in: SQL(unsafe: broken)) { try $0.run() }
    }
    #expect(compiled?.sql == broken)
    #expect(compiled?.offset == SQLiteError.ByteOffset(rawValue: 17))
    #expect(throws: Failure()) { try db.forEachStatement(in: "SELECT 1") { _ in throw Failure() } }
    let other = #expect(throws: SQLiteError.self) {
      try db.forEachStatement(in: "SELECT 1") { _ in try db.run("SELECT other") }
    }
    #expect(other?.sql == "SELECT other")
    let nul = #expect(throws: SQLiteError.self) { try db.forEachStatement(in: "\0") { _ in } }
    #expect(nul?.code == .error)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) {
      try db.forEachStatement(in: "SELECT 1") { _ in }
    }
    #expect(closed?.code == .closed)
  }

  @Test func `of one statement has no offset for an error if SQLite reports none`() throws {
    let db = try memory("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    for sql in [
      "INSERT INTO t VALUES (1)", " INSERT INTO t VALUES (1) ;\n", "INSERT INTO t VALUES (",
    ] {
      for run: (String) throws -> Void in [
        { try db.execute(SQL(unsafe: $0)) }, { try db.execute(SQL(unsafe: $0), values: []) },
        { try db.forEachStatement(in: SQL(unsafe: $0)) { try $0.run() } },
      ] {
        let error = #expect(throws: SQLiteError.self) { try run(sql) }
        #expect(error?.sql == sql)
        #expect(error?.offset == nil)
      }
    }
  }
}
