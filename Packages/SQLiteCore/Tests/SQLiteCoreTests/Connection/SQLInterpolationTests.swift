import Foundation
import SQLiteCore
import Testing

@Suite struct `Interpolated SQL` {
  struct Player: RowDecodable, Equatable {
    let id: Int
    let name: String

    init(id: Int, name: String) {
      self.id = id
      self.name = name
    }

    init(row: borrowing Row) throws(SQLiteError) {
      id = try row.read(at: 0)
      name = try row.read(at: 1)
    }
  }

  private func players() throws -> Connection {
    try memory(
      """
      CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, team INTEGER);
      INSERT INTO player VALUES (1, 'Ada', 10), (2, 'Grace', 20), (3, 'Edsger', NULL);
      """)
  }

  @Test(arguments: [
    "Robert'); DROP TABLE player; --", "' OR 1 = 1 --", "a\0b", "?", ":name", "\"", "/*", "é",
  ])
  func `binds any interpolated value`(_ name: String) throws {
    let db = try players()
    try db.run("INSERT INTO player (id, name) VALUES (\(9), \(name))")
    #expect(try db.values(Int.self, "SELECT id FROM player WHERE name = \(name)") == [9])
    #expect(try db.count("player") == 4)
    #expect(try db.value(String.self, "SELECT \(name)") == name)
  }

  @Test func `is accepted by every reading method`() throws {
    let db = try players()
    let ada = Player(id: 1, name: "Ada")
    let id = 1
    #expect(try db.fetchAll(Player.self, "SELECT * FROM player WHERE id = \(id)") == [ada])
    #expect(try db.fetchOne(Player.self, "SELECT * FROM player WHERE id = \(id)") == ada)
    #expect(try db.fetchOne(Player.self, "SELECT * FROM player WHERE id = \(id + 8)") == nil)
    #expect(try db.value(String.self, "SELECT name FROM player WHERE id = \(id)") == "Ada")
    #expect(try db.values(Int.self, "SELECT id FROM player WHERE id > \(id)") == [2, 3])
    #expect(try db.rows("SELECT id FROM player WHERE id < \(id + 1)") == [[1]])
    #expect(try db.run("DELETE FROM player WHERE id = \(id)").count == 1)
    var names: [String] = []
    try db.forEach("SELECT * FROM player WHERE id > \(id) ORDER BY id") { row in
      names.append(try row.read(at: 1))
    }
    #expect(names == ["Grace", "Edsger"])
    let statement = try db.prepare("SELECT name FROM player WHERE id = \(id + 1)")
    #expect(try statement.step())
    #expect(try statement.row.read(String.self, at: 0) == "Grace")
  }

