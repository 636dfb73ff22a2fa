import Primitives
import Testing

@Suite struct `SQL tokens` {
  /// All tokens of a text, including white space and comments.
  private func tokens(_ sql: String) -> [(kind: SQLToken.Kind, text: String)] {
    let bytes = Array(sql.utf8)
    var found: [(SQLToken.Kind, String)] = []
    var start = 0
    while let token = SQLToken(in: bytes.elementSpan, at: start) {
      found.append((token.kind, String(decoding: bytes[token.range], as: UTF8.self)))
      start = token.range.upperBound
    }
    return found
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let kind: SQLToken.Kind
    /// Tokens of each kind, each as the only token of its text.
    let texts: [String]
    var testDescription: String { "\(kind)" }
  }

  @Test(arguments: [
    Case(kind: .word, texts: ["a", "SELECT", "_1", "é", "日本", "a$b", "x", "X1", "e5", "\u{FEFE}"]),
    Case(
      kind: .quotedName,
      texts: [#""a""#, #""a""b""#, #""""#, "`a`", "`a``b`", "[a b]", "[a[b\"']", "[]", #""a--b""#]),
    Case(kind: .string, texts: ["'a'", "''", "'it''s'", "'/* \" `'", "'é\n'"]),
    Case(kind: .blob, texts: ["x''", "X'0aFF'"]),
    Case(
      kind: .number,
      texts: [
        "0", "12", "1.", "1.5", ".5", "1e5", "1E+5", "1.5e-10", ".5e1", "0x1F", "0X0", "1_000",
        "1_0.0_1e1_0", "0xF_F",
      ]),
    Case(
      kind: .parameter,
      texts: [
        "?", "?1", "?007", ":a", ":1", "@a", "#a", "$a", "$é", "$a::b", "$::a", "$a(b)",
        "$a::b(c\")",
      ]),
    Case(
      kind: .symbol,
      texts: [
        "(", ")", ";", "+", "*", "%", ",", "&", "~", ".", "-", "->", "->>", "/", "=", "==", "<",
        "<=",
        "<>", "<<", ">", ">=", ">>", "!=", "|", "||",
      ]),
    Case(kind: .space, texts: [" ", "\t\n\u{C}\r \u{B}", "\u{FEFF}"]),
    Case(kind: .comment, texts: ["--", "-- a", "/**/", "/* a * / */", "/***/", "/* a", "/*/"]),
    Case(
      kind: .illegal,
      texts: [
        "!", "{", "\\", "^", "\u{B}", "\u{1}", "]", ":", "@", "$", "#", "'a", "\"a", "`a``", "[a",
        "''' ",
        "x'1'", "x'0g'", "x'00", "1a", "1.5x", "0x1G", "1e5e", "1_é", "$a(", "$a(b",
      ]),
  ])
  func `are delimited like SQLite's`(_ expected: Case) {
    for text in expected.texts {
      let found = tokens(text)
      #expect(found.map(\.text) == [text])
      #expect(found.map(\.kind) == [expected.kind], "\(text)")
    }
  }

  @Test(arguments: [
    ("a.b", ["a", ".", "b"]), ("1..2", ["1.", ".2"]), ("1e+", ["1e", "+"]),
    ("a--b\nc", ["a", "--b", "\n", "c"]),
    ("/*a*/b", ["/*a*/", "b"]), ("a/*", ["a", "/", "*"]), ("'a''b'c", ["'a''b'", "c"]),
    ("?1a", ["?1", "a"]), ("a:b", ["a", ":b"]), ("a::b", ["a", ":", ":b"]),
    ("$a(b c)", ["$a(b", " ", "c", ")"]),
    ("0x", ["0x"]), ("<=>", ["<=", ">"]), ("|||", ["||", "|"]), ("--->", ["--->"]),
    ("->>>", ["->>", ">"]),
    (" \u{B}\u{B}a", [" \u{B}\u{B}", "a"]), ("a\u{B}b", ["a", "\u{B}", "b"]),
    ("\u{FEFF}a\u{FEFF}", ["\u{FEFF}", "a\u{FEFF}"]),
    ("a[b]c", ["a", "[b]", "c"]), ("x'ab'c", ["x'ab'", "c"]), ("xx'ab'", ["xx", "'ab'"]),
    ("x'0'ab'", ["x'0'", "ab", "'"]), ("a\0b", ["a"]), ("'a\0b'", ["'a"]), ("/*\0*/", ["/", "*"]),
  ])
  func `end at the same places as SQLite's`(sql: String, texts: [String]) {
    #expect(tokens(sql).map(\.text) == texts)
  }

  @Test func `cover every byte of any input`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        UInt8.random(in: 1...255, using: &generator)
      }
      var start = 0
      while let token = SQLToken(in: bytes.elementSpan, at: start) {
        guard token.range.lowerBound == start, !token.range.isEmpty else {
          Issue.record("\(token) at \(start) of \(bytes)")
          return
        }
        start = token.range.upperBound
      }
      #expect(start == bytes.count)
    }
  }

  @Test(arguments: [
    "'a", "\"a", "`a", "[a", "x'00", "/* a", "/* a *", "-- a", "a /*a*/ 'b",
  ])
  func `are open if the text ends within them`(sql: String) {
    let bytes = Array(sql.utf8)
    var (start, isOpen) = (0, false)
    while let token = SQLToken(in: bytes.elementSpan, at: start) {
      (start, isOpen) = (token.range.upperBound, token.isOpen)
    }
    #expect(isOpen)
    #expect(SQLTokens(sql).isOpen == (sql != "-- a"))
  }
}

