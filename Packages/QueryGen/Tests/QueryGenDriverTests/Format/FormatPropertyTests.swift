import SQLSyntax
import Testing

@testable import QueryGenDriver

/// Properties of any formatted text.
@Suite struct `Formatting any SQL` {
  @Test(arguments: CorpusTexts.files)
  func `keeps the tokens, the comments and the meaning, and is idempotent`(
    _ file: String
  ) throws {
    guard let texts = try CorpusTexts.texts(of: file) else { return }
    var count = 0
    for (number, text) in texts.enumerated() {
      let options = FormatOptions(
        keywords: FormatOptions.KeywordCase.allCases[number % 3], width: [40, 60, 100][number % 3])
      if check(text, options) { count += 1 }
    }
    print("\(file): \(count) of \(texts.count) texts were formatted")
    #expect(count > 0)
  }

  @Test func `does so with comments and white space anywhere`() throws {
    let text = """
      WITH RECURSIVE a (x, y) AS (SELECT 1, - -2 UNION ALL SELECT x + 1, y FROM a WHERE x < 10)
      SELECT DISTINCT CASE WHEN a.x BETWEEN 1 AND 2 AND y OR 3 THEN 'x' ELSE -y END AS "q", count(*)
      FILTER (WHERE x > 1) OVER (PARTITION BY x, y ORDER BY y ROWS BETWEEN 1 PRECEDING AND CURRENT
      ROW), x'00' || :p || ?1 FROM a AS b LEFT OUTER JOIN main.c ON a.x = c.x, json_each(y) WHERE x IN
      (1, 2) AND y NOT IN (SELECT z FROM d) GROUP BY 1, 2 HAVING x IS NOT DISTINCT FROM y ORDER BY x
      COLLATE nocase DESC NULLS LAST LIMIT 1 OFFSET 2;
      INSERT OR REPLACE INTO t (a, b) VALUES (1, 2), (3, 4) ON CONFLICT (a) WHERE b DO UPDATE SET a =
      excluded.a, (b, c) = (1, 2) WHERE a RETURNING *, a AS z;
      CREATE TRIGGER g AFTER UPDATE OF a, b ON t FOR EACH ROW WHEN new.a > 1 BEGIN UPDATE t SET a = 1;
      SELECT raise(ABORT, 'no'); END;
      CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, key VARCHAR(10, 2) DEFAULT (1) CHECK (a > 1),
      FOREIGN KEY (a) REFERENCES u (b) ON DELETE SET NULL) STRICT, WITHOUT ROWID;
      CREATE VIRTUAL TABLE f USING fts5(a, b  UNINDEXED, tokenize = "unicode61  x");
      """
    let tokens = Lexer.tokenize(SourceText(text)).tokens.dropLast()
    let fillings = [
      " ", "\n", "\n\n", " -- c\n", "\n-- c\n", "\n\n-- c\n\n", " /* c */ ", "\n/* c */ ",
      " /* c */\n", "/*\n  c */", "\r\n", " -- c\n -- d\n", "/* c */ -- d\n",
    ]
    var state: UInt64 = 11
    print("seed \(state)")
    for _ in 0..<CorpusTexts.repetitions {
      var filled = ""
      for token in tokens {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let choice = Int(state >> 33) % 60
        filled += choice < fillings.count ? fillings[choice] : " "
        filled += SourceText(text)[token.span]
      }
      #expect(check(filled, FormatOptions(width: [40, 80, 120][Int(state >> 40) % 3])))
    }
  }

  /// Formats a text twice and compares the results. Returns `false` if it is not SQL.
  private func check(_ text: String, _ options: FormatOptions) -> Bool {
    let formatter = SQLFormatter(options: options)
    guard case .formatted(let once) = formatter.format(Array(text.utf8), path: "a.sql") else {
      return false
    }
    let before = parse(text)
    let after = parse(String(decoding: once, as: UTF8.self))
    #expect(before.tokens == after.tokens, "\(text)")
    #expect(before.comments == after.comments, "\(text)")
    #expect(before.script == after.script, "\(text)")
    #expect(before.queries == after.queries, "\(text)")
    guard case .formatted(let twice) = formatter.format(once, path: "a.sql") else {
      Issue.record("\(text)")
      return true
    }
    #expect(
      String(decoding: once, as: UTF8.self) == String(decoding: twice, as: UTF8.self), "\(text)")
    return true
  }

  private struct Parsed {
    var tokens: [String] = []
    var comments: [String] = []
    var script: Script
    var queries: SQLSyntax.QueryFile
  }

  private func parse(_ text: String) -> Parsed {
    let source = SourceText(text)
    let options = ParserOptions(allowsListParameters: true)
    var (asScript, asQueries) = (DiagnosticList(), DiagnosticList())
    var parsed = Parsed(
      script: Parser.parseScript(source, options: options, diagnostics: &asScript),
      queries: Parser.parseQueryFile(source, options: options, diagnostics: &asQueries))
    let list = Lexer.tokenize(source, allowsLabels: asScript.hasErrors)
    parsed.tokens = list.tokens.map { token in
      token.kind.isKeyword ? source[token.span].lowercased() : source[token.span]
    }
    parsed.comments = list.comments.map { comment in
      let lines = source[comment].split(separator: "\n", omittingEmptySubsequences: false)
      var text = lines.joined(separator: "\n")
      while let last = text.last, last.isWhitespace { text.removeLast() }
      return text
    }
    return parsed
  }
}
