import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `An order that the caller chooses` {
  private func order(_ sql: String) throws -> (QueryDefinition, ParameterDefinition) {
    let (definition, diagnostics) = Database().query(sql)
    #expect(diagnostics.map(\.message) == [])
    let query = try #require(definition)
    return (query, try #require(query.parameters.first { !$0.orderChoices.isEmpty }))
  }

  @Test func `has the terms that the annotation declares`() throws {
    let (query, order) = try order(
      """
      -- order: :sort = name, age DESC NULLS LAST AS oldest, length(name) + 1 AS "long name"
      q: SELECT * FROM user WHERE active AND age > :age ORDER BY :sort, id LIMIT 5;
      """)
    #expect((order.name, order.index) == ("sort", 2))
    #expect(
      order.orderChoices == [
        OrderChoice(name: "name", sql: "name"),
        OrderChoice(name: "oldest", sql: "age", isDescending: true, nulls: .last),
        OrderChoice(name: "long name", sql: "length(name) + 1"),
      ])
    let clause = try #require(query.dynamicClauses.first)
    let bytes = Array(query.sql.utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    #expect(text(clause.range) == " ORDER BY :sort, id")
    #expect(clause.terms.map { text($0.range) } == [":sort", "id"])
    #expect(clause.terms.map(\.presence) == [.order(2), .always])
    #expect(query.documentation == nil)
  }

  @Test(arguments: [
    "SELECT name AS title FROM user ORDER BY :sort",
    "SELECT * FROM (SELECT name AS title FROM user ORDER BY :sort LIMIT 3)",
    "WITH t AS (SELECT name AS title FROM user ORDER BY :sort LIMIT 1) SELECT * FROM t",
    "SELECT name AS title FROM user UNION SELECT title FROM post ORDER BY :sort",
    "INSERT INTO tag SELECT 1, name AS title FROM user ORDER BY :sort LIMIT 1",
  ])
  func `may be in any ORDER BY of a SELECT`(_ statement: String) throws {
    let (query, _) = try order("-- order: :sort = title, 1 AS first\nq: \(statement)")
    #expect(query.dynamicClauses.map(\.terms.count) == [1])
  }

  @Test func `makes the result depend on the columns of all terms`() throws {
    let (query, _) = try order("-- order: :by = age, born\nq: SELECT name FROM user ORDER BY :by")
    #expect(query.reads.map(\.columns) == [["age", "born", "name"]])
  }

  @Test(arguments: [
    Refusal(
      "-- order: :sort = name, ①nmae②\nq: SELECT * FROM user ORDER BY :sort", .unknownColumn),
    Refusal(
      "-- order: :sort = name, ①title② AS t\nq: SELECT * FROM user ORDER BY :sort", .unknownColumn),
    Refusal(
      "-- order: :sort = ①count(*)② AS n\nq: SELECT name FROM user ORDER BY :sort",
      .aggregateMisuse),
    Refusal(
      "-- order: :sort = name, ①age②\nq: SELECT name FROM user UNION SELECT name FROM user "
        + "ORDER BY :sort", .orderTerm),
    Refusal(
      "-- order: :sort = ①7② AS x\nq: SELECT name FROM user ORDER BY :sort", .orderTerm),
    Refusal(
      "-- order: :sort = abs(age - ①:age②) AS near\nq: SELECT name FROM user ORDER BY :sort",
      .malformedAnnotation),
    Refusal(
      "-- order: ①:srot② = name\nq: SELECT name FROM user WHERE id > :sort", .malformedAnnotation),
    Refusal(
      "-- order: :sort = name\nq: SELECT name FROM user ORDER BY ①:sort DESC②",
      .malformedAnnotation),
    Refusal(
      "-- order: :sort = name\nq: SELECT name, ①:sort② FROM user ORDER BY :sort",
      .malformedAnnotation),
    Refusal(
      "-- order: :sort = name\nq: SELECT rank() OVER (ORDER BY ①:sort②) FROM user",
      .malformedAnnotation),
    Refusal(
      "-- order: :sort = name\nq: DELETE FROM user ORDER BY ①:sort② LIMIT 1", .malformedAnnotation),
  ])
  func `is checked at build time, with exact places`(_ refusal: Refusal) {
    let marked = MarkedText(refusal.sql)
    let diagnostics = Database().query(marked.text).diagnostics
    #expect(
      diagnostics.map(\.identity) == [refusal.identity], "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.span == marked.span)
  }

  @Test func `suggests the parameter's name`() {
    let diagnostics = Database().query("-- order: :srot = name\nq: SELECT 1 ORDER BY :sort")
      .diagnostics
    #expect(
      diagnostics.map(\.message) == [
        "the statement has no parameter \":srot\"; did you mean \":sort\"?"
      ])
    #expect(diagnostics.first?.fixIt?.replacement == ":sort")
  }
}
