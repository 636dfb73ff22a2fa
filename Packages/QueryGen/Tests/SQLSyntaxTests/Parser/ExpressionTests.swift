import SQLSyntax
import Testing

@Suite struct `Expressions` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, shape: String
    init(_ text: String, _ shape: String) {
      self.text = text
      self.shape = shape
    }
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case("a OR b AND c", "[a OR [b AND c]]"), Case("a AND b OR c", "[[a AND b] OR c]"),
    Case("NOT a = b", "[NOT [a = b]]"), Case("NOT a AND b", "[[NOT a] AND b]"),
    Case("NOT NOT a", "[NOT [NOT a]]"), Case("a = b = c", "[[a = b] = c]"),
    Case("a = b < c", "[a = [b < c]]"), Case("a < b = c", "[[a < b] = c]"),
    Case("a < b < c", "[[a < b] < c]"), Case("a | b < c", "[[a | b] < c]"),
    Case("a & b | c", "[[a & b] | c]"), Case("a << b + c", "[a << [b + c]]"),
    Case("a + b * c", "[a + [b * c]]"), Case("a - b - c", "[[a - b] - c]"),
    Case("a * b || c", "[a * [b || c]]"), Case("a || b -> c", "[[a || b] -> c]"),
    Case("a ->> b ->> c", "[[a ->> b] ->> c]"), Case("a || b COLLATE c", "[a || [b COLLATE c]]"),
    Case("-a COLLATE c", "[[- a] COLLATE c]"), Case("- a * b", "[[- a] * b]"),
    Case("~a || b", "[[~ a] || b]"), Case("- - a", "[- [- a]]"), Case("-+~a", "[- [+ [~ a]]]"),
    Case("1 + NOT 2 = 3", "[1 + [NOT [2 = 3]]]"), Case("1 = NOT 2 = 3", "[1 = [NOT [2 = 3]]]"),
    Case("1 + NOT 2 AND 3", "[[1 + [NOT 2]] AND 3]"), Case("- NOT a = b", "[- [NOT [a = b]]]"),
    Case("a IS b IS NOT c", "[[a IS b] IS NOT c]"), Case("a IS NOT NULL", "[a IS NOT NULL]"),
    Case("a IS NOT DISTINCT FROM b", "[a IS NOT DISTINCT FROM b]"),
    Case("a IS DISTINCT FROM b AND c", "[[a IS DISTINCT FROM b] AND c]"),
    Case("a == b", "[a = b]"), Case("a != b", "[a <> b]"),
    Case("(a, b) = (1, 2)", "[(a, b) = (1, 2)]"), Case("((a))", "((a))"),
  ])
  func `have the same operator precedence as in SQLite`(_ expected: Case) throws {
    #expect(shape(of: try parsedExpression(expected.text)) == expected.shape)
  }

  @Test(arguments: [
    Case("a LIKE b ESCAPE c", "[a LIKE b ESCAPE c]"),
    Case("a LIKE b || c ESCAPE d AND e", "[[a LIKE [b || c] ESCAPE d] AND e]"),
    Case("a LIKE b LIKE c ESCAPE d", "[[a LIKE b] LIKE c ESCAPE d]"),
    Case("a LIKE b < c ESCAPE d", "[a LIKE [b < c] ESCAPE d]"),
    Case("a NOT LIKE b = c", "[[a NOT LIKE b] = c]"), Case("a GLOB b", "[a GLOB b]"),
    Case("a NOT REGEXP b", "[a NOT REGEXP b]"), Case("a MATCH b", "[a MATCH b]"),
    Case("a ISNULL NOTNULL", "[[a ISNULL] NOTNULL]"), Case("a NOT NULL", "[a NOTNULL]"),
    Case("a = b ISNULL", "[[a = b] ISNULL]"), Case("NOT a ISNULL", "[NOT [a ISNULL]]"),
    Case("a BETWEEN 1 AND 2 AND b", "[[a BETWEEN 1 AND 2] AND b]"),
    Case("a BETWEEN 1 = 2 AND 3 < 4", "[a BETWEEN [1 = 2] AND [3 < 4]]"),
    Case("a BETWEEN NOT 1 AND 2", "[a BETWEEN [NOT 1] AND 2]"),
    Case("a NOT BETWEEN 1 AND 2 = b", "[[a NOT BETWEEN 1 AND 2] = b]"),
    Case("a = b IN (1)", "[[a = b] IN …]"), Case("a NOT IN () NOT NULL", "[[a NOT IN …] NOTNULL]"),
    Case("NOT a NOT IN (1)", "[NOT [a NOT IN …]]"), Case("a < b IN (1)", "[[a < b] IN …]"),
    Case("EXISTS (SELECT 1) AND a", "[EXISTS (SELECT 1) AND a]"),
  ])
  func `parse predicates as in SQLite`(_ expected: Case) throws {
    #expect(shape(of: try parsedExpression(expected.text)) == expected.shape)
  }

  @Test(arguments: [
    "a", "t.a", "main.t.a", "\"a b\".\"c\"\"d\"", "[a].`b`", "'t'.'a'", "left.right", "key", "like",
    "replace(a, b, c)", "glob(a, b)", "match(a, b)", "like(a)", "if(a)", "f()", "f(*)",
    "f(DISTINCT a)",
    "f(ALL a, b)", "f(DISTINCT)", "\"f\"(1)", "count(*) FILTER (WHERE a > 1)", "sum(a) OVER w",
    "sum(a) OVER (PARTITION BY b, c ORDER BY d DESC NULLS LAST)", "sum(a) FILTER (WHERE b) OVER ()",
    "sum(a) OVER (w ORDER BY b ROWS 1 PRECEDING)", "CASE a WHEN 1 THEN 2 ELSE 3 END",
    "CASE WHEN a THEN b WHEN c THEN d END", "CAST(a AS VARCHAR(1, 2))", "CAST(a AS)",
    "CAST(a AS unsigned big int)", "(SELECT 1)", "(WITH x AS (SELECT 1) SELECT * FROM x)",
    "(VALUES (1, 2))", "a IN (SELECT 1)", "a IN t", "a IN main.t", "a IN f(1, 2)", "a IN 't'",
    "a IN (VALUES (1))", "(a, b) IN (VALUES (1, 2))", "RAISE(IGNORE)", "RAISE(ABORT, 'no')",
    "RAISE(FAIL, \"no\")", "RAISE(ROLLBACK, no)", "NULL", "TRUE", "CURRENT_TIME", "CURRENT_DATE",
    "CURRENT_TIMESTAMP", "x'00fF'", "'it''s'", "?", "?1", ":a", "@a", "$a::b(c)", "#a", "0xFF",
    "9223372036854775808", "-9223372036854775808", ".5", "1.", "1e5", "indexed", "indexed(1)",
    "current", "window", "over", "filter", "rows", "generated", "always", "a -> '$.b'",
  ])
  func `are accepted in every form`(_ text: String) throws {
    _ = try parsedExpression(text)
  }

  @Test func `preserve their literals' values`() throws {
    func literal(_ text: String) throws -> Literal? {
      guard case .literal(let node) = try parsedExpression(text) else { return nil }
      return node.value
    }
    #expect(try literal("'it''s'") == .string("it's"))
    #expect(try literal("x'00fF'") == .blob([0, 255]))
    #expect(try literal("0xFFFFFFFFFFFFFFFF")?.integerValue == -1)
    #expect(try literal("9223372036854775807")?.integerValue == .max)
    #expect(try literal("9223372036854775808")?.integerValue == nil)
    #expect(try literal("9223372036854775808")?.realValue == 9_223_372_036_854_775_808)
    #expect(try literal("1.")?.realValue == 1)
    #expect(try literal(".5e1")?.realValue == 5)
    #expect(try literal("NULL") == .null)
  }

  @Test func `preserve their parameters' kinds`() throws {
    func kind(_ text: String) throws -> Parameter.Kind? {
      guard case .parameter(let node) = try parsedExpression(text) else { return nil }
      return node.kind
    }
    #expect(try kind("?") == .anonymous)
    #expect(try kind("?007") == .numbered(7))
    #expect(try kind("@a") == .named("@a"))
    #expect(try kind("$a::b(c)") == .named("$a::b(c)"))
  }

  @Test func `store their span`() throws {
    let text = "SELECT a + f(b) COLLATE nocase FROM t"
    let source = SourceText(text)
    let statement = try #require(expectParse(text).first)
    guard case .select(let select) = statement, case .query(let query) = select.first,
      case .expression(.binary(let node), _) = query.columns[0].kind
    else { throw NoExpression() }
    #expect(source[node.span] == "a + f(b) COLLATE nocase")
    #expect(source[node.operatorSpan] == "+")
    #expect(source[node.right.span] == "f(b) COLLATE nocase")
    #expect(source[statement.span] == text)
  }

  @Test func `are boolean for the unquoted words TRUE and FALSE`() throws {
    func value(_ text: String) throws -> Bool? {
      guard case .column(let node) = try parsedExpression(text) else { return nil }
      return node.booleanValue
    }
    #expect(try value("tRue") == true)
    #expect(try value("FALSE") == false)
    #expect(try value("\"true\"") == nil)
    #expect(try value("t.true") == nil)
  }
}

