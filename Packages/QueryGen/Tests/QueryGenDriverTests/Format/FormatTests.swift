import QueryGenTestSupport
import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `The formatter` {
  private func format(_ text: String, _ options: FormatOptions = FormatOptions()) -> String {
    switch SQLFormatter(options: options).format(Array(text.utf8), path: "a.sql") {
    case .formatted(let bytes): String(decoding: bytes, as: UTF8.self)
    case .refused(let report): report
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, formatted: String
    init(_ text: String, _ formatted: String) {
      self.text = text
      self.formatted = formatted
    }
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case("", ""),
    Case("  select  1 ,-  2\t;", "SELECT 1, -2;\n"),
    Case("select - -1, +x,~ y , a-b", "SELECT - -1, +x, ~y, a - b\n"),
    Case("select count( * ),max (a) , t . * from t", "SELECT count(*), max(a), t.* FROM t\n"),
    Case("select \"Key\", key, like(a,b) from t", "SELECT \"Key\", key, like(a, b) FROM t\n"),
    Case("insert into t(a,b)values(1,2)", "INSERT INTO t (a, b) VALUES (1, 2)\n"),
    Case("create table t(a)", "CREATE TABLE t (a)\n"),
    Case(
      "create table t(a integer primary key,b varchar ( 10,2 )) strict",
      "CREATE TABLE t (\n  a integer PRIMARY KEY,\n  b varchar(10, 2)\n) strict\n"),
    Case("define  query a as select 1;b:select 2", "DEFINE QUERY a AS\nSELECT 1;\nb:\nSELECT 2\n"),
    Case(
      "create trigger g after insert on t begin delete from u;\n\nselect 1;end",
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN\n  DELETE FROM u;\n\n  SELECT 1;\nEND\n"),
    Case(
      "create virtual table f using fts5(a,  b /* c */ x)",
      "CREATE VIRTUAL TABLE f USING fts5(a, b /* c */ x)\n"),
    Case("SELECT 'a\n  b' ,x", "SELECT 'a\n  b', x\n"),
    Case("q:insert into t values:rows returning a", "q:\nINSERT INTO t VALUES :rows RETURNING a\n"),
    Case("insert into t(a)values( :row . * )", "INSERT INTO t (a) VALUES (:row.*)\n"),
    Case(
      "define query q as begin delete from t;\n\n-- Then\nselect case when a then b end;end;r:select 1",
      "DEFINE QUERY q AS\nBEGIN\n  DELETE FROM t;\n\n  -- Then\n  SELECT CASE WHEN a THEN b END;\nEND;\n"
        + "r:\nSELECT 1\n"),
    Case("-- name: q :one\nbegin select 1; end", "-- name: q :one\nBEGIN\n  SELECT 1;\nEND\n"),
    Case("begin;select 1;end", "BEGIN;\nSELECT 1;\nEND\n"),
    Case("select 1;;select 2", "SELECT 1;;\nSELECT 2\n"),
  ])
  func `writes equivalent texts uniformly`(_ sample: Case) {
    #expect(format(sample.text) == sample.formatted)
  }

  @Test(arguments: [
    Case(
      "-- a\n\n\n\n-- b\nselect 1 -- c\n, 2;-- d\n\n\n-- e",
      """
      -- a

      -- b
      SELECT
        1 -- c
        ,
        2; -- d

      -- e

      """),
    Case("select a/* x */,/* y */b from t -- end", "SELECT a /* x */, /* y */ b FROM t -- end\n"),
    Case(
      "create table t(\n-- The key.\na integer, -- it\n\n-- The name.\nb text)",
      """
      CREATE TABLE t (
        -- The key.
        a integer, -- it

        -- The name.
        b text
      )

      """),
    Case("-- Doc.\nselect a, b from t", "-- Doc.\nSELECT a, b FROM t\n"),
  ])
  func `keeps the position of comments`(_ sample: Case) {
    #expect(format(sample.text) == sample.formatted)
  }

  @Test func `breaks lines at clauses, then at commas and conditions`() {
    let text = "select id, title from book where price > 10 and title like 'a%' order by id"
    #expect(
      format(text, FormatOptions(width: 80)) == """
        SELECT id, title FROM book WHERE price > 10 AND title LIKE 'a%' ORDER BY id

        """)
    #expect(
      format(text, FormatOptions(width: 50)) == """
        SELECT id, title
        FROM book
        WHERE price > 10 AND title LIKE 'a%'
        ORDER BY id

        """)
    #expect(
      format(text + ", title, price, author", FormatOptions(width: 40, indentation: 4)) == """
        SELECT id, title
        FROM book
        WHERE price > 10 AND title LIKE 'a%'
        ORDER BY id, title, price, author

        """)
    #expect(
      format(
        "select a from t where (aaaaaaaaaaaaa or bbbbbbbbbbbbb) and cccccccccccc",
        FormatOptions(width: 40, indentation: 4)) == """
          SELECT a
          FROM t
          WHERE
              (aaaaaaaaaaaaa OR bbbbbbbbbbbbb)
              AND cccccccccccc

          """)
  }

  @Test func `changes the case of keywords, but not of names`() {
    let text = "Select Key, Replace(A, 1, 2), True From T Cross Join Left_ Where A Is Not Null"
    #expect(
      format(text, FormatOptions(keywords: .lower))
        == "select Key, Replace(A, 1, 2), True from T cross join Left_ where A is not null\n")
    #expect(format(text, FormatOptions(keywords: .keep)) == text + "\n")
  }

  @Test func `keeps the line endings of the file`() {
    #expect(
      format("select 1;\r\nselect 'a\r\nb'; -- c\r\n")
        == "SELECT 1;\r\nSELECT 'a\r\nb'; -- c\r\n")
  }

  @Test(arguments: [
    "select /*\n*/ 1,\r\n2;\r\n", "select 'a\nb';\r\nselect 2;\n",
    "select /*\r\n*/ 1;\nselect 2;",
    "select\r\n/*\n*/ 1;\n", "/*\r\n*/ select 1",
  ])
  func `uses the first line ending outside of comments and quoted texts`(_ text: String) {
    let once = format(text)
    #expect(format(once) == once)
    let gaps = once.replacing("/*\n*/", with: "").replacing("/*\r\n*/", with: "")
      .replacing("'a\nb'", with: "")
    let isWindows = text.contains("\r\n") && !text.contains("*/ 1;\nselect 2")
    #expect(gaps.contains("\r\n") == isWindows && gaps.contains("\n") == !isWindows, "\(once)")
  }

  @Test func `rejects invalid syntax with its location`() {
    #expect(format("select 1;\nselect from t;\n").hasPrefix("a.sql:2:8: error: "))
    #expect(format("select \u{0}").hasPrefix("a.sql:1:8: error: "))
    guard
      case .refused(let report) = SQLFormatter().format([0x2D, 0x2D, 0xFF], path: "a.sql")
    else {
      Issue.record("bytes that are no text were formatted")
      return
    }
    #expect(report.contains("not valid UTF-8"))
  }

  @Test func `formats the files of a project, or lists them`() throws {
    let workspace = try Workspace.todo()
    try workspace.write("a: select 1;\n", to: "Queries/A.sql")
    try workspace.write("format: { keywords: lower }\n", to: "querygen.yaml")
    let files = ["Migrations/1.sql", "Queries/A.sql", "Queries/Todo.sql"].map {
      workspace.path + "/" + $0
    }
    let before = try workspace.read("Queries/A.sql")
    #expect(workspace.driver.format(files: nil, writes: false).changed == files)
    #expect(try workspace.read("Queries/A.sql") == before)
    #expect(workspace.driver.format(files: nil, writes: true).changed == files)
    #expect(try workspace.read("Queries/A.sql") == "a:\nselect 1;\n")
    let again = workspace.driver.format(files: nil, writes: true)
    #expect((again.changed, again.unchanged.count) == ([], 3))
    var choices = FormatOverrides()
    choices.keywords = .upper
    #expect(workspace.driver.format(files: [files[1]], choices, writes: true).changed == [files[1]])
    #expect(workspace.driver.format(Array("select 1".utf8)).text == Array("select 1\n".utf8))
  }

  @Test func `reports files that it can't read`() throws {
    let workspace = try Workspace.todo()
    let outcome = workspace.driver.format(files: [workspace.path + "/none.sql"], writes: true)
    #expect(
      outcome.report == workspace.path + "/none.sql: error: can't be read: no such file or folder\n"
    )
    try workspace.write("width: 1", to: "querygen.yaml")
    #expect(workspace.driver.format(files: nil, writes: true).errorCount == 1)
  }
}
