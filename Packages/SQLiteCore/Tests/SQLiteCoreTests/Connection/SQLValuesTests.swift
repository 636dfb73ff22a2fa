import SQLiteCore
import Testing

@Suite struct `Values of SQL` {
  private func database() throws -> Connection {
    try memory(
      """
      CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, team INTEGER);
      INSERT INTO player VALUES (1, 'Ada', 10), (2, 'Grace', 10), (3, 'Alan', 20);
      """)
  }

  // MARK: Attached values

  struct Attached: CustomTestStringConvertible {
    let sql: SQL
    let text: String
    let ids: [Int]
    var testDescription: String { sql.text }
  }

  static let team = 10
  static let attached = [
    Attached(sql: SQL("id > ?", values: [1]), text: "id > ?", ids: [2, 3]),
    Attached(
      sql: SQL("id > ?1 AND id < ?1 + 2", values: [1]), text: "id > ? AND id < ? + 2", ids: [2]),
    Attached(
      sql: SQL("id > ?2 AND team = ?1", values: [10, 1]), text: "id > ? AND team = ?", ids: [2]),
    Attached(
      sql: SQL("id = ?2 OR id = ?", values: [9, 1, 3]), text: "id = ? OR id = ?", ids: [1, 3]),
    Attached(
      sql: SQL("id = :a OR id = :a + 1", values: [1]), text: "id = ? OR id = ? + 1", ids: [1, 2]),
    Attached(
      sql: SQL("team = \(team) AND id > ?", values: [1]), text: "team = ? AND id > ?", ids: [2]),
    Attached(
      sql: SQL("id > ? AND team = \(team)", values: [1]), text: "id > ? AND team = ?", ids: [2]),
    Attached(
      sql: SQL("id IN array_each(?)", values: [SQLiteArray([1, 3])]), text: "id IN array_each(?)",
      ids: [1, 3]),
    Attached(
      sql: SQL("id > :least AND name <> @name", named: ["least": 1, "@name": "Alan"]),
      text: "id > ? AND name <> ?", ids: [2]),
    Attached(
      sql: SQL("'?:a' <> ':a' /* ? */ AND id = $a -- :b", named: ["a": 3]),
      text: "'?:a' <> ':a' /* ? */ AND id = ? -- :b", ids: [3]),
  ]

  @Test(arguments: attached.indices)
  func `are bound at any place of the fragment`(_ index: Int) throws {
    let (db, expected) = (try database(), Self.attached[index])
    #expect(expected.sql.text == expected.text)
    let before = 100
    let query: SQL = "SELECT id FROM player WHERE id < \(before) AND (\(sql: expected.sql)\n) AND ?"
    #expect(try db.values(Int.self, query, true) == expected.ids)
    #expect(try db.values(Int.self, query, values: [true]) == expected.ids)
    let (text, values) = try expected.sql.resolved()
    #expect(text == expected.sql.text)
    #expect(values.count == expected.sql.values.count)
  }

