import Foundation
import SQLiteCore
import Testing

@Suite struct `An integrity check` {
  @Test func `finds no problem in a valid database`() throws {
    let db = try memory("CREATE TABLE t (a UNIQUE, b); INSERT INTO t VALUES (1, 2), (3, 4)")
    try db.attach(.memory, as: "other")
    #expect(try db.integrityCheck() == [])
    #expect(try db.quickCheck() == [])
    #expect(try db.integrityCheck(in: "other") == [])
    #expect(try db.integrityCheck(table: "t") == [])
    #expect(try db.quickCheck(table: "t") == [])
  }

  @Test func `reports each problem, up to a maximum`() throws {
    let db = try memory("CREATE TABLE t (a CHECK (a > 0)); CREATE TABLE \"u'\" (a)")
    try db.execute("PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (-1), (-2), (-3)")
    try db.execute("PRAGMA ignore_check_constraints = OFF")
    #expect(try db.integrityCheck().count == 3)
    #expect(try db.integrityCheck(maximumErrors: 2).count == 2)
    #expect(try db.integrityCheck(table: "t").count == 3)
    #expect(try db.integrityCheck(table: "u'") == [])
    #expect(try db.quickCheck(maximumErrors: 1).first?.contains("CHECK") == true)
  }

  @Test func `reports an index with missing rows`() throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect { $0.isDefensive = false }
    try db.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2), (3, 4)")
    try db.execute("CREATE INDEX i ON t (a); CREATE INDEX j ON t (b) WHERE b > 10")
    try db.setOption(.writableSchema, on: true)
    try db.run("UPDATE sqlite_master SET sql = replace(sql, '> 10', '> 1') WHERE name = 'j'")
    try db.close()
    let again = try directory.connect()
    let problems = try again.integrityCheck()
    #expect(problems.contains { $0.contains("missing from index j") })
    #expect(try again.quickCheck().contains { $0.contains("index j") } == false)
    try again.reindex("j")
    #expect(try again.integrityCheck() == [])
  }

  @Test func `refuses unknown tables and databases, and a closed connection`() throws {
    let db = try memory()
    let table = #expect(throws: SQLiteError.self) { try db.integrityCheck(table: "nope") }
    #expect(table?.code == .error)
    let schema = #expect(throws: SQLiteError.self) { try db.quickCheck(in: "nope") }
    #expect(schema?.code == .unknownSchema)
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.integrityCheck() }
    #expect(error?.code == .closed)
  }
}

@Suite struct `Foreign key violations` {
  @Test func `are reported with the row, the table and the key`() throws {
    let db = try memory(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, x, y, UNIQUE (x, y));
      CREATE TABLE c (p REFERENCES p, x, y, FOREIGN KEY (x, y) REFERENCES p (x, y));
      CREATE TABLE w (id PRIMARY KEY, p REFERENCES p) WITHOUT ROWID;
      PRAGMA foreign_keys = OFF;
      INSERT INTO p VALUES (1, 1, 1);
      INSERT INTO c VALUES (1, 1, 1), (2, 1, 1), (1, 7, 7);
      INSERT INTO w VALUES ('a', 9);
      """)
    let violations = try db.foreignKeyViolations()
    #expect(violations.count == 3)
    let single = try #require(violations.first { $0.rowID == 2 })
    #expect(single.table == "c")
    #expect(single.parentTable == "p")
    #expect(single.foreignKey?.columns == ["p"])
    let double = try #require(violations.first { $0.rowID == 3 })
    #expect(double.foreignKey?.columns == ["x", "y"])
    let keyless = try #require(violations.first { $0.table == "w" })
    #expect(keyless.rowID == nil)
    #expect(try db.foreignKeyViolations(of: "w") == [keyless])
    #expect(throws: SQLiteError.self) { try db.checkForeignKeys() }
  }

  @Test func `are empty for a valid database, and refused for unknown tables and databases`()
    throws
  {
    let db = try memory("CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p)")
    #expect(try db.foreignKeyViolations() == [])
    let table = #expect(throws: SQLiteError.self) { try db.foreignKeyViolations(of: "nope") }
    #expect(table?.code == .error)
    let schema = #expect(throws: SQLiteError.self) { try db.foreignKeyViolations(in: "nope") }
    #expect(schema?.code == .unknownSchema)
    try db.close()
    let error = #expect(throws: SQLiteError.self) { try db.foreignKeyViolations() }
    #expect(error?.code == .closed)
  }
}
