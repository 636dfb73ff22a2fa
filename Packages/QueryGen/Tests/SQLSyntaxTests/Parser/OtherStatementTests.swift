import SQLSyntax
import Testing

@Suite struct `Other statements` {
  @Test(arguments: [
    "ALTER TABLE t RENAME TO u", "ALTER TABLE main.t RENAME COLUMN a TO b",
    "ALTER TABLE t RENAME a TO b",
    "ALTER TABLE t ADD COLUMN a INT NOT NULL DEFAULT 0 REFERENCES u", "ALTER TABLE t ADD a",
    "ALTER TABLE t ADD column int",
    "ALTER TABLE t DROP COLUMN a", "ALTER TABLE t DROP a", "DROP TABLE t",
    "DROP TABLE IF EXISTS main.t",
    "DROP INDEX i", "DROP VIEW IF EXISTS v", "DROP TRIGGER main.r", "PRAGMA foreign_keys",
    "PRAGMA main.user_version = 3",
    "PRAGMA journal_mode(wal)", "PRAGMA x = -1.5", "PRAGMA x = ON", "PRAGMA x = 'y'",
    "PRAGMA x(DELETE)",
    "PRAGMA x = default", "ATTACH DATABASE 'a.db' AS b", "ATTACH 'a' || 'b' AS c KEY 'd'",
    "DETACH b", "DETACH DATABASE b",
    "EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN DELETE FROM t", "ANALYZE", "ANALYZE main",
    "ANALYZE main.t", "REINDEX",
    "REINDEX t", "REINDEX main.i", "VACUUM", "VACUUM main", "VACUUM INTO 'x'",
    "VACUUM main INTO 'x' || 'y'", "BEGIN",
    "BEGIN DEFERRED", "BEGIN IMMEDIATE TRANSACTION", "BEGIN EXCLUSIVE TRANSACTION t", "COMMIT",
    "END TRANSACTION",
    "COMMIT TRANSACTION t", "ROLLBACK", "ROLLBACK TRANSACTION TO SAVEPOINT s", "ROLLBACK TO s",
    "SAVEPOINT s",
    "RELEASE s", "RELEASE SAVEPOINT s",
  ])
  func `are accepted in every form`(_ text: String) {
    expectParse(text)
  }

  @Test(arguments: [
    "①FOO②", "①1②", "ALTER ①t②", "ALTER TABLE t ①MODIFY② a", "ALTER TABLE t RENAME a ①b②",
    "ALTER TABLE t RENAME column ①TO② a",
    "ALTER TABLE t ADD ①PRIMARY② KEY (a)", "ALTER TABLE t DROP a ①b②", "DROP ①t②",
    "DROP TABLE t①,② u",
    "DROP TABLE if ①t②", "PRAGMA ①;②", "PRAGMA x = ①(②1)", "PRAGMA x = 1 ①2②", "PRAGMA x(①)②",
    "ATTACH database ①AS② x",
    "ATTACH 'x'①;②", "EXPLAIN ①EXPLAIN② SELECT 1", "EXPLAIN QUERY ①SELECT② 1", "VACUUM main ①x②",
    "BEGIN ①foo②",
    "ROLLBACK ①s②", "SAVEPOINT ①;②", "RELEASE savepoint①;②", "COMMIT ①SELECT② 1", "ROLLBACK TO ①;②",
    "SELECT 1 ①SELECT② 2",
  ])
  func `are rejected at the invalid token`(_ text: String) {
    expectParse(text, Fault(.unexpectedToken))
  }

  @Test func `are listed in the message for an unexpected token`() {
    expectParse("①FOO② 1", Fault(.unexpectedToken, "expected a statement, found \"FOO\""))
  }
}

@Suite struct `Keywords as names` {
  static let fallback =
    "abort action after always analyze asc attach before begin by cascade "
    + "cast column conflict current database deferred desc detach do each end exclude exclusive "
    + "explain fail first following for generated glob groups if ignore immediate initially instead "
    + "key last like match materialized no nulls of offset others partition plan pragma preceding "
    + "query raise range recursive regexp reindex release rename replace restrict rollback row rows "
    + "savepoint temp temporary ties trigger unbounded vacuum view virtual with without "
    + "window over filter current_date current_time current_timestamp"
  static let join = "cross full inner left natural outer right indexed"

