import Primitives
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `The cost of analysis` {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Returns a schema of a size.
    let schema: @Sendable (Int) -> String
    /// Returns a query of a size.
    let query: (@Sendable (Int) -> String)?
    let size: Int

    init(
      _ name: String, size: Int = 100, schema: @escaping @Sendable (Int) -> String,
      query: (@Sendable (Int) -> String)? = nil
    ) {
      testDescription = name
      self.schema = schema
      self.query = query
      self.size = size
    }

    /// A query of a size, on `t (a INTEGER, b TEXT)`.
    init(_ name: String, size: Int = 100, query: @escaping @Sendable (Int) -> String) {
      self.init(
        name, size: size, schema: { _ in "CREATE TABLE t (a INTEGER, b TEXT);" }, query: query)
    }

    /// Returns the number of steps, or `nil` if the analysis fails.
    func steps(_ size: Int) -> Int? {
      let counter = StepCounter()
      let isValid = counter.run {
        let database = Database(schema(size))
        let broken = database.catalog.verify()
        _ = database.catalog.tables()
        let query = query.map { database.query("DEFINE QUERY q AS \($0(size));") }
        let errors = database.diagnostics.diagnostics + (query?.diagnostics ?? [])
        return broken.isEmpty && errors.isEmpty
      }
      return isValid ? counter.count : nil
    }
  }

  private static func list(_ count: Int, _ separator: String = ", ", _ item: (Int) -> String)
    -> String
  {
    (0..<count).map(item).joined(separator: separator)
  }

  private static let schemas: [Case] = [
    Case("columns", schema: { "CREATE TABLE t (\(list($0) { "c\($0) INTEGER UNIQUE" }));" }),
    Case(
      "column checks", schema: { "CREATE TABLE t (\(list($0) { "c\($0) CHECK (c\($0) > 0)" }));" }),
    Case(
      "generated columns",
      schema: {
        "CREATE TABLE t (c0 INTEGER, \(list($0) { "c\($0 + 1) INTEGER AS (c\($0) + 1)" }));"
      }),
    Case(
      "added columns",
      schema: {
        "CREATE TABLE t (a);"
          + list($0, "") { "ALTER TABLE t ADD COLUMN c\($0) TEXT NOT NULL DEFAULT 'x';" }
      }),
    Case(
      "renamed columns",
      schema: {
        "CREATE TABLE t (c0);"
          + list($0, "") { "ALTER TABLE t RENAME COLUMN c\($0) TO c\($0 + 1);" }
      }),
    Case(
      "renamed tables",
      schema: {
        "CREATE TABLE t0 (a);" + list($0, "") { "ALTER TABLE t\($0) RENAME TO t\($0 + 1);" }
      }),
    Case(
      "added and dropped columns",
      schema: {
        "CREATE TABLE t (a);"
          + list($0, "") { _ in "ALTER TABLE t ADD COLUMN b; ALTER TABLE t DROP COLUMN b;" }
      }),
    Case("tables", schema: { list($0, "") { "CREATE TABLE t\($0) (a, b);" } }),
    Case(
      "indexes",
      schema: {
        "CREATE TABLE t (a, b);"
          + list($0, "") { "CREATE UNIQUE INDEX i\($0) ON t (a, b) WHERE a > \($0);" }
      }),
    Case(
      "views",
      schema: {
        "CREATE TABLE t (a, b);" + list($0, "") { "CREATE VIEW v\($0) AS SELECT a, b FROM t;" }
      }),
    Case(
      "views of views",
      schema: {
        "CREATE TABLE t (a, b); CREATE VIEW v0 AS SELECT a, b FROM t;"
          + list($0, "") { "CREATE VIEW v\($0 + 1) AS SELECT a, b FROM v\($0);" }
      }),
    Case(
      "triggers",
      schema: {
        "CREATE TABLE t (a, b);"
          + list($0, "") {
            "CREATE TRIGGER r\($0) AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = \($0); END;"
          }
      }, query: { _ in "INSERT INTO t VALUES (1, 2)" }),
  ]

  private static let queries: [Case] = [
    Case("common tables") {
      let tables = list($0) { "c\($0 + 1) AS (SELECT a FROM c\($0))" }
      return "WITH c0 AS (SELECT a FROM t), \(tables) SELECT a FROM c\($0)"
    },
    Case("parameters") { "SELECT a FROM t WHERE a IN (\(list($0) { _ in "?" }))" },
    Case("uses of a parameter") { "SELECT a FROM t WHERE a IN (\(list($0) { _ in ":x" }))" },
    Case("rows of values") { "INSERT INTO t VALUES \(list($0) { _ in "(?, ?)" })" },
    Case("elements of a list") { "SELECT a FROM t WHERE a IN (\(list($0) { "\($0)" }))" },
    Case("arms") { list($0, " UNION ALL ") { _ in "SELECT a, b FROM t WHERE a = ?" } },
    Case("conditions") { "SELECT a FROM t WHERE \(list($0, " AND ") { "a <> \($0)" })" },
    Case("alternatives") { "SELECT a FROM t WHERE \(list($0, " OR ") { "a = \($0)" })" },
    Case("sums") { "SELECT \(list($0, " + ") { _ in "a" }) AS x FROM t" },
    Case("concatenated parameters") { "SELECT \(list($0, " || ") { _ in "?" }) || b AS x FROM t" },
    Case("comparisons") { "SELECT \(list($0, " = ") { _ in "a" }) AS x FROM t" },
    Case("branches") {
      "SELECT CASE \(list($0, " ") { "WHEN a = \($0) THEN ?" }) ELSE b END AS x FROM t"
    },
    Case("results") { "SELECT \(list($0) { "a + \($0) AS c\($0)" }) FROM t" },
    Case("terms of an order") { "SELECT a FROM t ORDER BY \(list($0) { "a + \($0)" })" },
    Case("subqueries") {
      "SELECT \(list($0) { "(SELECT b FROM t WHERE a = \($0)) AS c\($0)" }) FROM t"
    },
  ]

  @Test(.enabled(if: StepCounter.isEnabled), arguments: schemas + queries)
  func `grows linearly with the number of`(_ expected: Case) throws {
    let few = try #require(expected.steps(expected.size))
    let many = try #require(expected.steps(4 * expected.size))
    #expect(many <= 5 * few, "\(few) steps for \(expected.size), \(many) for four times as many")
  }
}