  @Test func `can be interpolated together with arguments of the call`() throws {
    let db = try database()
    let name = "Grace"
    #expect(
      try db.values(
        Int.self, "SELECT id FROM player WHERE id > ? AND name = \(name) AND team = ?", 1, 10) == [
          2
        ])
    #expect(try db.run("UPDATE player SET name = \(name) WHERE id = ?", 1).count == 1)
    let statement = try db.prepare("SELECT \(name), \(7)")
    #expect(try statement.step())
    #expect(try statement.row.values == ["Grace", 7])
    try db.execute(
      "DELETE FROM player WHERE id = ?; DELETE FROM player WHERE name = \(name) AND id = ?",
      values: [1, 2])
    #expect(try db.values(Int.self, "SELECT id FROM player") == [3])
  }

  struct Mismatch: CustomTestStringConvertible {
    let sql: SQL
    let code: SQLiteError.Code
    var testDescription: String { sql.text }
  }

  static let mismatches = [
    Mismatch(sql: SQL("SELECT ?", values: []), code: .parameterCount),
    Mismatch(sql: SQL("SELECT ?", values: [1, 2]), code: .parameterCount),
    Mismatch(sql: SQL("SELECT 1", values: [1]), code: .parameterCount),
    Mismatch(sql: SQL("SELECT ?3", values: [1, 2]), code: .parameterCount),
    Mismatch(sql: SQL("SELECT ?0", values: [1]), code: .unknownParameter),
    Mismatch(sql: SQL("SELECT ?99999999999999999999", values: [1]), code: .unknownParameter),
    Mismatch(sql: SQL("SELECT :a, :b", named: ["a": 1]), code: .parameterCount),
    Mismatch(sql: SQL("SELECT :a", named: ["b": 1]), code: .unknownParameter),
    Mismatch(sql: SQL("SELECT :a, :b", named: ["a": 1, ":a": 2]), code: .parameterCount),
    Mismatch(sql: "SELECT ?, \(1)", code: .parameterCount),
    Mismatch(sql: "SELECT '\(sql: SQL("?", values: [1]))'", code: .misplacedInterpolation),
    Mismatch(sql: "SELECT \(sql: SQL("?", values: []))", code: .parameterCount),
  ]

  @Test(arguments: mismatches.indices)
  func `that do not match the parameters are an error, and no statement runs`(_ index: Int) throws {
    let expected = Self.mismatches[index]
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.rows(expected.sql) }
    #expect(error?.code == expected.code)
    #expect(error?.sql != nil)
    #expect(throws: SQLiteError.self) { try db.run(expected.sql) }
    #expect(throws: SQLiteError.self) { try db.execute(expected.sql) }
  }

  // MARK: Injection

  static let attacks = [
    "'; DROP TABLE player; --", "\" OR 1=1 --", "1; DELETE FROM player", "') OR ('1'='1", "x' --",
    "/*", "*/ DROP TABLE player", "\\'; DROP TABLE player; --", "%27 OR 1=1",
    "]; DROP TABLE player --",
    "`; DROP TABLE player; --", "?", ":name", "@name", "$name", "?1", "\u{2019} OR 1=1",
    "\u{0} DROP",
    "NULL", "1 UNION SELECT name FROM sqlite_master", "", " ", "\n--", "e\u{301}'", "''",
    "array_each(?)", "\u{FEFF}'; --", "-- \n; ATTACH ':memory:' AS a",
  ]

  @Test(arguments: attacks) func `never change the tokens of a statement`(_ attack: String) throws {
    let db = try database()
    let query: SQL = "SELECT id FROM player WHERE name = \(attack) OR team IN \([attack])"
    #expect(query.text == "SELECT id FROM player WHERE name = ? OR team IN array_each(?)")
    #expect(try db.values(Int.self, query) == [])
    try db.run("UPDATE player SET name = \(attack) WHERE id = \(1)")
    #expect(try db.value(String.self, "SELECT name FROM player WHERE name = \(attack)") == attack)
    #expect(try db.count("player") == 3)
    // As a name, the text is a single name or an error.
    if !attack.utf8.contains(0) {
      try db.execute("CREATE TABLE \(identifier: attack) (\(identifier: "c\(attack)"))")
      try db.run("INSERT INTO \(identifier: attack) VALUES (\(attack))")
      let rows = try db.rows("SELECT \(identifier: "c\(attack)") FROM \(table: TableName(attack))")
      #expect(rows == [[.text(attack)]])
    }
    #expect(try db.count("player") == 3)
  }

  // MARK: The statement cache

  @Test func `of literals are cached by the literal and by the text`() throws {
    let db = try database()
    func first() throws -> Int? { try db.value(Int.self, "SELECT count(*) FROM player") }
    func second() throws -> Int? {
      try db.value(Int.self, SQL(unsafe: "SELECT count(*) FROM player"))
    }
    let before = db.statementCacheStatistics
    for _ in 0..<3 { #expect(try (first(), second()) == (3, 3)) }
    #expect(db.statementCacheStatistics.misses == before.misses + 1)
    #expect(db.statementCacheStatistics.hits == before.hits + 5)
  }

  @Test func `of a literal are compiled again after eviction from the cache`() throws {
    let db = try memory("CREATE TABLE t (a)") { $0.statementCacheCapacity = 2 }
    func literal() throws -> Int? { try db.value(Int.self, "SELECT count(*) FROM t WHERE a = 1") }
    for round in 0..<3 {
      #expect(try literal() == round)
      for number in 0..<5 { _ = try db.rows(SQL(unsafe: "SELECT a, \(number) FROM t")) }
      try db.run("INSERT INTO t VALUES (1)")
    }
  }
}