  /// Keywords that begin their own kind of expression.
  static let expressions = [
    "cast", "raise", "current_date", "current_time", "current_timestamp",
  ]

  @Test(arguments: (fallback + " " + join).split(separator: " ").map(String.init))
  func `can name tables, columns and aliases`(_ word: String) {
    expectParse("CREATE TABLE x (\(word) INT, \(word.uppercased()) REFERENCES \(word) (\(word)))")
    expectParse("SELECT t.\(word) AS \(word) FROM \(word) AS \(word)")
    if !Self.expressions.contains(word) { expectParse("SELECT \(word), \(word).a FROM t") }
    expectParse("INSERT INTO \(word) (\(word)) VALUES (1)")
    expectParse("UPDATE \(word) SET \(word) = 1")
    expectParse("DROP TABLE \(word == "if" ? "\"if\"" : word)")
  }

  @Test(arguments: fallback.split(separator: " ").map(String.init))
  func `can be aliases without AS`(_ word: String) {
    guard !["like", "glob", "regexp", "match"].contains(word) else { return }
    expectParse("SELECT a \(word) FROM t \(word)")
  }

  @Test(arguments: ["cross", "left", "natural", "indexed"])
  func `are not aliases if they begin a join`(_ word: String) {
    expectParse("SELECT a ①\(word)② FROM t", Fault(.unexpectedToken))
  }

  @Test(arguments: ["select", "order", "table", "where", "null", "values", "transaction", "to"])
  func `are rejected if they are reserved`(_ word: String) {
    expectParse("CREATE TABLE ①\(word)② (a)", Fault(.unexpectedToken))
    expectParse("CREATE TABLE \"\(word)\" ([\(word)], `\(word)1`)")
  }
}

@Suite struct `A script` {
  @Test func `reports every invalid statement and parses the others`() {
    let statements = expectParse(
      """
      SELECT 1;
      ①SELEC② 2;
      CREATE TABLE t (③,④);
      ;;
      INSERT INTO t VALUES (1)
      """,
      Fault(.unexpectedToken), Fault(.unexpectedToken))
    #expect(
      statements.map { Printer.text(of: $0) } == ["SELECT 1", "INSERT INTO t VALUES (1)"])
  }

  @Test(arguments: ["", ";", " ;; ", "-- nothing\n", "/* open"])
  func `may be empty`(_ text: String) {
    #expect(expectParse(text).isEmpty)
  }

  @Test func `keeps the comments directly above a statement as its documentation`() {
    var list = DiagnosticList()
    let script = Parser.parseScript(
      SourceText(
        """
        -- far away

        -- People we know.
        --   Their names are unique.
        CREATE TABLE person (name); -- not below

        /**
         * What they own.
         */
        -- Sorted.
        CREATE TABLE thing (a);
        CREATE TABLE bare (a)
        """), diagnostics: &list)
    #expect(
      script.statements.map(\.documentation) == [
        ["People we know.", "Their names are unique."], ["What they own.", "Sorted."], [],
      ])
  }

  @Test func `must contain exactly one statement if one is requested`() {
    var list = DiagnosticList()
    #expect(Parser.parseStatement(SourceText("SELECT 1; SELECT 2"), diagnostics: &list) == nil)
    #expect(list.diagnostics.map(\.span) == [ByteSpan(10..<16)])
    list = DiagnosticList()
    #expect(Parser.parseStatement(SourceText(" ; "), diagnostics: &list) == nil)
    #expect(list.diagnostics.map(\.identity) == [.unexpectedEnd])
    list = DiagnosticList()
    #expect(Parser.parseStatement(SourceText("SELECT 1;;"), diagnostics: &list) != nil)
    #expect(!list.hasErrors)
  }

  @Test func `accepts a list parameter only if the option is set`() {
    expectParse("SELECT 1 WHERE a IN ①:ids②", Fault(.unexpectedToken))
    expectParse(
      "SELECT 1 WHERE a IN :ids AND b NOT IN ?", options: ParserOptions(allowsListParameters: true))
  }
}
