import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `A diagnostic` {
  private func render(
    _ text: String, _ range: Range<Int>, fixIt: Diagnostic.FixIt? = nil,
    notes: [Diagnostic.Note] = [], color: Bool = false
  ) -> String {
    var file = InputFile(path: "a.sql", name: "a", source: SourceText(text))
    file.diagnostics.append(
      Diagnostic(
        .init(rawValue: "test"), at: ByteSpan(range), "no such thing", notes: notes, fixIt: fixIt))
    var rendering = DiagnosticRenderer(usesColor: color)
    rendering.add(file)
    return rendering.text
  }

  @Test func `is underlined in its line`() {
    #expect(
      render("SELECT 1;\nSELECT nmae FROM t;\n", 17..<21) == """
        a.sql:2:8: error: no such thing
          SELECT nmae FROM t;
                 ^~~~

        """)
  }

  @Test func `counts characters, and is aligned below them`() {
    #expect(
      render("é\t'日本👩‍👩‍👧' x", "é\t'日本👩‍👩‍👧' ".utf8.count..<("é\t'日本👩‍👩‍👧' x".utf8.count)) == """
        a.sql:1:9: error: no such thing
          é\t'日本👩‍👩‍👧' x
           \t         ^

        """)
  }

  @Test func `is underlined up to the end of its first line`() {
    #expect(
      render("abc def\r\nghi", 4..<12) == """
        a.sql:1:5: error: no such thing
          abc def
              ^~~

        """)
  }

  @Test func `at the end of the text has a caret`() {
    #expect(
      render("abc", 3..<3) == """
        a.sql:1:4: error: no such thing
          abc
             ^

        """)
    #expect(render("", 0..<0) == "a.sql:1:1: error: no such thing\n  \n  ^\n")
  }

  @Test func `past the end of the text is reported at its end`() {
    #expect(render("abc\n", 90..<99).hasPrefix("a.sql:2:1: error"))
  }

  @Test func `in a very long line is shown with the nearby text`() {
    let text = String(repeating: "x", count: 1_000_000)
    let report = render(text, 500_000..<500_003)
    #expect(report.utf8.count < 1_000)
    #expect(report.hasPrefix("a.sql:1:500001: error"))
    #expect(report.contains("…xxx"))
  }

  @Test func `contains no control characters`() {
    #expect(!render("\u{1B}[31m\u{202E} x", 9..<10).contains("\u{1B}"))
  }

  @Test func `shows its notes and its fix-it`() {
    let report = render(
      "SELECT nmae", 7..<11, fixIt: .init(replace: ByteSpan(7..<11), with: "name"),
      notes: [.init("first here", at: ByteSpan(0..<6)), .init("remember")])
    #expect(
      report == """
        a.sql:1:8: error: no such thing
          SELECT nmae
                 ^~~~
                 name
        a.sql:1:1: note: first here
          SELECT nmae
          ^~~~~~
        a.sql: note: remember

        """)
  }

  @Test func `is colored on request`() {
    #expect(render("abc", 0..<1, color: true).contains("\u{1B}[31;1merror:\u{1B}[0m"))
    #expect(!render("abc", 0..<1).contains("\u{1B}"))
  }
}