  @Test func `binds values of every type, and nil as NULL`() throws {
    let db = try memory()
    let uuid = UUID()
    let date = Date(timeIntervalSince1970: 1)
    let absent: Int? = nil
    let present: Int? = 4
    let erased: any SQLiteBindable & Sendable = 2.5
    #expect(
      try db.rows(
        """
        SELECT \(1), \("a"), \(uuid), \(date), \(absent), \(present), \(erased),
          \([1, 2] as [UInt8]), \(true), \(SQLiteValue.real(1)), \(date.stored(as: .unixSeconds))
        """) == [
          [
            1, "a", .text(uuid.uuidString), "1970-01-01 00:00:01", .null, 4, 2.5, .blob([1, 2]), 1,
            1.0, 1,
          ]
        ])
  }

  @Test(arguments: [[10, 20], [20], [], [1, 2, 3]])
  func `binds a list as one parameter`(_ teams: [Int]) throws {
    let db = try players()
    let sql: SQL = "SELECT id FROM player WHERE team IN \(teams) AND id < \(9)"
    #expect(sql.text == "SELECT id FROM player WHERE team IN array_each(?) AND id < ?")
    #expect(sql.values.count == 2)
    #expect(
      try db.values(Int.self, sql)
        == [1, 2].filter { teams.contains($0 * 10) })
    #expect(
      try db.values(Int.self, "SELECT value FROM \(SQLiteArray(teams)) ORDER BY rowid")
        == teams)
    let names = ["Ada", nil]
    #expect(try db.values(Int.self, "SELECT id FROM player WHERE name IN \(names)") == [1])
  }

  @Test func `inserts quoted names`() throws {
    let db = try memory(#"CREATE TABLE "or""der" ("group" INTEGER, "a b" INTEGER)"#)
    let table = TableName(#"or"der"#)
    let column = "group"
    try db.run(
      "INSERT INTO \(table: table) (\(identifier: column), \(identifier: "a b")) VALUES (\(1), \(2))"
    )
    #expect(try db.rows("SELECT \(identifier: column) FROM \(table: table)") == [[1]])
    #expect(
      try db.rows(#"SELECT t.\#(identifier: "a b") FROM \#(table: table) AS t"#) == [[2]])
    let attack = #"group" FROM sqlite_master; --"#
    let error = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT \(identifier: attack) FROM \(table: table)")
    }
    #expect(error?.message.contains("no such column") == true)
  }

  @Test func `quotes names by SQL's rules rather than Swift's`() throws {
    let db = try memory("CREATE TABLE t (a)")
    // In Swift, a quote and a following combining accent are one character, which is not a quote.
    let attack = "a\"\u{301} FROM t UNION SELECT sql FROM sqlite_master --"
    let column = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT \(identifier: attack) FROM \(table: "t")")
    }
    #expect(column?.message.contains("no such column") == true)
    let table = #expect(throws: SQLiteError.self) {
      try db.rows("SELECT a FROM \(table: TableName("t\"\u{301} --"))")
    }
    #expect(table?.message.contains("no such table") == true)
    try db.execute("CREATE TABLE \(identifier: "t\"\u{301}") (a)")
    #expect(try db.rows("SELECT a FROM \(table: TableName("t\"\u{301}"))") == [])
  }

  @Test func `is composed of fragments, with their values`() throws {
    let db = try players()
    let ids = [1, 2, 3]
    var query: SQL = "SELECT id FROM player WHERE id IN \(ids)"
    query += "AND id <> \(1)"
    query = query + " ORDER BY id" + SQL(unsafe: "DESC")
    #expect(try db.values(Int.self, query) == [3, 2])
    let team: SQL = "team = \(10)"
    let conditions: [SQL] = [team, "name = \("Grace")"]
    let found: SQL =
      "SELECT id FROM player WHERE (\(sql: conditions.joined(separator: "OR"))) AND \(true)"
    #expect(found.text == "SELECT id FROM player WHERE (team = ? OR name = ?) AND ?")
    #expect(try db.values(Int.self, found) == [1, 2])
    #expect([SQL]().joined(separator: ",").text == "")
    let direction = "DESC"
    #expect(
      try db.values(Int.self, "SELECT id FROM player ORDER BY id \(unsafe: direction)")
        == [3, 2, 1])
  }

  @Test func `compiles once for the same text`() throws {
    let db = try players()
    let before = db.statementCacheStatistics
    for id in 1...5 {
      _ = try db.values(
        String.self, "SELECT name FROM player WHERE id = \(id) OR team IN \([Int](0..<id))")
    }
    #expect(db.statementCacheStatistics.misses == before.misses + 1)
    #expect(db.statementCacheStatistics.hits == before.hits + 4)
  }

  struct Member: Codable, Equatable {
    let id: Int
    let name: String
  }

  @Test func `reads values that are Decodable`() throws {
    let db = try players()
    let ids = [1, 3]
    let sql: SQL = "SELECT id, name FROM player WHERE id IN \(ids) ORDER BY id"
    let plain = try db.fetchAll(
      decoding: Member.self, "SELECT id, name FROM player WHERE id IN (1, 3) ORDER BY id")
    #expect(plain.count == 2)
    #expect(try db.fetchAll(decoding: Member.self, sql) == plain)
    #expect(try db.fetchOne(decoding: Member.self, sql) == plain[0])
    #expect(try db.fetchOne(decoding: Member.self, "\(sql: sql) LIMIT \(0)") == nil)
    var found: [Member] = []
    try db.forEach(decoding: Member.self, sql) { found.append($0) }
    #expect(found == plain)
    #expect(throws: Failure()) {
      try db.forEach(decoding: Member.self, sql) { _ in throw Failure() }
    }
    for attempt in [
      { _ = try db.fetchAll(decoding: Member.self, "SELECT '\(1)'") },
      { _ = try db.fetchOne(decoding: Member.self, "SELECT '\(1)'") },
      { try db.forEach(decoding: Member.self, "SELECT '\(1)'") { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .misplacedInterpolation)
    }
  }

  @Test func `runs scripts, shows plans and writes rows as text`() throws {
    let db = try memory("CREATE TABLE t (a)")
    let (one, list) = (1, [2, 3])
    try db.execute(
      "INSERT INTO t VALUES (\(one)); INSERT INTO t SELECT value FROM \(list); SELECT 1")
    #expect(try db.rows("SELECT a FROM t") == [[1], [2], [3]])
    let sql: SQL = "SELECT a FROM t WHERE a > \(one)"
    #expect(
      try db.text(of: sql, as: .csv) == db.text(of: "SELECT a FROM t WHERE a > 1", as: .csv))
    var text = ""
    try db.write(sql, as: .csv, to: &text)
    #expect(try text == db.text(of: sql, as: .csv))
    #expect(try db.queryPlan(for: sql).details == ["SCAN t"])
    #expect(try !db.bytecode(for: sql).isEmpty)
    let first = try db.withStatement(sql) { statement in
      _ = try statement.step()
      return try statement.row.read(Int.self, at: 0)
    }
    #expect(first == 2)
    for attempt in [
      { try db.execute("DELETE FROM t; SELECT '\(1)'") },
      { _ = try db.text(of: "SELECT '\(1)'", as: .csv) },
      { _ = try db.queryPlan(for: "SELECT '\(1)'") },
      { _ = try db.bytecode(for: "SELECT '\(1)'") },
      { try db.withStatement("SELECT '\(1)'") { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try attempt() }
      #expect(error?.code == .misplacedInterpolation)
    }
    #expect(try db.count("t") == 3)
  }

  static let misplaced: [SQL] = [
    "SELECT '\(1)'", "SELECT 'it''s \(1)'", "SELECT \"\(1)\"", "SELECT `\(1)`", "SELECT [\(1)]",
    "SELECT 1 -- \(1)", "SELECT 1 /* \(1) */", "SELECT 1 /*/ \(1) */", "SELECT '\(["a"])'",
    "SELECT \"\(identifier: "a")\"", "SELECT '\(sql: "x")'", "SELECT \(sql: "'")\(1)'",
    "SELECT \(unsafe: "'")\(1)'", "SELECT '/*' || '\(1)'", "SELECT 1 -\(unsafe: "-") \(1)",
    "SELECT 1 /*\(1)*/", "SELECT 1 /\(unsafe: "*") \(1)*/", "SELECT x'\(1)'", "SELECT $a(\(1))",
  ]

  @Test(arguments: misplaced.indices)
  func `refuses interpolations in quotes and comments`(_ index: Int) throws {
    let db = try memory()
    let sql = Self.misplaced[index]
    let error = #expect(throws: SQLiteError.self, "\(sql)") { try db.rows(sql) }
    #expect(error?.code == .misplacedInterpolation, "\(sql)")
    #expect(error?.code.primary == .error)
    #expect(error?.sql == sql.text)
    #expect(error?.offset != nil)
    #expect(throws: SQLiteError.self) { try db.run(sql) }
    #expect(throws: SQLiteError.self) { try db.prepare(sql) }
    #expect(throws: SQLiteError.self) { try db.forEach(sql) { _ in } }
  }

  static let stray: [SQL] = [
    "SELECT ?1, \(1)", "SELECT :name, \(1)", "SELECT @name, \(1)", "SELECT $name || \("a")",
    "SELECT \(1), \(sql: "?2")", "SELECT \(unsafe: "?9") || \(1)", "SELECT ?, \(1), :b",
  ]

  @Test(arguments: stray.indices)
  func `rejects named and numbered parameters next to interpolated values`(_ index: Int) throws {
    let db = try memory()
    let sql = Self.stray[index]
    let error = #expect(throws: SQLiteError.self, "\(sql)") { try db.rows(sql) }
    #expect(error?.code == .parameterInText, "\(sql)")
    let offset = try #require(error?.offset?.rawValue)
    #expect("?:@$".utf8.contains(Array(sql.text.utf8)[offset]))
  }

  @Test func `ignores quotes and comments`() throws {
    let db = try memory("CREATE TABLE t (\"a?\" INTEGER, [b:c] INTEGER, d$e INTEGER)")
    try db.run("INSERT INTO t VALUES (\(1), \(2), \(3))")
    #expect(
      try db.rows(
        """
        SELECT \(4), '? :a @b $c ''?', "a?", [b:c], d$e -- is it ?
        /* or :this, ' */ FROM t /* ' */ WHERE d$e = \(3) AND '-' || '-' <> \("") -- '
        """) == [[4, "? :a @b $c '?", 1, 2, 3]])
  }

  @Test func `separates an interpolation from adjacent text`() throws {
    let db = try memory()
    let value = 7
    #expect(("SELECT \(value)5" as SQL).text == "SELECT ? 5")
    #expect(("SELECT\(value)" as SQL).text == "SELECT ?")
    #expect(("SELECT (\(value),\(value))" as SQL).text == "SELECT (?,?)")
    #expect(try db.value(Int.self, "SELECT\(value)+\(value)AS x") == 14)
    #expect(try db.value(Int.self, "SELECT 9 -\(sql: "-1")") == 10)
    #expect(try db.value(String.self, "SELECT 'a'\(identifier: "b")") == "a")
    #expect(try db.value(String.self, "SELECT 'a' AS \(identifier: "b")") == "a")
    // The second text is an alias of the first, as if both were separated by a space.
    #expect(try db.rows("SELECT 'a'\(sql: "'b'")") == [["a"]])
  }

  @Test func `shows its text and not its values`() {
    let secret = "secret"
    let sql: SQL = "SELECT \(secret)"
    #expect("\(sql)" == "SELECT ?")
    #expect(String(reflecting: sql).contains("secret") == false)
    var dumped = ""
    dump(sql, to: &dumped)
    #expect(dumped.contains("secret") == false)
  }

  @Test func `reports SQLite's own errors`() throws {
    let db = try memory()
    let error = #expect(throws: SQLiteError.self) { try db.rows("SELECT \(1) FROM nowhere") }
    #expect(error?.message == "no such table: nowhere")
    #expect(error?.sql == "SELECT ? FROM nowhere")
    let value = #expect(throws: SQLiteError.self) { try db.rows("SELECT \(UInt64.max)") }
    #expect(value?.code == .valueOutOfRange)
    try db.close()
    let closed = #expect(throws: SQLiteError.self) { try db.rows("SELECT \(1)") }
    #expect(closed?.code == .closed)
  }
}
