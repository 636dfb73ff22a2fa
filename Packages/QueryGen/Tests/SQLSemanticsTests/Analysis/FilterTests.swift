import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `A filter that the caller composes` {
  @Test func `has typed values`() throws {
    let (definition, diagnostics) = Database().query(
      """
      -- filter: :f = name, u.age, score > 1 AS good, length(name) AS size
      q: SELECT id FROM user AS u WHERE id > :id AND :f
      """)
    #expect(diagnostics.map(\.message) == [])
    let query = try #require(definition)
    let filter = query.parameters[1]
    #expect(filter.isConditional)
    #expect(filter.filterColumns.map(\.name) == ["name", "age", "good", "size"])
    #expect(
      filter.filterColumns.map(\.sql) == ["name", "u.age", "(score > 1)", "(length(name))"])
    #expect(filter.filterColumns.map(\.type) == [.text, .integer, .boolean, .integer])
    #expect(filter.filterColumns.map(\.origins.count) == [1, 1, 0, 0])
    #expect(query.dynamicClauses.map { $0.terms.map(\.presence) } == [[.always, .filter(2)]])
    #expect(query.reads.map(\.columns) == [["age", "id", "name", "score"]])
  }

  @Test(arguments: [
    Refusal("-- filter: :f = name, ①nmae②\nq: SELECT id FROM user WHERE :f", .unknownColumn),
    Refusal("-- filter: :f = ①count②(*) AS n\nq: SELECT id FROM user WHERE :f", .aggregateMisuse),
    Refusal(
      "-- filter: :f = age + ①:x② AS n\nq: SELECT id FROM user WHERE :f AND :x",
      .malformedAnnotation),
    Refusal("-- filter: :f = ①age DESC②\nq: SELECT id FROM user WHERE :f", .malformedAnnotation),
    Refusal("-- filter: ①:g② = age\nq: SELECT id FROM user WHERE :f", .malformedAnnotation),
    Refusal(
      "-- filter: :f = age\nq: SELECT id FROM user WHERE ①:f② OR id = 1", .malformedAnnotation),
    Refusal("-- filter: :f = age\nq: SELECT ①:f② FROM user WHERE :f", .malformedAnnotation),
    Refusal(
      "-- filter: :f = age\nq: SELECT :x FROM user WHERE /* if ①:x② */ :f", .malformedAnnotation),
    Refusal("-- filter: :f = age\nq: DELETE FROM user WHERE ①:f②", .malformedAnnotation),
  ])
  func `is checked at build time, with exact places`(_ refusal: Refusal) {
    let marked = MarkedText(refusal.sql)
    let diagnostics = Database().query(marked.text).diagnostics
    #expect(
      diagnostics.map(\.identity) == [refusal.identity], "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.span == marked.span)
  }
}
