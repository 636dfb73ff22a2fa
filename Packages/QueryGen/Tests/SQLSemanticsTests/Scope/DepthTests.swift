import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Malicious statements` {
  @Test(arguments: [
    "SELECT " + String(repeating: "1 + ", count: 900) + "1",
    "SELECT " + String(repeating: "NOT ", count: 80) + "1",
    "SELECT " + String(repeating: "coalesce(1, ", count: 15) + "1"
      + String(repeating: ")", count: 15),
    "SELECT " + String(repeating: "(SELECT ", count: 12) + "1" + String(repeating: ")", count: 12),
    "SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 400),
    "SELECT 1 FROM user WHERE " + (0..<900).map { "id = \($0)" }.joined(separator: " OR "),
    "SELECT 1 FROM user WHERE age" + String(repeating: " AND age = score", count: 450),
    "SELECT age" + String(repeating: " + 1.5", count: 900) + " FROM user",
    "SELECT ?" + String(repeating: " + age", count: 900) + " FROM user",
    "SELECT name" + String(repeating: " COLLATE nocase", count: 150) + " FROM user",
    "SELECT age" + String(repeating: " IS NULL", count: 900) + " FROM user",
    "SELECT name" + String(repeating: " || 'x'", count: 900)
      + " FROM user UNION SELECT 1 ORDER BY name"
      + String(repeating: " || 'x'", count: 900),
    "SELECT " + String(repeating: "CASE WHEN 1 THEN ", count: 18) + "1"
      + String(repeating: " END", count: 18),
    "SELECT " + String(repeating: "(", count: 90) + "1" + String(repeating: ")", count: 90),
    "SELECT 1 FROM " + String(repeating: "(SELECT 1 FROM ", count: 8) + "user"
      + String(repeating: ")", count: 8),
    "SELECT " + String(repeating: "/* ", count: 10_000) + "*/ 1"
      + String(repeating: "-- x\n", count: 10_000),
  ])
  func `are resolved up to SQLite's depth limit`(_ sql: String) {
    expectAccepted(sql)
  }

  @Test(arguments: [" COLLATE nocase", " ISNULL", " LIKE 'a'", " IN (1)", " BETWEEN 1 AND 2"])
  func `of long chains of operators that are not binary are rejected`(_ tail: String) {
    let sql = "SELECT name" + String(repeating: tail, count: 900) + " FROM user"
    #expect(Database().analyze(sql).diagnostics.map(\.identity) == [.nestingTooDeep])
  }

  @Test func `that multiply common tables are resolved quickly`() {
    let tables = (1..<40).map { "c\($0) AS (SELECT a.x FROM c\($0 - 1) a, c\($0 - 1) b)" }
    expectAccepted(
      "WITH c0(x) AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT x FROM c39")
  }

  @Test func `that multiply views are resolved quickly`() {
    var database = Database("CREATE VIEW v0 AS SELECT 1 AS x;")
    for index in 1..<40 {
      database.apply(
        "CREATE VIEW v\(index) AS SELECT DISTINCT a.x FROM v\(index - 1) a, v\(index - 1) b;")
    }
    expectAccepted("SELECT x FROM v39", in: database)
  }

  /// A chain of definitions, each of which uses the previous one.
  struct Chain: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The longest chain that is accepted, or `nil` if there is no limit.
    var limit: Int?
    /// Returns a schema and a statement that uses the last definition of a chain.
    let text: @Sendable (Int) -> (schema: String, statement: String)
  }

  static let chains = [
    Chain(testDescription: "views") { count in
      let views = (1...count).map { index in
        "CREATE VIEW v\(index) AS SELECT x FROM \(index == 1 ? "t" : "v\(index - 1)");"
      }
      return ("CREATE TABLE t (x);" + views.joined(), "SELECT x FROM v\(count)")
    },
    Chain(testDescription: "common tables") { count in
      let tables = (1...count).map { index in
        "c\(index) AS (SELECT x FROM \(index == 1 ? "t" : "c\(index - 1)"))"
      }
      return (
        "CREATE TABLE t (x);",
        "WITH \(tables.joined(separator: ", ")) SELECT x FROM c\(count)"
      )
    },
    Chain(testDescription: "views with deep expressions") { count in
      let deep = String(repeating: "(", count: 60)
      let views = (1...count).map { index in
        let inner = index == 1 ? "1" : "SELECT x FROM v\(index - 1)"
        return "CREATE VIEW v\(index) AS SELECT \(deep)(\(inner)"
          + String(repeating: ")", count: 61) + " AS x;"
      }
      return (views.joined(), "SELECT x FROM v\(count)")
    },
    Chain(testDescription: "views with expressions close to the maximum depth", limit: 1) { count in
      let views = (1...count).map { index in
        let inner = index == 1 ? "1" : "SELECT x FROM v\(index - 1)"
        return "CREATE VIEW v\(index) AS SELECT (\(inner))"
          + String(repeating: " COLLATE nocase", count: 140) + " AS x;"
      }
      return (views.joined(), "SELECT x FROM v\(count)")
    },
    Chain(testDescription: "triggers") { count in
      let tables = (0...count).map { "CREATE TABLE t\($0) (x);" }
      let triggers = (1...count).map { index in
        "CREATE TRIGGER g\(index) INSERT ON t\(index) BEGIN INSERT INTO t\(index - 1) VALUES (1); END;"
      }
      return ((tables + triggers).joined(), "INSERT INTO t\(count) VALUES (1)")
    },
  ]

  @Test(arguments: chains)
  func `that use long chains of definitions are accepted, unless deep expressions are nested`(
    _ chain: Chain
  ) {
    for count in [1, 2, 14, 15, 16, 17, 18, 98, 99, 3_000] {
      let (schema, statement) = chain.text(count)
      let isAccepted = chain.limit.map { count <= $0 } ?? true
      #expect(
        Database(schema).analyze(statement).diagnostics.map(\.identity)
          == (isAccepted ? [] : [.nestingTooDeep]), "\(count)")
    }
  }

  @Test(arguments: [
    Refusal(
      "SELECT min(x) OVER w FROM t WINDOW w AS (ORDER BY ①sum②(x) OVER w)", .windowMisuse),
    Refusal(
      "SELECT min(x) OVER w FROM t WINDOW w AS (PARTITION BY ①sum②(x) OVER v), v AS (ORDER BY max(x) OVER w)",
      .windowMisuse),
    Refusal("SELECT min(x) OVER (ORDER BY ①sum②(x) OVER ()) FROM t", .windowMisuse),
    Refusal(
      "SELECT min(x) OVER w FROM t WINDOW v AS (w), w AS (v ORDER BY ①max②(x) OVER v)",
      .windowMisuse),
    Refusal(
      "SELECT min(x) OVER w FROM t WINDOW w AS (ORDER BY (SELECT min(x) OVER ①w②))", .unknownWindow),
    Refusal("SELECT min(①sum②(x) OVER w) OVER w FROM t WINDOW w AS (ORDER BY x)", .windowMisuse),
  ])
  func `with windows that use themselves are rejected`(_ refusal: Refusal) {
    expectRefused(refusal, in: Database("CREATE TABLE t (x);"))
  }

  @Test(arguments: [
    "SELECT x FROM t WINDOW w AS (ORDER BY sum(x) OVER w)",
    "SELECT min(x) OVER w FROM t WINDOW w AS (w)",
    "SELECT min(x) OVER w FROM t WINDOW v AS (w), w AS (v)",
    "SELECT min(x) OVER w FROM t WINDOW w AS (ORDER BY x), w AS (w)",
    "SELECT min(x) OVER w1999 FROM t WINDOW w0 AS (ORDER BY x)"
      + (1..<2_000).map { ", w\($0) AS (w\($0 - 1))" }.joined(),
    "SELECT min(x) OVER w FROM t WINDOW w AS (ORDER BY (SELECT sum(x) OVER w FROM t WINDOW w AS (ORDER BY x)))",
  ])
  func `with windows that extend others are accepted as by SQLite`(_ sql: String) {
    expectAccepted(sql, in: Database("CREATE TABLE t (x);"))
  }

  @Test(arguments: [
    ("CREATE VIEW v AS SELECT * FROM w; CREATE VIEW w AS SELECT * FROM v;", "SELECT * FROM v"),
    ("CREATE VIEW v AS SELECT * FROM v;", "SELECT * FROM v"),
    (
      "CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM t; DROP TABLE t; "
        + "CREATE VIEW t AS SELECT x FROM v;", "SELECT x FROM t"
    ),
    (
      "CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM u; ALTER TABLE t RENAME TO u; "
        + "DROP TABLE u; CREATE VIEW u AS SELECT x FROM v;", "INSERT INTO u VALUES (1)"
    ),
    ("", "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM a) SELECT * FROM a"),
    ("", "WITH a AS (SELECT * FROM (SELECT * FROM a)) SELECT * FROM a"),
    (
      "CREATE TABLE t (x); CREATE VIEW v AS WITH a AS (SELECT * FROM w) SELECT * FROM a; "
        + "CREATE VIEW w AS SELECT (SELECT max(x) FROM v) AS x FROM t;", "SELECT * FROM v"
    ),
  ])
  func `with definitions in a circle are rejected`(_ schema: String, _ statement: String) {
    #expect(!Database(schema).analyze(statement).diagnostics.isEmpty)
  }

  @Test(arguments: [
    (
      "CREATE TABLE t (x); CREATE TRIGGER a INSERT ON t BEGIN UPDATE t SET x = 1; END; "
        + "CREATE TRIGGER b UPDATE ON t BEGIN INSERT INTO t VALUES (1); END;",
      "INSERT INTO t VALUES (1)"
    ),
    (
      "CREATE VIEW v AS SELECT 1 AS x; CREATE TRIGGER a INSTEAD OF INSERT ON v BEGIN "
        + "INSERT INTO v VALUES (1); END;", "INSERT INTO v VALUES (1)"
    ),
    (
      "CREATE TABLE v (x); CREATE TEMP VIEW v AS SELECT x FROM main.v;", "SELECT x FROM v"
    ),
    (
      "CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM t; "
        + "CREATE TEMP VIEW v AS SELECT x FROM main.v;", "SELECT x FROM v"
    ),
  ])
  func `with triggers in a circle or views of equal names are accepted`(
    _ schema: String, _ statement: String
  ) {
    expectAccepted(statement, in: Database(schema))
  }

  @Test func `that use generated columns in a circle or a long chain are resolved`() {
    let chain = (1..<1_500).map { ", c\($0) AS (c\($0 - 1) + 1)" }.joined()
    expectAccepted("SELECT c1499 FROM t", in: Database("CREATE TABLE t (c0\(chain));"))
    expectRefused(
      Refusal("SELECT c0 FROM t", .generatedColumn),
      in: Database("CREATE TABLE t (c0 AS (c1499)\(chain), a);"))
  }

  @Test func `that double a view's columns are rejected quickly`() {
    var database = Database("CREATE TABLE t (a, b); CREATE VIEW v0 AS SELECT * FROM t;")
    for index in 1...40 {
      database.apply(
        "CREATE VIEW v\(index) AS SELECT DISTINCT a.*, b.* FROM v\(index - 1) a, v\(index - 1) b;")
    }
    #expect(!database.diagnostics.hasErrors)
    expectAccepted("SELECT * FROM v9", in: database)
    expectRefused(Refusal("SELECT * FROM ①v10②", .brokenObject), in: database)
    expectRefused(Refusal("SELECT 1 FROM ①v40②", .brokenObject), in: database)
    #expect(database.catalog.verify().map(\.name).count == 31)
    #expect(database.catalog.tables().count == 11)
  }

  @Test func `that double a common table's columns are rejected quickly`() {
    let tables = (1...40).map {
      "c\($0) AS (SELECT DISTINCT a.*, b.* FROM c\($0 - 1) a, c\($0 - 1) b)"
    }
    let diagnostics = Database().analyze(
      "WITH c0 AS (SELECT 1, 2), \(tables.joined(separator: ", ")) SELECT * FROM c40"
    ).diagnostics
    #expect(diagnostics.first?.identity == .tooComplex)
  }

  @Test(arguments: [15, 16, 17, 18, 19, 40, 400, 2_000])
  func `that chain views are resolved at any depth`(_ count: Int) {
    var database = Database()
    // In reverse, so that no view is resolved before those that use it.
    database.apply(
      (0..<count).reversed().map {
        "CREATE VIEW v\($0) AS SELECT id, name FROM \($0 == 0 ? "user" : "v\($0 - 1)");"
      }.joined(separator: "\n"))
    expectAccepted("SELECT name FROM v\(count - 1) WHERE id = 1", in: database)
    #expect(database.catalog.verify() == [])
    let columns = database.catalog.tables().first { $0.name == "v\(count - 1)" }?.columns
    #expect(columns?.map(\.type) == [.integer, .text])
    database.apply("DROP TABLE user;")
    #expect(database.catalog.verify().count(where: { $0.kind == "view" }) == count)
  }

  @Test(arguments: [15, 16, 17, 18, 19, 40, 400, 2_000])
  func `that chain common tables are resolved at any depth`(_ count: Int) {
    let tables = (1...count).map { "c\($0) AS (SELECT x FROM c\($0 - 1))" }.reversed()
    func sql(_ first: String) -> String {
      "WITH \(tables.joined(separator: ", ")), c0 AS (\(first)) SELECT x FROM c\(count)"
    }
    let analysis = Database().analyze(sql("SELECT name AS x FROM user")).analysis
    #expect(analysis?.columns.map(\.type) == [.text])
    #expect(
      Database().analyze(sql("SELECT ①nope② AS x FROM user")).diagnostics.contains {
        $0.identity == .unknownColumn || $0.identity == .unexpectedToken
      })
  }

  @Test(arguments: [2, 17, 100, 500], [0, 1, 14, 17, 60])
  func `that use views or common tables in a cycle are rejected`(_ count: Int, _ chain: Int) {
    // A chain of definitions that leads to a cycle.
    let cycle = (0..<count).map { ("v\($0)", "SELECT * FROM v\(($0 + 1) % count)") }
    let start = (0..<chain).map { ("w\($0)", "SELECT * FROM \($0 == 0 ? "v0" : "w\($0 - 1)")") }
    let name = (start.last ?? cycle[0]).0
    let views = (cycle + start).map { "CREATE VIEW \($0.0) AS \($0.1);" }
    let database = Database(views.joined())
    expectRefused(Refusal("SELECT * FROM ①\(name)②", .brokenObject), in: database)
    #expect(database.catalog.verify().count == count + chain)
    let tables = (cycle + start).map { "\($0.0) AS (\($0.1))" }
    #expect(
      !Database().analyze("WITH \(tables.joined(separator: ", ")) SELECT * FROM \(name)")
        .diagnostics.isEmpty)
  }

  @Test func `that fire a chain of triggers are resolved at any depth`() {
    var database = Database(
      (0...500).map { "CREATE TABLE t\($0) (a);" }.joined()
        + (0..<500).map {
          "CREATE TRIGGER r\($0) AFTER INSERT ON t\($0) BEGIN "
            + "INSERT INTO t\($0 + 1) VALUES (new.a); END;"
        }.joined())
    expectAccepted("INSERT INTO t0 VALUES (1)", in: database)
    database.apply("DROP TABLE t500;")
    expectRefused(Refusal("INSERT INTO ①t0② VALUES (1)", .brokenObject), in: database)
  }

  @Test func `that create too many columns are rejected`() {
    func columns(_ count: Int) -> String {
      (0..<count).map { "c\($0) INTEGER" }.joined(separator: ", ")
    }
    #expect(!Database("CREATE TABLE t (\(columns(2_000)));").diagnostics.hasErrors)
    let many = Database("CREATE TABLE t (\(columns(100_000)), CHECK (c5000 > 0));")
    #expect(many.diagnostics.diagnostics.map(\.identity) == [.invalidDefinition])
    var added = Database("CREATE TABLE t (\(columns(1_999)));")
    added.apply("ALTER TABLE t ADD COLUMN a;")
    #expect(!added.diagnostics.hasErrors)
    added.apply("ALTER TABLE t ADD COLUMN b;")
    #expect(added.diagnostics.diagnostics.map(\.identity) == [.invalidDefinition])
  }

  @Test func `that nest recursive tables are rejected in time`() {
    var select = "SELECT 1 AS x"
    for index in 0..<18 {
      select =
        "WITH RECURSIVE r\(index)(x) AS (\(select) UNION ALL SELECT x + 1 FROM r\(index)) "
        + "SELECT x FROM r\(index)"
      select = "SELECT x FROM (\(select))"
    }
    _ = Database().analyze(select)
  }
}