@Suite struct `A list of SQL tokens` {
  @Test func `has neither white space nor comments`() {
    let tokens = SQLTokens("SELECT a -- one\n, /* two */ 'b'")
    #expect((0..<tokens.count).map { tokens.text($0) } == ["SELECT", "a", ",", "'b'"])
    #expect(tokens.text(1..<3) == "a -- one\n,")
    #expect(tokens.text(from: 2) == ", /* two */ 'b'")
    #expect(tokens.text(7) == "" && tokens.text(-1) == "" && tokens.kind(4) == nil)
  }

  @Test func `finds unquoted words in any case, and symbols`() {
    let tokens = SQLTokens("Create \"create\" 'create' -> @create")
    #expect(tokens.is(0, "CREATE") && tokens.is(3, "->"))
    #expect(!tokens.is(1, "CREATE") && !tokens.is(2, "create") && !tokens.is(4, "@create"))
    #expect(!SQLTokens("é").is(0, "É"))
    #expect(SQLTokens("IF NOT EXISTS a").are(0, "if", "not", "exists"))
    #expect(!SQLTokens("IF NOT").are(0, "IF", "NOT", "EXISTS"))
  }

  @Test(arguments: [
    ("a", "a"), (#""a""b""#, #"a"b"#), ("`a``b`", "a`b"), ("[a[b]", "a[b"), ("'it''s'", "it's"),
    (#""""""#, #"""#), ("[a\"\"b]", "a\"\"b"),
  ])
  func `removes the quotes of names`(sql: String, name: String) {
    #expect(SQLTokens(sql).name(0) == name)
    #expect(SQLTokens("x " + sql).mentions(name.uppercased()))
  }

  @Test func `is split at commas outside parentheses`() {
    let tokens = SQLTokens("(a, f(b, c), (d)) e")
    #expect(tokens.endOfParentheses(from: 0) == tokens.count - 1)
    let parts = tokens.separated(1..<tokens.count - 2)
    #expect(parts.map { tokens.text($0) } == ["a", "f(b, c)", "(d)"])
    #expect(SQLTokens("(a, (b").endOfParentheses(from: 0) == 5)
  }

  @Test func `has a text without surrounding white space and comments`() {
    #expect(SQLTokens(" /* a */ SELECT 1 ; ; -- b").trimmedText == "SELECT 1")
    #expect(SQLTokens(" ;").trimmedText == "")
  }
}
