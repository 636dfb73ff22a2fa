import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `A query of several statements` {
  private func query(_ sql: String) throws -> QueryDefinition {
    let (definition, diagnostics) = Database().query(sql)
    #expect(diagnostics.map(\.message) == [])
    return try #require(definition)
  }

  private func texts(_ query: QueryDefinition, _ ranges: [Range<Int>]) -> [String] {
    let bytes = Array(query.sql.utf8)
    return ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  @Test func `shares its parameters`() throws {
    let query = try query(
      """
      q: BEGIN
        UPDATE user SET name = :name, age = ? WHERE id = :id;
        INSERT INTO post (userId, title, created_at) VALUES (:id, :name, ?);
        DELETE FROM post WHERE userId = :id AND id IN :posts;
      END
      """)
    #expect(query.parameters.map(\.name) == ["name", "age", "id", "created_at", "posts"])
    #expect(query.parameters.map(\.index) == [1, 2, 3, 4, 5])
    #expect(query.parameters.map(\.type) == [.text, .integer, .integer, .integer, .integer])
    #expect(query.parameters.map(\.isNullable) == [false, true, false, false, false])
    #expect(texts(query, query.parameters[2].ranges) == [":id", ":id", ":id"])
    #expect(
      texts(query, query.statementRanges).map { $0.prefix(11) }
        == ["UPDATE user", "INSERT INTO", "DELETE FROM"])
    #expect(query.writes == ["post", "user"])
    #expect(query.cardinality == .none)
    #expect(!query.isReadOnly)
  }

  @Test func `has the result of the last one`() throws {
    let query = try query(
      """
      q: BEGIN
        INSERT INTO tag VALUES :tags;
        SELECT * FROM tag WHERE postId = :post LIMIT 1;
      END
      """)
    #expect(query.result == .table("tag"))
    #expect(query.cardinality == .optional)
    #expect(query.sql.contains("INSERT INTO tag VALUES (?, ?);"))
    #expect(texts(query, query.parameters[0].rowRanges) == ["(?, ?)"])
    #expect(
      texts(query, query.statementRanges)[1]
        == "SELECT postId, name FROM tag WHERE postId = :post LIMIT 1")
  }

  @Test func `may return one row after the insertion of a list`() throws {
    let query = try query(
      """
      -- name: q :one
      BEGIN
        INSERT INTO tag VALUES :tags;
        SELECT body FROM post WHERE id = :post;
      END
      """)
    #expect(query.cardinality == .optional)
  }

  @Test func `is read-only, and depends on what each statement reads, if all are read-only`() throws
  {
    let (definition, diagnostics) = Database().query(
      """
      q: BEGIN
        SELECT name FROM user WHERE id = 1;
        SELECT title FROM post WHERE userId = 2;
        SELECT name FROM user WHERE id = 3;
      END
      """)
    let query = try #require(definition)
    #expect(diagnostics.map(\.identity) == [.unusedResult, .unusedResult])
    #expect(query.isReadOnly)
    #expect(query.reads.map(\.table) == ["post", "user"])
    #expect(
      query.reads.map(\.rows) == [
        .comparison(column: "userId", .equal, .integer(2)),
        .any([
          .comparison(column: "id", .equal, .integer(1)),
          .comparison(column: "id", .equal, .integer(3)),
        ]),
      ])
  }

  @Test func `has terms that may be absent in each of them`() throws {
    let query = try query(
      """
      -- order: :by = age, name
      q: BEGIN
        DELETE FROM post WHERE userId = :user /* if :title */ AND title = :title;
        SELECT name FROM user WHERE /* if :age */ age = :age ORDER BY :by;
      END
      """)
    #expect(query.dynamicClauses.count == 3)
    #expect(
      texts(query, query.dynamicClauses.map(\.range)).map { $0.prefix(6) }
        == [" WHERE", " WHERE", " ORDER"])
    #expect(query.parameters.filter(\.isConditional).map(\.name) == ["title", "age"])
  }

  @Test(arguments: [
    Refusal("q: BEGIN DELETE FROM ①nowhere②; SELECT 1; END", .unknownTable),
    Refusal("q: BEGIN DELETE FROM tag; SELECT ①nmae② FROM user; END", .unknownColumn),
    Refusal(
      "q: BEGIN DELETE FROM tag WHERE name IN :a; SELECT 1 FROM user WHERE id = ①:a②; END",
      .mixedParameter),
    Refusal("q: BEGIN ①SELECT 1②; SELECT 2; END", .unusedResult),
    Refusal("q: BEGIN ①DELETE FROM tag RETURNING name②; SELECT 2; END", .unusedResult),
    Refusal(
      "-- type: :c AS T\n①q②: BEGIN DELETE FROM tag; SELECT :a, :b; END", .malformedAnnotation),
  ])
  func `is checked statement by statement`(_ refusal: Refusal) {
    let marked = MarkedText(refusal.sql)
    let diagnostics = Database().query(marked.text).diagnostics
    #expect(diagnostics.map(\.identity) == [refusal.identity], "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.span == marked.span)
  }
}
