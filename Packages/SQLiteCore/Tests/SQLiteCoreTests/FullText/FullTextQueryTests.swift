import SQLiteCore
import Testing

@Suite struct `Full-text queries` {
  struct Case: CustomTestStringConvertible, Sendable {
    let query: FullTextQuery, expression: String?
    var testDescription: String { expression ?? "nothing" }

    init(_ query: FullTextQuery, _ expression: String?) {
      self.query = query
      self.expression = expression
    }
  }

  @Test(arguments: [
    Case(.words("red  fox"), #""red" "fox""#),
    Case(.words("AND \"x\" a*"), #""AND" """x""" "a*""#),
    Case(.words(" \n"), nil),
    Case(.any("red fox"), #""red" OR "fox""#),
    Case(.any(""), nil),
    Case(.phrase("red fox"), #""red fox""#),
    Case(.phrase(""), nil),
    Case(.phrase("a\0b"), #""a b""#),
    Case(.phrasePrefix("red fo"), #""red fo"*"#),
    Case(.prefix("red fo"), #""red" "fo"*"#),
    Case(.prefix("red fo "), #""red" "fo""#),
    Case(.prefix(""), nil),
    Case(.web("red \"big fox\" -dog"), #"("red" "big fox") NOT "dog""#),
    Case(.web("red or fox -a -\"b c\""), #""red" OR ("fox" NOT ("a" OR "b c"))"#),
    Case(.web("red \"or\" fox"), #""red" "or" "fox""#),
    Case(.web("or red OR"), #""red""#),
    Case(.web("-dog"), nil),
    Case(.web("-dog or fox"), #""fox""#),
    Case(.web("\"open fox"), #""open fox""#),
    Case(.web("- \"\" -\"\""), #""-""#),
    Case(.near("red fox", distance: 2), #"NEAR("red" "fox", 2)"#),
    Case(.near(["big red", "fox"], distance: -4), #"NEAR("big red" "fox", 0)"#),
    Case(.near([]), nil),
    Case(.words("a b").and(.words("c")).and(.any("d e")), #"("a" "b") AND "c" AND ("d" OR "e")"#),
    Case(.words("a").and(.words("")), nil),
    Case(.words("a").or(.words("")).or(.words("b")), #""a" OR "b""#),
    Case(.words("").or(.words("")), nil),
    Case(
      .words("a").excluding(.words("b c")).excluding(.words("d")), #""a" NOT (("b" "c") OR "d")"#),
    Case(.words("a").excluding(.words("")), #""a""#),
    Case(.words("").excluding(.words("a")), nil),
    Case(.words("a b").inColumns(["x", "y\"z"]), #"{"x" "y""z"} : ("a" "b")"#),
    Case(.words("a").outsideColumns(["x"]), #"- {"x"} : ("a")"#),
    Case(.words("a").inColumns([]), nil),
    Case(.words("a").outsideColumns([]), #""a""#),
    Case(.words("").inColumns(["x"]), nil),
    Case(.raw("a NEAR b"), "a NEAR b"),
    Case(.raw("a OR b").and(.words("c")), #"(a OR b) AND "c""#),
  ])
  func `quote every word`(_ expected: Case) {
    #expect(expected.query.expression == expected.expression)
    #expect(expected.query.description == (expected.expression ?? ""))
  }

  @Test func `report text with only excluded words`() {
    #expect(FullTextQuery.web("-dog").excludesOnly)
    #expect(FullTextQuery.web("fox or -dog").inColumns(["x"]).or(.words("y")).excludesOnly)
    #expect(!FullTextQuery.web("fox -dog").excludesOnly)
    #expect(!FullTextQuery.web("").excludesOnly)
  }

  @Test func `use a limited number of words of a text`() throws {
    let text = (0..<5_000).map { "w\($0)" }.joined(separator: " ")
    for query: FullTextQuery in [.words(text), .any(text), .prefix(text), .web(text), .near(text)] {
      let expression = try #require(query.expression)
      #expect(expression.split(separator: "w").count == FullTextQuery.maximumWordCount + 1)
      #expect(!expression.contains("*"))
    }
  }

  @Test func `match the specified rows`() throws {
    let db = try memory(
      """
      CREATE VIRTUAL TABLE doc USING fts5(title, body);
      INSERT INTO doc VALUES ('red fox', 'runs far'), ('red dog', 'the quick brown fox'), ('cat', 'red');
      """)
    func found(_ query: FullTextQuery) throws -> [Int] {
      guard let expression = query.expression else { return [] }
      return try db.values(
        Int.self, "SELECT rowid FROM doc WHERE doc MATCH ? ORDER BY rowid", expression)
    }
    #expect(try found(.words("fox red")) == [1, 2])
    #expect(try found(.any("cat quick")) == [2, 3])
    #expect(try found(.phrase("red fox")) == [1])
    #expect(try found(.phrasePrefix("red do")) == [2])
    #expect(try found(.prefix("red qu")) == [2])
    #expect(try found(.prefix("red qu ")) == [])
    #expect(try found(.web("red -fox or runs")) == [1, 3])
    #expect(try found(.near("the brown", distance: 1)) == [2])
    #expect(try found(.near("the brown", distance: 0)) == [])
    #expect(try found(.words("red").inColumns(["body"])) == [3])
    #expect(try found(.words("red").outsideColumns(["body"])) == [1, 2])
    #expect(try found(.words("red").excluding(.words("fox"))) == [3])
    #expect(try found(.words("red").and(.any("cat dog"))) == [2, 3])
    #expect(try found(.words("title:red")) == [])
  }

  @Test func `that are raw fail with SQLite's message if they are invalid`() throws {
    let db = try memory("CREATE VIRTUAL TABLE doc USING fts5(title)")
    let error = #expect(throws: SQLiteError.self) {
      try db.values(
        Int.self, "SELECT rowid FROM doc WHERE doc MATCH ?", FullTextQuery.raw("a AND").expression)
    }
    #expect(error?.code == .error)
  }
}
