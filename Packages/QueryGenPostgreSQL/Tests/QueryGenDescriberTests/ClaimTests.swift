import PostgreSQL
import PostgreSQLTesting
@testable import QueryGenDescriber
import QueryGenDriver
import SQLSyntax
import Testing

/// A row of any statement.
private struct AnyRow: PostgreSQLRowDecodable, Sendable {
  let values: [PostgreSQLValue]

  init(row: borrowing PostgreSQLRow) throws(PostgreSQLError) {
    var values: [PostgreSQLValue] = []
    for index in 0..<row.columnCount { values.append(try row.read(at: index)) }
    self.values = values
  }
}

private struct Undo: Error {
  let rows: [AnyRow]
}

@Suite(.enabled(if: PostgreSQLTestServer.isInstalled, "no PostgreSQL server is installed"))
struct `Claims about columns` {
  /// Runs a statement in a transaction that is rolled back.
  private func rows(
    _ sql: String, _ values: [any PostgreSQLBindable & Sendable], _ connection: PostgreSQLConnection
  ) async throws -> [AnyRow] {
    do {
      try await connection.transaction { connection in
        let rows = try await connection.fetchAll(
          AnyRow.self, PostgreSQLQuery(unsafe: sql), values: values)
        throw Undo(rows: rows)
      }
      return []
    } catch let undo as Undo {
      return undo.rows
    }
  }

  private func query(_ sql: String) throws -> PostgreSQLNamedQuery {
    var diagnostics = DiagnosticList()
    let found = PostgreSQLNamedQuery.parseFile(
      SourceText("q: \(sql)"), diagnostics: &diagnostics)
    return try #require(found.first, "\(diagnostics.diagnostics)")
  }

  @Test func `hold for every row of random statements`() async throws {
    let seed: UInt64 = 0x5EED_0082
    let count = 1_500
    print("random statements: seed \(seed), \(count) statements")
    try await #require(PostgreSQLTestServer.shared).withDatabase {
      (database) async throws -> Void in
      try await database.execute(PostgreSQLQuery(unsafe: RandomStatements.schema))
      try await database.withConnection { (connection) async throws -> Void in
        let describer = QueryDescriber(catalog: try await ServerCatalog(of: connection))
        var statements = RandomStatements(seed: seed)
        var (described, run, rejected, columns, claimed, present, rowCount) = (0, 0, 0, 0, 0, 0, 0)
        for _ in 0..<count {
          let sql = statements.next()
          let found: PostgreSQLDescription.Query
          do {
            found = try await describer.describe(try query(sql), on: connection)
          } catch is PostgreSQLError {
            rejected += 1
            continue
          }
          described += 1
          columns += found.columns.count
          claimed += found.columns.count { !$0.isNullable }
          let values = (0..<found.parameters.count).map {
            index -> (any PostgreSQLBindable & Sendable) in
            found.parameters[index].isNullable && index % 2 == 0 ? Int?.none : index + 1
          }
          let rows: [AnyRow]
          do {
            rows = try await self.rows(sql, values, connection)
          } catch is PostgreSQLError {
            continue
          }
          run += 1
          rowCount += rows.count
          for (index, column) in found.columns.enumerated() {
            let hasNull = rows.contains { $0.values[index] == .null }
            if !rows.isEmpty, !hasNull { present += 1 }
            #expect(!hasNull || column.isNullable, "\(column.name) is NULL: \(sql)")
            guard column.type.hasElements == true else { continue }
            for case .array(let elements) in rows.map({ $0.values[index] }) {
              #expect(!elements.contains(.null), "an element of \(column.name) is NULL: \(sql)")
            }
          }
          switch found.rows {
          case .one: #expect(rows.count == 1, "\(rows.count) rows: \(sql)")
          case .optional: #expect(rows.count <= 1, "\(rows.count) rows: \(sql)")
          case .none, .many: break
          }
        }
        print(
          """
          random statements: \(described) described, \(rejected) rejected by the server, \(run) run, \(rowCount) rows; \
          \(columns) columns, \(claimed) proven not to be NULL, \(present) without NULL in their rows
          """)
        #expect(described > count * 3 / 4)
        #expect(run > count / 2)
        #expect(claimed > columns / 5)
      }
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let sql: String
    /// `!` for a column that is never NULL, `?` for another; an array in brackets.
    let claims: String
    var rows = PostgreSQLDescription.Rows.many
    var testDescription: String { sql }
  }

