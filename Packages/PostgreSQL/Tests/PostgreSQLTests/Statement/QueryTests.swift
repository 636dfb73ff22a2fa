import PostgreSQL
import PostgreSQLTesting
import Testing

@Suite struct `Queries` {
  @Test func `number their values`() {
    let query: PostgreSQLQuery = "SELECT \(1), \("a") WHERE x = ANY (\([1, 2]))"
    #expect(query.text == "SELECT $1, $2 WHERE x = ANY ($3)")
    #expect(query.values.count == 3)
  }

  @Test func `renumber the values of fragments`() {
    let condition: PostgreSQLQuery = "a = \(1) AND b = \(2)"
    let query: PostgreSQLQuery = "SELECT \(0) WHERE \(sql: condition) OR c = \(3)"
    #expect(query.text == "SELECT $1 WHERE a = $2 AND b = $3 OR c = $4")
    let joined = [condition, condition].joined(separator: " OR ")
    #expect(joined.text == "a = $1 AND b = $2 OR a = $3 AND b = $4")
    #expect((condition + condition).text == "a = $1 AND b = $2 a = $3 AND b = $4")
  }

  @Test func `quote names`() {
    let query: PostgreSQLQuery = "SELECT \(identifier: "a\"b") FROM t"
    #expect(query.text == "SELECT \"a\"\"b\" FROM t")
  }

  @Test(arguments: [
    ("a = ? AND b = ?", "a = $1 AND b = $2"), ("a = ?2 OR b = ?1", "a = $2 OR b = $1"),
    ("'?' \"?\" -- ?\n ?", "'?' \"?\" -- ?\n $1"), ("/* /* ? */ ? */ ?", "/* /* ? */ ? */ $1"),
    ("$a$ ? $a$ ? E'\\'?' ?", "$a$ ? $a$ $1 E'\\'?' $2"),
  ])
  func `number question marks outside of quotes and comments`(_ text: String, _ expected: String) {
    #expect(PostgreSQLQuery(unsafeWithQuestionMarks: text).text == expected)
  }

  @Test func `do not show values`() {
    let query: PostgreSQLQuery = "SELECT \("secret")"
    var dumped = ""
    dump(query, to: &dumped)
    #expect(!dumped.contains("secret"))
    #expect(!"\(query)".contains("secret"))
  }

  @Test(
    .needsServer, .timeLimit(.minutes(1)),
    arguments: [
      "SELECT '\(1)'", "SELECT \"\(1)\"", "SELECT 1 -- \(1)", "SELECT /* /* */ \(1) */ 1",
      "SELECT $a$ \(1) $a$", "SELECT E'\\'\(1)'", "SELECT $1, \(1)",
      "SELECT '\(identifier: "a")'", "SELECT \(identifier: "a\0b")",
    ] as [PostgreSQLQuery])
  func `refuse an interpolation where nothing can be bound`(_ query: PostgreSQLQuery) async throws {
    let database = PostgreSQLDatabase(try #require(PostgreSQLTestServer.shared).configuration())
    let error = await postgreSQLError { try await database.run(query) }
    #expect(error?.code == .misplacedInterpolation)
    #expect(database.statistics.connectionCount <= 1)
    database.close()
  }

  @Test(
    .needsServer, .timeLimit(.minutes(1)),
    arguments: [
      ("SELECT 'it''s' || \("!")", "it's!"), ("SELECT /* ' */ \("a")::text", "a"),
      ("SELECT $x$'$x$ || \("b")", "'b"), ("SELECT E'\\'' || \("c")", "'c"),
      ("SELECT 'a\\' || \("d")", "a\\d"),
      ("SELECT \"x\" || \("e") FROM (SELECT 'a$' AS x) q", "a$e"),
    ] as [(PostgreSQLQuery, String)])
  func `bind an interpolation after quotes and comments`(
    _ query: PostgreSQLQuery, _ expected: String
  ) async throws {
    let database = PostgreSQLDatabase(try #require(PostgreSQLTestServer.shared).configuration())
    #expect(try await database.value(String.self, query) == expected)
    database.close()
  }
}