@Suite struct `Invalid expressions` {
  @Test(arguments: [
    "SELECT ①②", "SELECT 1 +①②", "SELECT (1①②", "SELECT f(1①②", "SELECT a NOT①②",
    "SELECT CASE①②", "SELECT CASE 1①②", "SELECT CAST(1 AS int①②", "SELECT EXISTS①②",
    "SELECT a BETWEEN 1①②", "SELECT a LIKE①②", "SELECT a IN①②", "SELECT a IS DISTINCT①②",
    "SELECT a.①②", "SELECT (1, 2①②", "SELECT RAISE(①②", "SELECT a COLLATE①②",
  ])
  func `are reported at the end of the text`(_ text: String) {
    expectParse(text, Fault(.unexpectedEnd))
  }

  @Test(arguments: [
    "SELECT ①)②", "SELECT 1 + ①*② 2", "SELECT (①)②", "SELECT f(①,②)", "SELECT a NOT ①b②",
    "SELECT CASE a ①END②", "SELECT CASE WHEN 1 ①ELSE② 2 END", "SELECT CAST(1 ①int②)",
    "SELECT cast ①FROM② t", "SELECT raise ①FROM② t", "SELECT a BETWEEN 1 ①OR② 2 AND 3",
    "SELECT a IN ①?②", "SELECT f(*①,② 1)", "SELECT a.b.c①.②d",
    "SELECT a.* ①+② 1", "SELECT t.*①.②a", "SELECT RAISE(①foo②)", "SELECT RAISE(ABORT①)②",
    "SELECT a ISNULL ①1②", "SELECT a LIKE b ESCAPE ①)②", "SELECT EXISTS (①1②)",
    "SELECT a IS DISTINCT ①b②", "SELECT f(a ①b②)",
    "SELECT count(*) FILTER (①a②)", "SELECT ①#1②", "SELECT current_date①.②a", "SELECT raise①.②*",
    "SELECT distinct ①distinct② a",
  ])
  func `are rejected at the invalid token`(_ text: String) {
    expectParse(text, Fault(.unexpectedToken))
  }

