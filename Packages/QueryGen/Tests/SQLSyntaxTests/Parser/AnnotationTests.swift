import SQLSyntax
import Testing

@Suite struct `An order annotation` {
  private func orders(_ text: String) -> [String] {
    let queries = expectQueryFile(text)
    return queries.flatMap(\.annotations.orders).map { order in
      let choices = order.choices.map { choice in
        let term = choice.term
        let words = [term.direction?.rawValue, term.nulls?.rawValue].compactMap(\.self)
        return ([choice.name.text, SourceText(text)[term.expression.span]] + words)
          .joined(separator: " | ")
      }
      return "\(order.parameter.name ?? "?"): \(choices.joined(separator: ", "))"
    }
  }

  @Test func `declares terms with names and directions`() {
    #expect(
      orders(
        """
        -- order: :sort = name, t.score DESC NULLS LAST AS best, (title COLLATE NOCASE)
        a: SELECT * FROM t ORDER BY :sort;
        """) == [
          "sort: name | name, best | t.score | DESC | NULLS LAST, title | (title COLLATE NOCASE)"
        ])
  }

  @Test func `may be anywhere above or in the query, in any comment`() {
    let expected = ["sort: a | a, b | b"]
    #expect(
      orders(
        """
        /* The rows.
         * order: :sort = a
         * order: :sort = b */
        q: SELECT * FROM t ORDER BY :sort;
        """) == expected)
    #expect(
      orders(
        """
        -- name: q :many
        -- order: :sort = a
        SELECT * FROM t
        -- order: :sort = b
        ORDER BY :sort;
        """) == expected)
    #expect(
      orders("DEFINE QUERY q AS -- order: :sort = a, b\nSELECT * FROM t ORDER BY :sort;")
        == expected)
  }

  @Test func `belongs to one query, and other comments are prose`() {
    #expect(
      orders(
        """
        -- order: :sort = a

        -- order: the newest first
        q: SELECT 1; -- order: :sort = b
        """) == [])
  }

  @Test func `has errors at exact places`() {
    expectQueryFile(
      "-- order: :sort = a, ①,② b\nq: SELECT 1", Fault(.unexpectedToken))
    expectQueryFile(
      "-- order: :sort = a, ①a + 1②\nq: SELECT 1",
      Fault(.malformedAnnotation, "this term needs a name; put \"AS name\" after it"))
    expectQueryFile("-- order: :sort ①a②\nq: SELECT 1", Fault(.unexpectedToken))
    expectQueryFile("-- order: ①?② = a\nq: SELECT 1", Fault(.unexpectedToken))
    expectQueryFile("-- order: :sort = a ①b②\nq: SELECT 1", Fault(.unexpectedToken))
    expectQueryFile(
      "-- order: :sort = a, t.①A②\nq: SELECT 1", Fault(.malformedAnnotation))
    expectQueryFile(
      "/* order: :sort = a, ①②*/\nq: SELECT 1",
      Fault(
        .unexpectedEnd,
        "expected an expression, found the end of the annotation; remove the trailing comma"))
  }
}
