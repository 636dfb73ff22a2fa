import SQLSyntax
import Testing

@Suite struct `The target release` {
  private func diagnostics(_ sql: String, _ target: SQLiteVersion) -> [Diagnostic] {
    var list = DiagnosticList()
    _ = Parser.parseStatement(
      SourceText(sql), options: ParserOptions(target: target), diagnostics: &list)
    return list.diagnostics
  }

  @Test(arguments: [
    ("SELECT group_concat(a, ', ' ORDER BY b DESC, c) FROM t", SQLiteVersion(3, 44)),
    ("SELECT 1_000 + 0xFF_FF * 1_0.5_0e1_0", SQLiteVersion(3, 46)),
    ("SELECT RAISE(ABORT, 'no ' || new.a)", SQLiteVersion(3, 47)),
    ("SELECT RAISE(FAIL, (SELECT RAISE(ROLLBACK, format('%d', 1))))", SQLiteVersion(3, 47)),
    ("ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) ON CONFLICT IGNORE", SQLiteVersion(3, 53)),
    ("ALTER TABLE t ADD CHECK (a > 0)", SQLiteVersion(3, 53)),
    ("ALTER TABLE t DROP CONSTRAINT c", SQLiteVersion(3, 53)),
    ("ALTER TABLE t ALTER a SET NOT NULL ON CONFLICT ABORT", SQLiteVersion(3, 53)),
    ("ALTER TABLE t ALTER COLUMN a DROP NOT NULL", SQLiteVersion(3, 53)),
  ])
  func `enables newer syntax, which an older target rejects with the required release`(
    _ sql: String, _ version: SQLiteVersion
  ) throws {
    #expect(diagnostics(sql, version) == [])
    let refused = diagnostics(sql, SQLiteVersion(3, version.minor - 1))
    let first = try #require(refused.first)
    #expect(first.identity == .newerThanTarget)
    #expect(
      first.message.hasSuffix(
        "requires SQLite \(version), but the target is 3.\(version.minor - 1)"))
  }

  @Test(arguments: [
    "SELECT RAISE(ABORT, 'no ' || new.a)", "SELECT RAISE(FAIL, 'no')", "SELECT RAISE(ROLLBACK, a)",
    "ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0) ON CONFLICT IGNORE",
    "ALTER TABLE t ADD CHECK (a > 0)", "ALTER TABLE t DROP CONSTRAINT \"a b\"",
    "ALTER TABLE t ALTER COLUMN a SET NOT NULL ON CONFLICT ABORT",
    "ALTER TABLE t ALTER COLUMN a SET NOT NULL", "ALTER TABLE t ALTER COLUMN a DROP NOT NULL",
  ])
  func `prints newer syntax unchanged`(_ sql: String) throws {
    var list = DiagnosticList()
    let options = ParserOptions(target: SQLiteVersion(3, 53))
    let statement = try #require(
      Parser.parseStatement(SourceText(sql), options: options, diagnostics: &list))
    #expect(Printer.text(of: statement) == sql)
  }

  @Test(arguments: [
    "SELECT RAISE(ABORT, )", "SELECT RAISE(ABORT, 1 +)", "SELECT RAISE(ABORT, 'a' 'b')",
    "ALTER TABLE t ADD CONSTRAINT c UNIQUE (a)", "ALTER TABLE t ALTER a NOT NULL",
    "ALTER TABLE t ALTER a SET NULL", "ALTER TABLE t ALTER a DROP NOT NULL ON CONFLICT ABORT",
    "ALTER TABLE t DROP CONSTRAINT", "ALTER TABLE t ADD CONSTRAINT c",
  ])
  func `doesn't report syntax as newer that no release accepts`(_ sql: String) {
    #expect(diagnostics(sql, .standard).count == 1)
    let identities = diagnostics(sql, SQLiteVersion(3, 60)).map(\.identity)
    #expect(identities.count == 1 && identities != [.newerThanTarget], "\(identities)")
  }

  @Test func `prints newer syntax so that it can be parsed again`() throws {
    var list = DiagnosticList()
    let options = ParserOptions(target: SQLiteVersion(3, 46))
    let sql =
      "SELECT string_agg(DISTINCT a, ',' ORDER BY b DESC NULLS LAST) FILTER (WHERE a > 1_000)"
    let statement = try #require(
      Parser.parseStatement(SourceText(sql), options: options, diagnostics: &list))
    let printed = Printer.text(of: statement)
    #expect(printed == sql.replacing("_000", with: "000"))
    #expect(
      Parser.parseStatement(SourceText(printed), options: options, diagnostics: &list) == statement)
  }

  @Test(arguments: ["1_", "1__0", "_1", "1_a", "0x_1", "1._5"])
  func `accepts "_" only between digits`(_ number: String) {
    let list = diagnostics("SELECT \(number)", SQLiteVersion(3, 46))
    #expect(number == "_1" ? list.isEmpty : !list.isEmpty)
  }

  @Test func `is formatted as a version number`() {
    #expect(SQLiteVersion("3.44") == SQLiteVersion(3, 44))
    #expect(SQLiteVersion("3.44.2") == SQLiteVersion(3, 44))
    #expect(SQLiteVersion(3, 9) < SQLiteVersion(3, 40))
    #expect("\(SQLiteVersion(3, 44))" == "3.44")
    for text in ["", "3", "3.", "3.x", "3.44.2.1", "-3.4", "3.4 "] {
      #expect(SQLiteVersion(text) == nil)
    }
  }
}
