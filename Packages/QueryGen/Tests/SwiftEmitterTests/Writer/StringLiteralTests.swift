import Testing

@testable import SwiftEmitter

@Suite struct `String literals` {
  @Test(arguments: [
    ("a", "\"a\""), ("a\"b", "#\"a\"b\"#"), ("a\\b", "#\"a\\b\"#"), ("\"#", "##\"\"#\"##"),
    ("\\##(1)", "###\"\\##(1)\"###"), ("\r", "\"\\r\""), ("\\\r", "#\"\\\\#r\"#"),
    ("\u{0}", "\"\\u{0}\""), ("\n", "\"\\n\""), ("#", "\"#\""),
    ("\"## \"", "###\"\"## \"\"###"),
  ])
  func `on one line can contain any text`(_ text: String, _ literal: String) {
    #expect(StringLiteral.singleLine(text) == literal)
  }

  @Test func `on several lines need no escape for a quote`() {
    let literal = StringLiteral.multiLine("a \"b\"\n\"\"c")
    #expect(literal.opening == "\"\"\"")
    #expect(literal.rows == ["a \"b\"", "\"\"c"])
  }

  @Test func `on several lines escape trailing white space`() {
    #expect(StringLiteral.multiLine("a \n \t\n").rows == ["a\\u{20}", " \\u{9}", ""])
  }

  @Test func `on several lines get the hashes that three quotes require`() {
    #expect(StringLiteral.multiLine("\"\"\"#").opening == "##\"\"\"")
    #expect(StringLiteral.multiLine("\\##").opening == "###\"\"\"")
  }
}