  @Test func `report the expected and the actual token`() {
    expectParse(
      "SELECT (①)②", Fault(.unexpectedToken, "expected an expression, found \")\""))
    expectParse(
      "SELECT 1 + ①②", Fault(.unexpectedEnd, "expected an expression, found the end of the text"))
    expectParse(
      "SELECT a ①'②b", Fault(.unterminatedString, "this string has no closing quote")
    )
  }

  @Test(
    arguments: [
      ("SELECT ①'②abc", .unterminatedString), ("SELECT ①\"②abc", .unterminatedName),
      ("SELECT ①[②abc", .unterminatedName), ("SELECT ①x'0'②", .malformedBlob),
      ("SELECT ①1a②", .malformedNumber), ("SELECT ①:② a", .malformedParameter),
      ("SELECT 1 ①^② 2", .unexpectedCharacter), ("SELECT ①\u{0}②", .unexpectedCharacter),
      ("SELECT ①?0②", .parameterNumberOutOfRange), ("SELECT ①?250001②", .parameterNumberOutOfRange),
      ("SELECT ①?99999999999999999999②", .parameterNumberOutOfRange),
      ("SELECT ①0x10000000000000000②", .hexNumberTooLarge),
      ("SELECT ①-0x8000000000000000②", .hexNumberTooLarge),
      (
        "SELECT sum(a) OVER (①ROWS BETWEEN CURRENT ROW AND 1 PRECEDING②)", .unsupportedFrame
      ),
      ("SELECT sum(a) OVER (①ROWS 1 FOLLOWING②)", .unsupportedFrame),
    ] as [(String, Diagnostic.Identity)])
  func `are rejected by a dedicated rule`(_ text: String, _ identity: Diagnostic.Identity) {
    expectParse(text, Fault(identity))
  }

  @Test func `suggest quotes for a keyword used as a name`() throws {
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText("CREATE TABLE order (a)"), diagnostics: &list)
    let diagnostic = try #require(list.diagnostics.first)
    #expect(diagnostic.fixIt == Diagnostic.FixIt(replace: ByteSpan(13..<18), with: "\"order\""))
    #expect(
      diagnostic.notes.map(\.message) == [
        "order is a keyword; put it in double quotes to use it as a name"
      ])
  }

  @Test func `have at most 127 function arguments`() {
    func call(_ count: Int) -> String {
      "(" + Array(repeating: "1", count: count).joined(separator: ", ") + ")"
    }
    expectParse("SELECT f\(call(127))")
    expectParse("SELECT ①f②\(call(128))", Fault(.tooManyArguments))
  }
}
