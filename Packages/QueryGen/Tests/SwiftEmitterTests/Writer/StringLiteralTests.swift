import Testing

@testable import SwiftEmitter

@Suite struct `String literals` {
  @Test(arguments: [
    ("a", "\"a\""), ("a\"b", "#\"a\"b\"#"), ("a\\b", "#\"a\\b\"#"), ("\"#", "##\"\"#\"##"),
    ("\\##(1)", "###\"\\##(1)\"###"), ("\r", "\"\\r\""), ("\\\r", "#\"\\\\#r\"#"),
    ("\u{0}", "\"\\u{0}\""), ("\n", "\"\\n\""), ("#", "\"#\""),
    ("\"## \"", "###\"\"## \"\"###"),
  ])
  func `on one line hold any text`(_ text: String, _ literal: String) {
    #expect(StringLiteral.singleLine(text) == literal)
  }

  @Test func `over lines need no escape for a quote`() {
    let literal = StringLiteral.multiLine("a \"b\"\n\"\"c")
    #expect(literal.opening == "\"\"\"")
    #expect(literal.rows == ["a \"b\"", "\"\"c"])
  }

  @Test func `over lines escape space at the end of a line`() {
    #expect(StringLiteral.multiLine("a \n \t\n").rows == ["a\\u{20}", " \\u{9}", ""])
  }

  @Test func `over lines get the hashes that three quotes need`() {
    #expect(StringLiteral.multiLine("\"\"\"#").opening == "##\"\"\"")
    #expect(StringLiteral.multiLine("\\##").opening == "###\"\"\"")
  }
}
