import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `holt query` {
  @Test func `joins files of all formats`() throws {
    let run = try HoltRun()
    try run.write(Samples.towns, to: "towns.json")
    try run.write(Samples.orders, to: "orders.csv")
    try run.write(
      "{\"code\":\"NO\",\"name\":\"Norge\"}\n{\"code\":\"JP\",\"name\":\"日本\"}\n", to: "lands.jsonl"
    )
    try run.write(
      "<rates><rate country=\"NO\">11.5</rate><rate country=\"JP\">163</rate></rates>",
      to: "rates.xml")
    try Connection(path: run.path("notes.db")).execute(
      "CREATE TABLE note (town INTEGER, text TEXT); INSERT INTO note VALUES (1, 'fjord'), (3, 'tower')"
    )
    #expect(try run.holt("convert", "notes.db", "notes.spon").status == 0)
    let sql = """
      SELECT t.name, sum(o.sum) AS sum, l.name AS land, r."#text" AS rate, n.text, s.text AS same
      FROM towns t JOIN orders o ON o.town = t.id JOIN lands l ON l.code = t.country
      JOIN rate r ON r."@country" = t.country JOIN notes.note n ON n.town = t.id
      JOIN notes_2.notes s ON s.town = t.id GROUP BY t.id ORDER BY t.id
      """
    let result = try run.holt(
      "query", sql, "towns.json", "orders.csv", "lands.jsonl", "rates.xml", "notes.db",
      "notes.spon", "--output", "csv")
    #expect(result.errors == "")
    #expect(
      result.output == "name,sum,land,rate,text,same\r\nOslo,112.5,Norge,11.5,fjord,fjord\r\n"
        + "東京,8.25,日本,163.0,tower,tower\r\n")
  }

  static let formats: [(OutputFormat, String)] = [
    (.table, "   n  text  blob\n----  ----  -----\n   1  a|b   x'01'\nNULL  NULL  NULL\n"),
    (
      .json,
      "[{\"n\":1,\"text\":\"a|b\",\"blob\":{\"@data\":\"AQ==\"}},\n{\"n\":null,\"text\":null,\"blob\":null}]\n"
    ),
    (
      .jsonl,
      "{\"n\":1,\"text\":\"a|b\",\"blob\":{\"@data\":\"AQ==\"}}\n{\"n\":null,\"text\":null,\"blob\":null}\n"
    ),
    (.csv, "n,text,blob\r\n1,a|b,AQ==\r\n,,\r\n"),
    (
      .markdown,
      "| n | text | blob |\n| --- | --- | --- |\n| 1 | a\\|b | x'01' |\n| NULL | NULL | NULL |\n"
    ),
  ]

  @Test(arguments: formats)
  func `writes rows in each format`(_ format: OutputFormat, _ expected: String) throws {
    let run = try HoltRun()
    let result = try run.holt(
      "query", "SELECT 1 AS n, 'a|b' AS text, x'01' AS blob UNION ALL SELECT NULL, NULL, NULL",
      "--output", format.rawValue)
    #expect(result.output == expected)
    #expect(result.status == 0)
  }

  @Test func `reads the SPON that it writes`() throws {
    let run = try HoltRun()
    let result = try run.holt(
      "query", "SELECT 1 AS n, 'a]b' AS text, x'01' AS blob", "--output", "spon")
    try run.write(result.output, to: "a.spon")
    let again = try run.holt(
      "query", "SELECT n, text, hex(blob) AS h FROM a", "a.spon", "--json")
    #expect(again.output == "[{\"n\":1,\"text\":\"a]b\",\"h\":\"01\"}]\n")
  }

  @Test func `reads piped data of any format as a table`() throws {
    let run = try HoltRun()
    for (text, format) in [
      (Samples.orders, nil), ("[{\"id\":1},{\"id\":2},{\"id\":3}]", nil),
      ("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n", nil),
      ("<l><stdin id=\"1\"/><stdin id=\"2\"/><stdin id=\"3\"/></l>", nil),
      ("a\n1\n2\n3", "csv"), ("{\"a\":1}\n{\"a\":2}\n{\"a\":3}", "jsonl"),
    ] as [(String, String?)] {
      let piped = try run.holt(
        "query", "SELECT count(*) AS n FROM stdin", "--output", "jsonl",
        "--format", format ?? FileFormat(beginning: Array(text.utf8)).rawValue, input: text)
      #expect(piped.output == "{\"n\":3}\n", "\(text)")
    }
  }

  @Test func `binds values by name and by position, as numbers and text`() throws {
    let run = try HoltRun()
    let result = try run.holt(
      "query", "SELECT typeof(:a) AS a, typeof($b) AS b, ? AS c, ? AS d; SELECT ? + @a AS e",
      "--param", "a=2", "--param", "b=007", "--arg", "x", "--arg", "1.5", "--arg", "40",
      "--output", "jsonl")
    #expect(
      result.output
        == "{\"a\":\"integer\",\"b\":\"text\",\"c\":\"x\",\"d\":1.5}\n{\"e\":42}\n")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let words: String
    var status: Int32 = 2
    var testDescription: String { words }
  }

  @Test(arguments: [
    Refusal(
      arguments: ["SELECT id, nmae FROM towns", "towns.json"],
      words:
        "SQL:1:12: error: no such column: nmae\n  SELECT id, nmae FROM towns\n             ^~~~\n"),
    Refusal(
      arguments: ["SELECT 1;\nSELEC 2", "towns.json"],
      words: "SQL:2:1: error: near \"SELEC\": syntax error\n  SELEC 2\n  ^~~~~\n"),
    Refusal(
      arguments: ["SELECT 1", "none.json"], words: "none.json: error: no such file\n"),
    Refusal(arguments: ["SELECT 1", "."], words: ".: error: the path is a folder, not a file\n"),
    Refusal(
      arguments: ["SELECT 1", "broken.json"],
      words: "broken.json:1:9: error: the text ends before a key"),
    Refusal(
      arguments: ["DELETE FROM towns", "towns.json"],
      words:
        "error: the SQL would change the data, but the files are opened read-only\nhint: pass --write to allow changes\n"
    ),
    Refusal(
      arguments: ["SELECT :a"],
      words: "error: no value for :a\nhint: pass --param a=VALUE\n"),
    Refusal(
      arguments: ["SELECT 1", "--param", "a=1"],
      words: "error: no statement has a parameter named a (--param a)\n"),
    Refusal(arguments: ["SELECT 1", "--arg", "1"], words: "error: the SQL uses 0 values"),
    Refusal(
      arguments: ["SELECT ?", "--arg", "1", "--arg", "2"],
      words: "error: the SQL uses 1 value of --arg, got 2\n"),
    Refusal(
      arguments: ["SELECT 1", "fake.db"], words: "fake.db: error: not an SQLite database\n"),
    Refusal(arguments: ["SELECT 1", "binary.json"], words: "binary.json:1"),
    Refusal(arguments: ["SELECT * FROM none"], words: "error: no such table: none\n"),
    Refusal(arguments: [], words: "Error: Missing expected argument '<SQL>'", status: 64),
    Refusal(arguments: ["SELECT 1", "--output", "xls"], words: "Error: ", status: 64),
  ])
  func `reports the error and its position`(_ refusal: Refusal) throws {
    let run = try HoltRun()
    try run.write(Samples.towns, to: "towns.json")
    try run.write("[{\"a\":1,", to: "broken.json")
    try run.write("no database", to: "fake.db")
    try Data([0, 1, 2, 255, 254]).write(to: URL(filePath: run.path("binary.json")))
    let result = try run.shell(
      (["holt", "query"] + refusal.arguments).map { "'\($0.replacing("'", with: "'\\''"))'" }
        .joined(separator: " ").replacing("'holt'", with: "holt") + " </dev/null")
    #expect(result.status == refusal.status)
    #expect(result.errors.contains(refusal.words), "\(result.errors)")
  }

  @Test func `reports errors as JSON`() throws {
    let run = try HoltRun()
    let result = try run.holt("query", "SELECT\nx", "--json")
    #expect(
      result.errors
        == "{\"error\":{\"message\":\"no such column: x\",\"file\":\"SQL\",\"line\":2,\"column\":1,\"hint\":null}}\n"
    )
  }

  @Test func `reports a table name that is ambiguous between two files`() throws {
    let run = try HoltRun()
    try run.write("a\n1\n", to: "t.csv")
    try run.write("[{\"a\":2}]", to: "t.json")
    let result = try run.holt("query", "SELECT * FROM t", "t.csv", "t.json")
    #expect(result.errors.contains("error: the table t is in 2 files: write t.t or t_2.t\n"))
    #expect(
      try run.holt(
        "query", "SELECT x.a + y.a AS s FROM x, y.y", "x=t.csv", "y=t.json", "--output",
        "jsonl"
      )
      .output == "{\"s\":3}\n")
  }

  @Test func `changes files atomically and only with --write`() throws {
    let run = try HoltRun()
    try run.write(Samples.orders, to: "orders.csv")
    try run.write(Samples.towns, to: "towns.json")
    let failed = try run.holt(
      "query", "DELETE FROM orders; SELECT nothing", "orders.csv", "--write")
    #expect(failed.status == 2)
    #expect(try run.text(of: "orders.csv") == Samples.orders)
    let changed = try run.holt(
      "query", "UPDATE orders SET sum = sum * 2 WHERE id < :n; SELECT count(*) AS n FROM orders",
      "orders.csv", "--write", "--param", "n=3", "--output", "jsonl")
    #expect(changed.errors == "2 rows changed; wrote orders.csv\n")
    #expect(changed.output == "{\"n\":3}\n")
    #expect(try run.text(of: "orders.csv") == "id,town,sum\n1,1,25.00\n2,3,16.50\n3,1,100.00\n")
    let both = try run.holt(
      "query", "DELETE FROM towns WHERE id NOT IN (SELECT town FROM orders)", "orders.csv",
      "towns.json", "--write")
    #expect(both.errors == "1 row changed; wrote towns.json\n")
    #expect(try !run.text(of: "towns.json").contains("Reykjav"))
    let nowhere = try run.holt("query", "CREATE TABLE t (a)", "orders.csv", "towns.json", "--write")
    #expect(nowhere.errors.contains("would not be part of any file"))
  }

  @Test(
    arguments: [
      "ATTACH 'new.db' AS e; CREATE TABLE e.t (a)", "VACUUM INTO 'new.db'", "CREATE TABLE t (a)",
      "INSERT INTO orders DEFAULT VALUES", "DROP TABLE orders", "PRAGMA user_version = 7",
    ], [["orders.csv"], ["orders.csv", "towns.json"], ["a.db"], ["a.db", "orders.csv"]])
  func `changes and creates no file without --write`(_ sql: String, _ files: [String]) throws {
    let run = try HoltRun()
    try run.write(Samples.orders, to: "orders.csv")
    try run.write(Samples.towns, to: "towns.json")
    var configuration = Configuration()
    configuration.journalMode = .delete
    try Connection(path: run.path("a.db"), configuration: configuration).execute(
      "CREATE TABLE orders (a)")
    let before = try Data(contentsOf: URL(filePath: run.path("a.db")))
    let shell = (["holt", "query", "\"\(sql)\""] + files).joined(separator: " ")
    let result = try run.shell("\(shell) </dev/null")
    #expect(result.status == 2 || sql.hasPrefix("PRAGMA"))
    #expect(!run.exists("new.db"))
    #expect(try run.text(of: "orders.csv") == Samples.orders)
    #expect(try Data(contentsOf: URL(filePath: run.path("a.db"))) == before)
  }

  @Test func `keeps the journal mode of a written database`() throws {
    let run = try HoltRun()
    var configuration = Configuration()
    configuration.journalMode = .delete
    try Connection(path: run.path("a.db"), configuration: configuration).execute(
      "CREATE TABLE t (a)")
    let result = try run.holt(
      "query", "INSERT INTO t VALUES (1); CREATE INDEX i ON t (a); PRAGMA journal_mode", "a.db",
      "--write",
      "--output", "jsonl")
    #expect(result.output == "{\"journal_mode\":\"delete\"}\n")
    #expect(
      try run.holt("query", "SELECT * FROM a.t", "a.db", "--output", "jsonl").output
        == "{\"a\":1}\n")
  }

  @Test func `streams rows and exits silently when the output is closed`() throws {
    let run = try HoltRun()
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
    for format in ["csv", "jsonl", "json", "table", "markdown", "spon"] {
      let result = try run.shell(
        "set -o pipefail; holt query '\(sql)' --output \(format) </dev/null | head -n 3 | wc -l")
      #expect(result.output.trimmingCharacters(in: .whitespaces) == "3\n")
      #expect(result.errors == "")
      #expect(result.status == 141)
    }
  }

  @Test func `reads fields of any length`() throws {
    let run = try HoltRun()
    let long = String(repeating: "é", count: 3_000_000)
    try run.write("id,text\n1,\(long)\n", to: "a.csv")
    let result = try run.holt("query", "SELECT text FROM a", "a.csv", "--output", "jsonl")
    #expect(result.output == "{\"text\":\"\(long)\"}\n")
  }
}