  static let cases = [
    Case(sql: "SELECT id, x FROM a", claims: "!?"),
    Case(sql: "SELECT a.id, b.id, b.u FROM a LEFT JOIN b ON b.a_id = a.id", claims: "!??"),
    Case(sql: "SELECT a.id, b.id FROM a RIGHT JOIN b ON b.a_id = a.id", claims: "?!"),
    Case(sql: "SELECT a.id, b.id FROM a FULL JOIN b ON b.a_id = a.id", claims: "??"),
    Case(sql: "SELECT id, a.id, b.id FROM a FULL JOIN b USING (id)", claims: "!??"),
    Case(
      sql: "SELECT a.id, b.id, b.u FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.y > 1", claims: "!!!"
    ),
    Case(
      sql:
        "SELECT a.id, b.u, c.e FROM a LEFT JOIN (b JOIN c ON c.b_id = b.id) ON b.a_id = a.id WHERE c.z = 1",
      claims: "!!!"),
    Case(sql: "SELECT x FROM a WHERE x IS NOT NULL", claims: "!"),
    Case(sql: "SELECT x FROM a WHERE x IS NOT NULL OR n = 1", claims: "?"),
    Case(sql: "SELECT x FROM a WHERE NOT (x IS NOT NULL)", claims: "?"),
    Case(sql: "UPDATE a SET x = NULL WHERE x IS NOT NULL RETURNING x, n", claims: "?!"),
    Case(sql: "DELETE FROM a WHERE x IS NOT NULL RETURNING x", claims: "!"),
    Case(sql: "SELECT count(*), sum(n), max(id) FROM a", claims: "!??", rows: .one),
    Case(sql: "SELECT n, sum(id), max(x) FROM a GROUP BY n", claims: "!!?"),
    Case(sql: "SELECT n, sum(id) FILTER (WHERE n > 1) FROM a GROUP BY n", claims: "!?"),
    Case(
      sql: "SELECT coalesce(n, 0), count(*) FROM a GROUP BY ROLLUP (coalesce(n, 0))", claims: "?!"),
    Case(sql: "SELECT coalesce(x, 1), coalesce(x, x), nullif(n, 1) FROM a", claims: "!??"),
    Case(
      sql: "SELECT CASE WHEN n > 1 THEN n END, CASE WHEN n > 1 THEN n ELSE id END FROM a",
      claims: "?!"),
    Case(sql: "SELECT n FROM a UNION SELECT x FROM a", claims: "?"),
    Case(sql: "SELECT x FROM a INTERSECT SELECT n FROM a", claims: "!"),
    Case(sql: "SELECT n FROM a EXCEPT SELECT x FROM a", claims: "!"),
    Case(
      sql: "SELECT (SELECT n FROM a b WHERE b.id = a.id), (SELECT count(*) FROM b) FROM a",
      claims: "?!"),
    Case(
      sql:
        "SELECT ARRAY(SELECT n FROM a), ARRAY(SELECT x FROM a), array_agg(n), array_agg(x) FROM a",
      claims: "[!!][!?][?!][??]", rows: .one),
    Case(sql: "SELECT ARRAY[id, n], ARRAY[id, x] FROM a", claims: "[!!][!?]"),
    Case(sql: "SELECT id, k, m, u FROM v", claims: "!!??"),
    Case(sql: "SELECT id, t FROM mv", claims: "??"),
    Case(sql: "SELECT id, p FROM parent", claims: "!?"),
    Case(sql: "SELECT id, p FROM ONLY parent", claims: "!!"),
    Case(
      sql:
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 5) SELECT i FROM r",
      claims: "!"),
    Case(
      sql:
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT nullif(i + 1, 3) FROM r WHERE i < 5) SELECT i FROM r",
      claims: "?"),
    Case(sql: "SELECT i FROM generate_series(1, 3) i", claims: "!"),
    Case(sql: "SELECT i, o FROM unnest(ARRAY[1, NULL]) WITH ORDINALITY u(i, o)", claims: "?!"),
    Case(
      sql:
        "SELECT lower(t), lower('[1,2)'::int4range), substring(t from 1), substring(t from 'x') FROM a",
      claims: "!?!?"),
    Case(
      sql: "SELECT extract(day FROM now()), now(), current_date, current_schema", claims: "?!!?",
      rows: .one),
    Case(
      sql: "SELECT row_number() OVER (), lag(n) OVER (ORDER BY id), sum(n) OVER () FROM a",
      claims: "!?!"),
    Case(
      sql: "SELECT $1::int, coalesce($2::int, 1), $2::int FROM a WHERE $2::int IS NULL OR n = $2",
      claims: "!!?"),
    Case(sql: "SELECT * FROM a WHERE id = 1", claims: "!!??!?", rows: .optional),
    Case(sql: "SELECT * FROM c WHERE e = $1", claims: "!!??!", rows: .optional),
    Case(
      sql: "SELECT a.id FROM a JOIN b ON b.id = a.n WHERE a.id = $1", claims: "!", rows: .optional),
    Case(
      sql: "SELECT a.id FROM a JOIN b ON b.a_id = a.id WHERE a.id = $1", claims: "!", rows: .many),
    Case(
      sql: "SELECT a.id FROM a LEFT JOIN b ON b.id = a.n WHERE a.id = $1", claims: "!",
      rows: .optional),
    Case(sql: "SELECT n FROM a WHERE id = n", claims: "!", rows: .many),
    Case(sql: "SELECT n FROM a WHERE id = 1 OR n = 1", claims: "!", rows: .many),
    Case(sql: "SELECT n FROM a LIMIT 1", claims: "!", rows: .optional),
    Case(sql: "SELECT 1 WHERE $1::bool", claims: "!", rows: .optional),
    Case(
      sql: "INSERT INTO a (id, n, t) VALUES (1, 2, 't') RETURNING id, x", claims: "!?", rows: .one),
    Case(
      sql: "INSERT INTO a (id, n, t) VALUES (1, 2, 't') ON CONFLICT DO NOTHING RETURNING id",
      claims: "!", rows: .optional),
    Case(
      sql: "INSERT INTO a (id, n, t) VALUES (1, 2, 't'), (2, 3, 'u') RETURNING id", claims: "!",
      rows: .many),
    Case(sql: "UPDATE a SET n = 1 WHERE id = 1 RETURNING id", claims: "!", rows: .optional),
    Case(sql: "DELETE FROM a", claims: "", rows: .none),
  ]

  @Test func `follow from constraints, joins and conditions`() async throws {
    try await #require(PostgreSQLTestServer.shared).withDatabase {
      (database) async throws -> Void in
      try await database.execute(PostgreSQLQuery(unsafe: RandomStatements.schema))
      try await database.withConnection { (connection) async throws -> Void in
        let describer = QueryDescriber(catalog: try await ServerCatalog(of: connection))
        for expected in Self.cases {
          let found = try await describer.describe(try query(expected.sql), on: connection)
          let claims = found.columns.map { column in
            let claim = column.isNullable ? "?" : "!"
            guard column.type.isArray == true else { return claim }
            return "[\(claim)\(column.type.hasElements == true ? "!" : "?")]"
          }
          #expect(claims.joined() == expected.claims, "\(expected.sql)")
          #expect(found.rows == expected.rows, "\(expected.sql)")
        }
      }
    }
  }

  struct Use: Sendable {
    let sql: String
    /// The names of the parameters, with `?` if they are optional.
    let parameters: [String]
    var isReadOnly = true
  }

  @Test func `of parameters follow from their uses`() async throws {
    let uses = [
      Use(sql: "SELECT * FROM a WHERE id = $1 AND x > $2", parameters: ["id", "x"]),
      Use(sql: "SELECT * FROM a WHERE id = :key", parameters: ["key"]),
      Use(sql: "SELECT * FROM a WHERE x IS NOT DISTINCT FROM $1", parameters: ["x?"]),
      Use(
        sql: "SELECT * FROM a WHERE ($1::int IS NULL OR n = $1) LIMIT $2 OFFSET $3",
        parameters: ["n?", "limit", "offset"]),
      Use(
        sql: "INSERT INTO a (id, n, x, t) VALUES ($1, $2, $3, $4)",
        parameters: ["id", "n", "x?", "t"], isReadOnly: false),
      Use(
        sql: "INSERT INTO a (id, n, x, t) VALUES ($1, 1, $2, 't'), ($3, 1, $4, 't')",
        parameters: ["id", "x?", "id2", "x2?"], isReadOnly: false),
      Use(
        sql: "INSERT INTO a (id, n, x, t) SELECT $1, $2, $3, u FROM b",
        parameters: ["id", "n", "x?"], isReadOnly: false),
      Use(
        sql: "UPDATE a SET x = $1, n = coalesce($2, n) WHERE id = $3",
        parameters: ["x?", "value?", "id"], isReadOnly: false),
      Use(sql: "UPDATE a SET x = :v, n = :v WHERE id = 1", parameters: ["v"], isReadOnly: false),
      Use(sql: "SELECT * FROM a WHERE id IN :ids", parameters: ["ids"]),
      Use(sql: "SELECT coalesce(x, $1) FROM a", parameters: ["value"]),
      Use(sql: "SELECT * FROM a FOR UPDATE", parameters: [], isReadOnly: false),
      Use(sql: "SELECT pg_notify('x', $1)", parameters: ["value"], isReadOnly: false),
      Use(
        sql: "WITH d AS (DELETE FROM a RETURNING id) SELECT * FROM d", parameters: [],
        isReadOnly: false),
      Use(sql: "SELECT random(), gen_random_uuid()", parameters: []),
    ]
    try await #require(PostgreSQLTestServer.shared).withDatabase {
      (database) async throws -> Void in
      try await database.execute(PostgreSQLQuery(unsafe: RandomStatements.schema))
      try await database.withConnection { (connection) async throws -> Void in
        let describer = QueryDescriber(catalog: try await ServerCatalog(of: connection))
        for use in uses {
          let found = try await describer.describe(try query(use.sql), on: connection)
          let parameters = found.parameters.map { $0.name + ($0.isNullable ? "?" : "") }
          #expect(parameters == use.parameters, "\(use.sql)")
          #expect(found.isReadOnly == use.isReadOnly, "\(use.sql)")
        }
      }
    }
  }
}
