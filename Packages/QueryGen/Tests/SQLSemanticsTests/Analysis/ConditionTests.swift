import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `A term with a condition` {
  private func query(_ sql: String) throws -> QueryDefinition {
    let (definition, diagnostics) = Database().query(sql)
    #expect(diagnostics.map(\.message) == [])
    return try #require(definition)
  }

  /// Returns each clause with its terms and their conditions.
  private func clauses(_ query: QueryDefinition) -> [String] {
    let bytes = Array(query.sql.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    return query.dynamicClauses.map { clause in
      let terms = clause.terms.map { term in
        switch term.presence {
        case .always: text(term.range)
        case .ifPresent(let numbers): "\(text(term.range)) \(numbers)"
        case .order(let number), .filter(let number): "\(text(term.range)) = \(number)"
        }
      }
      return terms.joined(separator: " | ")
    }
  }

  @Test(arguments: [
    ("WHERE age = :a AND /* if :b */ id = :b", "age = :a | id = :b [2]"),
    ("WHERE age = :a /* if :b */ AND id = :b", "age = :a | id = :b [2]"),
    ("WHERE age = :a -- if :b\nAND\n-- if $c\n id = :b + $c", "age = :a | id = :b + $c [2, 3]"),
    ("/* if :a */ WHERE age = :a", "age = :a [1]"),
    ("WHERE /* if :a */ (age = :a OR id = 1)", "(age = :a OR id = 1) [1]"),
    (
      "WHERE /* if ?2,?1 */ age BETWEEN ?1 AND ?2 AND active",
      "age BETWEEN ?1 AND ?2 [1, 2] | active"
    ),
    ("GROUP BY id HAVING /* if :a */ count(*) > :a", "count(*) > :a [1]"),
    (
      "JOIN post ON userId = user.id /* if :a */ AND title = :a",
      "userId = user.id | title = :a [1]"
    ),
    ("WHERE id IN (SELECT userId FROM post WHERE /* if :a */ title = :a)", "title = :a [1]"),
  ])
  func `is an operand of AND after an annotation`(_ clause: String, _ terms: String) throws {
    #expect(clauses(try query("q: SELECT user.id FROM user \(clause)")) == [terms])
  }

  @Test func `may contain a clause with such terms`() throws {
    let query = try query(
      """
      q: SELECT id FROM user WHERE active
        -- if :title
        AND id IN (SELECT userId FROM post WHERE title = :title /* if :day */ AND created_at > :day)
      """)
    #expect(query.dynamicClauses.count == 2)
    #expect(query.dynamicClauses[0].terms[1].range.contains(query.dynamicClauses[1].start))
  }

  @Test func `has a parameter that may be omitted, and is never NULL in the term`() throws {
    let query = try query(
      """
      q: SELECT id FROM user WHERE name = :name
        -- if :age
        AND age IS :age
      """)
    #expect(query.parameters.map(\.isConditional) == [false, true])
  }

  @Test func `implies nothing about the rows`() throws {
    let query = try query(
      """
      q: SELECT age, score FROM user WHERE age > 1
        -- if :id
        AND id = :id
        -- if :score
        AND score > :score
      """)
    #expect(query.cardinality == .many)
    guard case .columns(let columns) = query.result else {
      Issue.record("the result is not a list of columns")
      return
    }
    #expect(columns.map(\.isNullable) == [false, true])
    #expect(
      query.reads.map(\.rows) == [
        .all([
          .comparison(column: "age", .greater, .integer(1)),
          .ifPresent([1], .comparison(column: "id", .equal, .parameter(1))),
          .ifPresent([2], .comparison(column: "score", .greater, .parameter(2))),
        ])
      ])
  }

  @Test(arguments: [
    Refusal("q: SELECT id FROM user WHERE age = :a OR ①/* if :b */② id = :b", .malformedAnnotation),
    Refusal(
      "q: SELECT id FROM user WHERE (age = :a AND ①/* if :b */② id = :b)", .malformedAnnotation),
    Refusal(
      "q: SELECT id FROM user WHERE id BETWEEN :a ①/* if :b */② AND :b", .malformedAnnotation),
    Refusal("q: SELECT ①/* if :b */② id FROM user WHERE id = :b", .malformedAnnotation),
    Refusal("q: SELECT id FROM user WHERE id = :b ①-- if :b②\n;", .malformedAnnotation),
    Refusal("q: SELECT id FROM user WHERE /* if ①:c② */ id = :b", .malformedAnnotation),
    Refusal("q: SELECT id FROM user WHERE /* if :b ①is② */ id = :b", .unexpectedToken),
    Refusal("q: SELECT id FROM user WHERE /* if ①?② */ id = ?", .unexpectedToken),
    Refusal("q: SELECT id FROM user WHERE /* if :b */ ①ix② = :b AND TRUE", .unknownColumn),
    Refusal("q: DELETE FROM user WHERE /* if ①:b② */ id = :b", .malformedAnnotation),
    Refusal("q: UPDATE user SET age = 1 WHERE /* if ①:b② */ id = :b", .malformedAnnotation),
    Refusal(
      "q: SELECT 1 FROM user JOIN post ON /* if ①:b② */ userId = :b", .malformedAnnotation),
    Refusal(
      "-- order: :o = id\nq: SELECT id FROM user WHERE /* if ①:o② */ id = 1 ORDER BY :o",
      .malformedAnnotation),
    Refusal(
      "①q②: INSERT INTO tag (postId, name) SELECT 1, name FROM user WHERE /* if :b */ id = :b "
        + "ON CONFLICT DO NOTHING", .malformedAnnotation),
  ])
  func `is checked at build time, with exact places`(_ refusal: Refusal) {
    let marked = MarkedText(refusal.sql)
    let diagnostics = Database().query(marked.text).diagnostics
    #expect(
      diagnostics.map(\.identity) == [refusal.identity], "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.span == marked.span)
  }

  @Test func `names the parameters without which a statement is invalid`() {
    let diagnostics = Database().query(
      """
      q: INSERT INTO tag (postId, name) SELECT 1, name FROM user
      WHERE /* if :age */ age = :age
      ON CONFLICT DO NOTHING
      """
    ).diagnostics
    #expect(
      diagnostics.first?.message.hasPrefix("the statement is invalid without \"age\": ") == true)
  }

  @Test func `is not annotated by prose`() throws {
    let query = try query(
      """
      -- if :age is nil, there are no rows
      q: SELECT id FROM user WHERE name = :name
        -- if the user is known
        AND age = :age
      """)
    #expect(query.dynamicClauses == [])
    #expect(query.documentation == "if :age is nil, there are no rows")
  }
}
