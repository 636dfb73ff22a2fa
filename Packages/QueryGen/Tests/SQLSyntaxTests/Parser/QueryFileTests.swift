import SQLSyntax
import Testing

@Suite struct `A query file` {
  @Test func `accepts the three forms of header`() {
    let queries = expectQueryFile(
      """
      DEFINE QUERY latestExpenses AS
      SELECT id FROM expense WHERE date BETWEEN ? AND ?;

      allExpenses: SELECT * FROM expense;
      tight:SELECT :a;

      -- name: GetExpense :one
      SELECT * FROM expense WHERE id = ?;

      /* name: deleteExpense :exec */
      DELETE FROM expense WHERE id = ?
      """)
    #expect(
      queries.map(\.name.text)
        == ["latestExpenses", "allExpenses", "tight", "GetExpense", "deleteExpense"])
    #expect(queries.map(\.header) == [.define, .label, .label, .comment, .comment])
    #expect(queries.map(\.cardinality) == [nil, nil, nil, .one, .exec])
    #expect(Printer.text(of: queries[2].statement) == "SELECT :a")
  }

  @Test func `stores the spans of its queries`() throws {
    let text = "-- about a\nDEFINE QUERY a AS SELECT 1;"
    let query = try #require(expectQueryFile(text).first)
    #expect(SourceText(text)[query.span] == "DEFINE QUERY a AS SELECT 1")
    #expect(SourceText(text)[query.name.span] == "a")
    #expect(SourceText(text)[query.statement.span] == "SELECT 1")
  }

  @Test(arguments: NamedQuery.Cardinality.allCases)
  func `reads the cardinality in a header`(_ cardinality: NamedQuery.Cardinality) {
    let queries = expectQueryFile("-- name: a :\(cardinality.rawValue)\nSELECT 1")
    #expect(queries.map(\.cardinality) == [cardinality])
  }

  @Test func `keeps documentation without the header`() {
    let queries = expectQueryFile(
      """
      -- The newest first.
      -- At most ten.
      latest: SELECT 1;

      /* Old ones. */
      -- name: old :many
      -- Really old.
      SELECT 2;

      -- name: bare :many
      SELECT 3;

      -- name: of the person is prose
      prose: SELECT 4;
      """)
    #expect(
      queries.map(\.documentation) == [
        ["The newest first.", "At most ten."], ["Old ones.", "Really old."], [],
        ["name: of the person is prose"],
      ])
  }

  @Test func `accepts keywords and quoted names as names`() {
    let queries = expectQueryFile(
      "delete: DELETE FROM t; select : SELECT 1; DEFINE QUERY replace AS SELECT 1; \"a b\": SELECT 1"
    )
    #expect(queries.map(\.name.text) == ["delete", "select", "replace", "a b"])
  }

  @Test func `doesn't confuse a label's colon with a parameter`() {
    expectQueryFile("①SELECT②:id", Fault(.unnamedQuery))
    expectQueryFile("①SELECT② :id, a", Fault(.unnamedQuery))
  }

  @Test func `requires a name for every statement`() {
    let queries = expectQueryFile(
      "①SELECT② 1; a: SELECT 2; ③DELETE④ FROM t", Fault(.unnamedQuery), Fault(.unnamedQuery))
    #expect(queries.map(\.name.text) == ["a"])
  }

  @Test func `rejects duplicate names, ignoring case`() throws {
    let text = "a: SELECT 1; DEFINE QUERY ①A② AS SELECT 2; -- name: ③a④ :one\nSELECT 3"
    let queries = expectQueryFile(text, Fault(.duplicateQuery), Fault(.duplicateQuery))
    #expect(queries.count == 1)
  }

  @Test(arguments: [
    "①a②: ;", "①a②:", "DEFINE QUERY ①a② AS;", "DEFINE QUERY ①a② AS", "-- name: ①a② :one",
    "-- name: ①a② :one\n;", "b: SELECT 1; -- name: ①a② :one\n",
    "-- name: ①a② :one\n-- name: b :one\nSELECT 1",
  ])
  func `rejects a header without a statement`(_ text: String) {
    expectQueryFile(text, Fault(.emptyQuery))
  }

  @Test(arguments: [
    "①-- name: a :some②\nSELECT 1", "①/* name: a :one or two */②\nSELECT 1",
    "①-- name: a :②\nSELECT 1",
  ])
  func `rejects malformed headers in comments`(_ text: String) {
    expectQueryFile(text, Fault(.malformedQueryHeader))
  }

  @Test func `reports all errors in the statements`() {
    let queries = expectQueryFile(
      "a: SELECT ①;② DEFINE QUERY ③1④ AS SELECT 1; DEFINE QUERY b ⑤SELECT⑥ 1; c: SELECT 1 ⑦SELECT⑧ 2; d: SELECT 1",
      Fault(.unexpectedToken), Fault(.unexpectedToken), Fault(.unexpectedToken),
      Fault(.unexpectedToken))
    #expect(queries.map(\.name.text) == ["d"])
  }

  @Test func `may be empty`() {
    #expect(expectQueryFile("").isEmpty)
    #expect(expectQueryFile("-- just a comment\n;").isEmpty)
  }
}
