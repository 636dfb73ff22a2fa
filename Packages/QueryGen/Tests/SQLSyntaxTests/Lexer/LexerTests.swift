import SQLSyntax
import Testing

@Suite struct `The lexer` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, kinds: [TokenKind]
    init(_ text: String, _ kinds: TokenKind...) {
      self.text = text
      self.kinds = kinds
    }
    var testDescription: String { text }
  }

  func kinds(_ text: String) -> [TokenKind] {
    Lexer.tokenize(SourceText(text)).tokens.map(\.kind).dropLast()
  }

  @Test(arguments: [
    Case("0", .integer), Case("12", .integer), Case("0x1F", .integer), Case("0XfF", .integer),
    Case("1.5", .real), Case(".5", .real), Case("1.", .real), Case("1e5", .real),
    Case("1E-5", .real), Case("1.e+5", .real), Case("9999999999999999999", .integer),
    Case("1abc", .illegal), Case("1.5x", .illegal), Case("1e", .illegal), Case("1_000", .illegal),
    Case("0x", .illegal), Case("0xg", .illegal), Case("0x1g", .integer, .identifier),
    Case("1..2", .real, .real), Case("1.a", .illegal),
  ])
  func `reads numbers`(_ expected: Case) {
    #expect(kinds(expected.text) == expected.kinds)
  }

  @Test(arguments: [
    Case("''", .string), Case("'it''s'", .string), Case("'a\nb'", .string),
    Case("\"a\"\"b\"", .identifier), Case("`a``b`", .identifier), Case("[a b]", .identifier),
    Case("[a]]", .identifier, .illegal), Case("x'0aF0'", .blob), Case("X''", .blob),
    Case("x'0'", .illegal), Case("x'0g'", .illegal), Case("x '00'", .identifier, .string),
    Case("'abc", .illegal), Case("\"abc", .illegal), Case("`abc", .illegal),
    Case("[abc", .illegal), Case("x'00", .illegal), Case("'a''", .illegal),
  ])
  func `reads quoted tokens`(_ expected: Case) {
    #expect(kinds(expected.text) == expected.kinds)
  }

  @Test(arguments: [
    Case("?", .parameter), Case("?12", .parameter), Case("?a", .parameter, .identifier),
    Case(":a1", .parameter), Case("@a", .parameter), Case("$a", .parameter),
    Case("#a", .parameter), Case("$a::b", .parameter),
    Case(
      "$a::b(c d)", .illegal, .identifier,
      .rightParenthesis), Case("$a(c)", .parameter), Case("$a(c", .illegal),
    Case(":1", .parameter), Case(":", .illegal), Case("@ a", .illegal, .identifier),
    Case("::a", .illegal, .parameter),
    Case(
      ":(a)", .illegal, .leftParenthesis, .identifier,
      .rightParenthesis),
  ])
  func `reads parameters`(_ expected: Case) {
    #expect(kinds(expected.text) == expected.kinds)
  }

  @Test(arguments: [
    Case("_x", .identifier), Case("a$b", .identifier), Case("größe", .identifier),
    Case("名前", .identifier), Case("😀", .identifier), Case("SELECT", .select),
    Case("sElEcT", .select), Case("selects", .identifier), Case("selec", .identifier),
    Case("temporary", .temp), Case("current_timestamp", .currentTimestamp),
    Case("CURRENT TIME", .current, .identifier), Case("i\u{017F}", .identifier),
    Case("x", .identifier), Case("xor", .identifier),
  ])
  func `reads words`(_ expected: Case) {
    #expect(kinds(expected.text) == expected.kinds)
  }

  @Test(arguments: [
    Case("-> ->> -", .arrow, .doubleArrow, .minus), Case("= ==", .equal, .equal),
    Case("<> !=", .notEqual, .notEqual), Case("< <= <<", .less, .lessOrEqual, .shiftLeft),
    Case("> >= >>", .greater, .greaterOrEqual, .shiftRight), Case("| ||", .bar, .concatenate),
    Case("&~%", .ampersand, .tilde, .percent), Case("!", .illegal), Case("^", .illegal),
    Case("\\", .illegal), Case("{", .illegal), Case("a.b", .identifier, .dot, .identifier),
    Case("\u{0}", .illegal), Case("a\u{0}b", .identifier, .illegal, .identifier),
  ])
  func `reads operators`(_ expected: Case) {
    #expect(kinds(expected.text) == expected.kinds)
  }

  @Test(arguments: [
    Case("-- a\n1", .integer), Case("/* a */1", .integer), Case("/* a", .dot), Case("--", .dot),
    Case("/**/1", .integer), Case("/*/ 1 */2", .integer), Case("1-- 2", .integer),
  ])
  func `separates comments from tokens`(_ expected: Case) {
    let list = Lexer.tokenize(SourceText(expected.text))
    let expectedKinds = expected.kinds == [.dot] ? [] : expected.kinds
    #expect(list.tokens.map(\.kind).dropLast() == expectedKinds[...])
    #expect(list.comments.count == 1)
  }

  @Test func `reads a comment start at the very end as two operators`() {
    #expect(kinds("/*") == [.slash, .star])
  }

  @Test func `skips byte order marks and spaces`() {
    #expect(kinds("\u{FEFF}a \t\r\n\u{0C}b \u{0B}c") == [.identifier, .identifier, .identifier])
    #expect(kinds("a\u{0B}") == [.identifier, .illegal])
  }

  @Test(arguments: [
    Case("f() OVER w", .identifier, .leftParenthesis, .rightParenthesis, .over, .identifier),
    Case("f() OVER (", .identifier, .leftParenthesis, .rightParenthesis, .over, .leftParenthesis),
    Case("f() OVER,", .identifier, .leftParenthesis, .rightParenthesis, .identifier, .comma),
    Case("a OVER w", .identifier, .identifier, .identifier),
    Case(") FILTER (", .rightParenthesis, .filter, .leftParenthesis),
    Case(") FILTER x", .rightParenthesis, .identifier, .identifier),
    Case("FILTER (", .identifier, .leftParenthesis),
    Case("WINDOW w AS", .window, .identifier, .as), Case("WINDOW w", .identifier, .identifier),
    Case("WINDOW WINDOW w AS", .identifier, .window, .identifier, .as),
  ])
  func `treats WINDOW, OVER and FILTER as keywords depending on their neighbors`(
    _ expected: Case
  ) {
    #expect(kinds(expected.text) == expected.kinds)
  }

  @Test func `recognizes every keyword of SQLite 3.40 in any case`() {
    let reserved =
      "ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT "
      + "CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS "
      + "FOREIGN FROM GROUP HAVING IN INDEX INDEXED INSERT INTERSECT INTO IS ISNULL JOIN LIMIT "
      + "NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE "
      + "THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE CROSS LEFT NATURAL"
    for word in reserved.split(separator: " ") {
      #expect(kinds(String(word)).allSatisfy { $0.isKeyword && $0.spelling == String(word) })
      #expect(kinds(word.lowercased()) == kinds(String(word)))
    }
  }

  @Test func `covers every byte with a token, a comment or a space`() {
    let text = "SELECT a /* b */ FROM [t] -- c\n WHERE x'00'||'é' = :p ^ 1a"
    let list = Lexer.tokenize(SourceText(text))
    var bytes = Array(text.utf8)
    for span in list.tokens.map(\.span) + list.comments {
      for index in span.range { bytes[index] = 0x20 }
    }
    #expect(bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A })
  }

  @Test func `reports the reason for an illegal token`() {
    func fault(_ text: String) -> LexicalError? {
      let source = SourceText(text)
      return Lexer.tokenize(source).tokens.first { $0.kind == .illegal }
        .map { Lexer.fault(at: $0.span, in: source) }
    }
    #expect(fault("'a") == .unterminatedString)
    #expect(fault("\"a") == .unterminatedName)
    #expect(fault("[a") == .unterminatedName)
    #expect(fault("x'1'") == .malformedBlob)
    #expect(fault("1a") == .malformedNumber)
    #expect(fault(": a") == .malformedParameter)
    #expect(fault("^") == .unexpectedCharacter)
    #expect(fault("a") == nil)
  }
}
