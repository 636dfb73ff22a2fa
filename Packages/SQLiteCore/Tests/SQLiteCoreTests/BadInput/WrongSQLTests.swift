import SQLiteCore
import Testing

/// A call of a method with SQL.
private struct Call: CustomTestStringConvertible, Sendable {
  let name: String
  let run: @Sendable (Connection, String) throws -> Void
  var testDescription: String { name }

  init(_ name: String, _ run: @escaping @Sendable (Connection, String) throws -> Void) {
    (self.name, self.run) = (name, run)
  }

  struct First: RowDecodable {
    init(row: borrowing Row) throws(SQLiteError) { _ = try row.read(SQLiteValue.self, at: 0) }
  }

  static let all: [Call] = [
    Call("run") { try $0.run(SQL(unsafe: $1)) },
    Call("run values") { try $0.run(SQL(unsafe: $1), values: []) },
    Call("run named") { try $0.run(SQL(SQL(unsafe: $1), named: [:])) },
    Call("rows") { _ = try $0.rows(SQL(unsafe: $1)) },
    Call("value") { _ = try $0.value(SQLiteValue.self, SQL(unsafe: $1)) },
    Call("value list") { _ = try $0.value(SQLiteValue.self, SQL(unsafe: $1), values: []) },
    Call("values") { _ = try $0.values(SQLiteValue.self, SQL(unsafe: $1)) },
    Call("values list") { _ = try $0.values(SQLiteValue.self, SQL(unsafe: $1), values: []) },
    Call("fetchAll") { _ = try $0.fetchAll(First.self, SQL(unsafe: $1)) },
    Call("fetchAll list") { _ = try $0.fetchAll(First.self, SQL(unsafe: $1), values: []) },
    Call("fetchOne") { _ = try $0.fetchOne(First.self, SQL(unsafe: $1)) },
    Call("fetchOne list") { _ = try $0.fetchOne(First.self, SQL(unsafe: $1), values: []) },
    Call("forEach") { try $0.forEach(SQL(unsafe: $1)) { _ in } },
    Call("withStatement") {
      try $0.withStatement(SQL(unsafe: $1)) { statement throws in
        try statement.bindAll([])
        try statement.run()
      }
    },
  ]
}

@Suite struct `A call with invalid SQL` {
  @Test(arguments: Call.all)
  fileprivate func `reports the error and the statement, for every method`(_ call: Call) throws {
    let db = try memory("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    for (sql, code) in [
      ("SELECT a FROM t; DELETE FROM t", .trailingSQL), ("SELECT 1; x", .trailingSQL),
      ("DELETE FROM t; --\nDELETE FROM t", .trailingSQL), ("", .emptyStatement),
      (" -- nothing", .emptyStatement), ("SELECT ?", .parameterCount),
      ("SELECT :a, :b", .parameterCount), ("SELECT a FROM t WHERE a = $x", .parameterCount),
      ("SELECT nope FROM t", .error), ("SELECT 1 FROM", .error), ("SELECT 'open", .error),
      ("SELECT 1\0", .error), ("SELECT \u{fffd}\u{202e}", .error),
    ] as [(String, SQLiteError.Code)] {
      let error = #expect(throws: SQLiteError.self, "\(sql)") { try call.run(db, sql) }
      #expect(error?.code == code, "\(sql)")
      #expect(error?.sql == sql, "\(sql)")
      #expect(error?.message.isEmpty == false)
    }
    #expect(try db.count("t") == 1)
    try call.run(db, "SELECT a FROM t")
  }

  @Test func `reports the number of values, or the unknown name`() throws {
    let db = try memory()
    let count = #expect(throws: SQLiteError.self) { try db.run("SELECT ?1, ?4", 1, 2) }
    #expect(count?.message.contains("4") == true && count?.message.contains("2") == true)
    let name = #expect(throws: SQLiteError.self) {
      try db.run(SQL("SELECT :a, :b", named: ["a": 1, "c": 2]))
    }
    #expect(name?.code == .unknownParameter)
    #expect(name?.message.contains("c") == true)
    #expect(name?.sql == "SELECT :a, :b")
  }

  @Test func `reports the column that the result lacks`() throws {
    let db = try memory("CREATE TABLE t (a, b)")
    try db.run("INSERT INTO t VALUES (1, 2)")
    let sql = "SELECT a, b AS c FROM t"
    for name in ["b", "d", "", "a\0", "á"] {
      let error = #expect(throws: SQLiteError.self) {
        try db.forEach(SQL(unsafe: sql)) { _ = try $0.read(Int.self, named: name) }
      }
      #expect(error?.code == .unknownColumn)
      #expect(error?.message.contains(name) == true)
      #expect(error?.sql == sql)
    }
  }

  struct Huge: CustomTestStringConvertible, Sendable {
    let name: String
    let codes: Set<SQLiteError.Code>
    let sql: @Sendable () -> String
    var testDescription: String { name }

    init(
      _ name: String, _ codes: Set<SQLiteError.Code> = [.error],
      _ sql: @escaping @Sendable () -> String
    ) {
      (self.name, self.codes, self.sql) = (name, codes, sql)
    }
  }

  private static func many(_ count: Int, _ text: String, _ separator: String = "") -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }

  static let huge: [Huge] = [
    // Since version 3.46, the parser's stack grows, and parentheses do not add to the depth.
    Huge("parentheses") {
      SQLiteLibrary.versionNumber < 3_046_000
        ? "SELECT \(many(20_000, "("))1\(many(20_000, ")"))"
        : "SELECT \(many(20_000, "abs("))1\(many(20_000, ")"))"
    },
    Huge("a deep expression") { "SELECT \(many(5_000, "1", " + "))" },
    Huge("a deep NOT") { "SELECT \(many(5_000, "NOT "))1" },
    Huge("nested queries") { "SELECT \(many(2_000, "(SELECT "))1\(many(2_000, ")"))" },
    Huge("a long compound") { many(3_000, "SELECT 1", " UNION ALL ") },
    Huge("many columns") { "SELECT \(many(40_000, "1", ","))" },
    Huge("many arguments") { "SELECT max(\(many(1_100, "1", ",")))" },
    Huge("many tables") { "SELECT 1 FROM \(many(70, "sqlite_master", ","))" },
    Huge("a high parameter") { "SELECT ?2147483647" },
    Huge("a huge integer parameter") { "SELECT ?99999999999999999999" },
    Huge("a long pattern") { "SELECT 'a' LIKE '\(many(60_000, "%a"))'" },
    Huge("a huge blob", [.tooBig, .outOfMemory, .error]) {
      "SELECT length(hex(zeroblob(2000000000)))"
    },
    Huge("a long text of nonsense") { many(300_000, "é ") },
    Huge("many ORs in one join") {
      "WITH RECURSIVE \(many(2_000, "c AS (SELECT 1)", ",")) SELECT 1 FROM c"
    },
  ]

  @Test(arguments: huge)
  func `is a typed error if the SQL exceeds a limit`(_ input: Huge) throws {
    let db = try memory()
    let sql = input.sql()
    let error = #expect(throws: SQLiteError.self) { try db.run(SQL(unsafe: sql)) }
    #expect(error.map { input.codes.contains($0.code.primary) } == true, "\(error?.message ?? "")")
    #expect(error?.sql == sql)
    #expect(try db.value(Int.self, "SELECT 1") == 1)
  }
}
