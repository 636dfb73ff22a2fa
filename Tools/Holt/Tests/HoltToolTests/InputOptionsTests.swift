import CommandTesting
import Foundation
import SQLiteCore
import Testing

/// The options with which files are read.
@Suite struct `Options for CSV files` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let options: [String]
    let rows: String
    var testDescription: String { options.joined(separator: " ") }

    init(_ text: String, _ options: String..., rows: String) {
      (self.text, self.options, self.rows) = (text, options, rows)
    }
  }

  @Test(arguments: [
    Case("a:b\n1:x,y\n", "--delimiter", ":", rows: #"{"a":1,"b":"x,y"}"#),
    Case("a\tb\n1\tx\n", "--delimiter", "tab", rows: #"{"a":1,"b":"x"}"#),
    Case("a,b\n1,~x,y~\n", "--quote", "~", rows: #"{"a":1,"b":"x,y"}"#),
    Case("a,b\n1,\"x\n", "--quote", "none", rows: #"{"a":1,"b":"\"x"}"#),
    Case(
      "x,y\nz,w\n", "--no-header",
      rows: #"{"column1":"x","column2":"y"}"# + "\n" + #"{"column1":"z","column2":"w"}"#),
    Case("1,2\n3,4\n", "--header", rows: #"{"1":3,"2":4}"#),
    Case(
      "a,b\n1,NA\nNA,y\n", "--null", "NA",
      rows: #"{"a":1,"b":null}"# + "\n" + #"{"a":null,"b":"y"}"#),
    Case("report\nof today\na,b\n1,x\n", "--skip", "2", rows: #"{"a":1,"b":"x"}"#),
    Case("# about\na,b\n# more, of, it\n1,x\n", "--comment", "#", rows: #"{"a":1,"b":"x"}"#),
    Case("zip,n\n1234,1\n", "--types", "zip=TEXT,n=real", rows: #"{"zip":"1234","n":1.0}"#),
    Case("a\n1\n2\n3\n", "--sample", "2", rows: "{\"a\":1}\n{\"a\":2}"),
  ])
  func `determine its rows`(_ item: Case) throws {
    let run = try HoltRun()
    try run.write(item.text, to: "t.csv")
    let arguments = ["query", "SELECT * FROM t", "t.csv", "--output", "jsonl"] + item.options
    let result = try run.command(arguments)
    #expect(result.output == item.rows + "\n", "\(result.errors)")
    // The other commands have the same options.
    for command in [
      ["convert", "t.csv", "t.jsonl"], ["summarize", "t.csv"], ["schema", "t.csv"],
    ] {
      #expect(try run.command(command + item.options).status == 0)
    }
    #expect(try run.text(of: "t.jsonl") == item.rows + "\n")
  }

  @Test func `set the encoding`() throws {
    let run = try HoltRun()
    try Data([0x61, 0x0A, 0xE9, 0x80, 0x0A]).write(to: URL(filePath: run.path("t.csv")))
    for (encoding, text) in [("windows1252", "é€"), ("cp1252", "é€"), ("latin1", "é\u{80}")] {
      let result = try run.holt(
        "query", "SELECT a FROM t", "t.csv", "--encoding", encoding, "--output", "csv")
      #expect(result.output == "a\r\n\(text)\r\n", "\(result.errors)")
    }
    let utf8 = try run.holt("query", "SELECT a FROM t", "t.csv")
    #expect(utf8.errors.hasPrefix("t.csv:2:1: error: the text is not UTF-8"))
  }

  @Test func `skip or collect bad rows`() throws {
    let run = try HoltRun()
    let text = "id,v\n1,a\n2\n3,c,d\n4,\"e\"f\n5,\"g\nh\"\n6,\"i\n"
    try run.write(text, to: "t.csv")
    let stopped = try run.holt("query", "SELECT * FROM t", "t.csv")
    #expect(stopped.errors.hasPrefix("t.csv:3:1: error: expected 2 fields in the record, got 1"))
    let skipped = try run.holt(
      "query",
      "SELECT count(*) AS n, max(id) AS id, (SELECT count(*) FROM sqlite_schema) AS tables FROM t",
      "t.csv",
      "--bad-rows", "skip", "--output", "jsonl")
    #expect(skipped.output == "{\"n\":2,\"id\":5,\"tables\":1}\n")
    #expect(skipped.errors == "note: t.csv:3: 4 bad rows skipped\n")
    let collected = try run.holt(
      "query", "SELECT line, message, text FROM t_errors", "t.csv", "--bad-rows", "collect",
      "--output", "csv")
    #expect(
      collected.output == """
        line,message,text\r
        3,"expected 2 fields in the record, got 1",2\r
        4,"expected 2 fields in the record, got 3","3,c,d"\r
        5,"unexpected text after a quoted field","4,""e""f"\r
        8,"a quoted field is not closed","6,""i"\r

        """)
    #expect(collected.errors == "note: t.csv:3: 4 bad rows collected in t_errors\n")
    try run.write("id,v\n1,a\n", to: "good.csv")
    let good = try run.holt("query", "SELECT * FROM good", "good.csv", "--bad-rows", "skip")
    #expect(good.errors == "")
    #expect(try run.text(of: "t.csv") == text)
  }

  @Test(arguments: [
    ["--delimiter", "ab"], ["--delimiter", "é"], ["--quote", ""], ["--skip", "-1"],
    ["--types", "zip"], ["--types", "zip=BLOB"], ["--bad-rows", "fix"], ["--sample", "0"],
    ["--encoding", "utf7"], ["--sample", "1", "--write"], ["--bad-rows", "skip", "--write"],
    ["--vertical", "--json"],
  ])
  func `are checked`(_ options: [String]) throws {
    let run = try HoltRun()
    try run.write("zip\n1\n", to: "t.csv")
    #expect(try run.command(["query", "SELECT 1", "t.csv"] + options).status == 64)
  }

  @Test func `must name existing columns`() throws {
    let run = try HoltRun()
    try run.write("zip,n\n1,2\n", to: "t.csv")
    try run.write("code\n1\n", to: "u.csv")
    let result = try run.holt("query", "SELECT 1", "t.csv", "--types", "zap=TEXT")
    #expect(
      result.errors
        == "t.csv: error: the file has no column zap, whose type is specified\nhint: its columns are zip, n\n"
    )
    let both = try run.holt(
      "query", "SELECT typeof(zip) AS a, typeof(code) AS b FROM t, u", "t.csv", "u.csv", "--types",
      "code=TEXT", "--output", "jsonl")
    #expect(both.output == "{\"a\":\"integer\",\"b\":\"text\"}\n", "\(both.errors)")
  }
}

@Suite struct `Files from anywhere` {
  static let towns = Samples.towns

  @Test func `are read from standard input in every format`() throws {
    let run = try HoltRun()
    try run.write(Samples.towns, to: "towns.json")
    for file in ["t.db", "t.spon", "t.xml", "t.jsonl", "t.csv"] {
      #expect(try run.holt("convert", "towns.json", file).status == 0)
    }
    for file in ["t.db", "t.spon", "t.xml", "t.jsonl", "t.csv", "towns.json"] {
      let result = try run.shell("holt convert - out.csv --force < \(file) && cat out.csv")
      // Some formats keep the object that contains the latitude.
      #expect(result.output.contains("2,Reykjavík,IS,139000,"), "\(file): \(result.errors)")
      #expect(result.output.contains("64.15"), "\(file): \(result.errors)")
      let named = try run.shell("holt schema x=- < \(file)")
      #expect(named.status == 0, "\(named.errors)")
    }
    let spaced = try run.shell(
      "printf 'a b\\n1 2\\n' | holt query 'SELECT * FROM stdin' - --format csv --delimiter space --output jsonl"
    )
    #expect(spaced.output == "{\"a\":1,\"b\":2}\n")
  }

  @Test(arguments: [("gz", "gzip"), ("zst", "zstd -q"), ("bz2", "bzip2")])
  func `can be compressed`(_ suffix: String, _ command: String) throws {
    let run = try HoltRun()
    try run.write(Samples.towns, to: "towns.json")
    for file in [
      "towns.csv.\(suffix)", "towns.db.\(suffix)", "towns.jsonl.\(suffix)", "towns.xml.\(suffix)",
    ] {
      #expect(try run.holt("convert", "towns.json", file).output == "\(file): towns: 3 rows\n")
      let result = try run.holt(
        "query", "SELECT name FROM towns WHERE id = 3", file, "--output", "csv")
      #expect(result.output == "name\r\n東京\r\n", "\(result.errors)")
    }
    // Other programs can read the file.
    let plain = try run.shell("\(command) -dc < towns.jsonl.\(suffix) | head -n 1")
    #expect(plain.output.hasPrefix("{\"id\":1,\"name\":\"Oslo\""), "\(plain.errors)")
    // The content decides, also for several parts and standard input.
    let parts = try run.shell(
      "printf 'a\\n1\\n' | \(command) -c >x; printf '2\\n' | \(command) -c >>x; holt query 'SELECT sum(a) AS s FROM x' x --output jsonl; holt query 'SELECT sum(a) AS s FROM stdin' --output jsonl <x"
    )
    #expect(parts.output == "{\"s\":3}\n{\"s\":3}\n", "\(parts.errors)")
    let exists = try run.holt("convert", "towns.json", "towns.csv.\(suffix)")
    #expect(exists.errors.contains("must not be replaced"))
    let written = try run.holt("query", "DELETE FROM towns", "towns.csv.\(suffix)", "--write")
    #expect(written.errors.contains("a compressed file can't be changed"))
    let truncated = try run.shell(
      "head -c 60 towns.csv.\(suffix) >short.csv; holt query 'SELECT 1' short.csv")
    #expect(truncated.status == 2)
    #expect(
      truncated.errors.hasPrefix("short.csv: error: the compressed file "), "\(truncated.errors)")
  }

  @Test func `are one table if a pattern matches them`() throws {
    let run = try HoltRun()
    try FileManager.default.createDirectory(
      atPath: run.path("logs/old"), withIntermediateDirectories: true)
    try run.write("id,level\n1,info\n2,error\n", to: "logs/a.csv")
    try run.write("id,level,user\n3,info,007\n", to: "logs/b.csv")
    try run.write("[{\"id\":4.5,\"user\":\"x\"}]", to: "logs/old/c.json")
    let all = try run.holt(
      "query", "SELECT file, id, level, user FROM log ORDER BY id", "log=logs/**/*.*", "--output",
      "csv")
    #expect(
      all.output == """
        file,id,level,user\r
        logs/a.csv,1.0,info,\r
        logs/a.csv,2.0,error,\r
        logs/b.csv,3.0,info,007\r
        logs/old/c.json,4.5,,x\r

        """, "\(all.errors)")
    #expect(
      try run.holt("query", "SELECT count(*) AS n FROM files", "logs/?.csv", "--output", "jsonl")
        .output
        == "{\"n\":3}\n")
    #expect(
      try run.holt("convert", "log=logs/[ab].csv", "log.db").output == "log.db: log: 3 rows\n")
    let none = try run.holt("query", "SELECT 1", "logs/*.xml")
    #expect(none.errors == "logs/*.xml: error: no file matches the pattern\n")
    let written = try run.holt("query", "DELETE FROM files", "logs/*.csv", "--write")
    #expect(written.errors.contains("can't be changed"))
    // A file with exactly this name is not a pattern.
    try run.write("a\n1\n", to: "x[1].csv")
    #expect(
      try run.holt("query", "SELECT a FROM \"x[1]\"", "x[1].csv", "--output", "jsonl").output
        == "{\"a\":1}\n")
  }

  @Test func `have nested values as tables`() throws {
    let run = try HoltRun()
    try run.write(
      "[{\"id\":1,\"at\":{\"x\":2},\"tags\":[{\"t\":\"a\"},{\"t\":\"b\"}]}]", to: "t.json")
    let tables = try run.holt(
      "query", "SELECT group_concat(t) AS tags FROM t_tags", "t.json", "--nesting", "tables",
      "--output", "jsonl")
    #expect(tables.output == "{\"tags\":\"a,b\"}\n", "\(tables.errors)")
    let json = try run.holt(
      "query", "SELECT at ->> 'x' AS x FROM t", "t.json", "--nesting", "json", "--output", "jsonl")
    #expect(json.output == "{\"x\":2}\n", "\(json.errors)")
  }

  @Test func `are loaded once with a cache`() throws {
    let run = try HoltRun()
    try run.write(Samples.orders, to: "orders.csv")
    let environment = ["HOLT_CACHE": run.path("cache")]
    func entries() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: run.path("cache")).sorted()
    }
    func query(_ arguments: String...) throws -> String {
      let all =
        ["query", "SELECT * FROM orders WHERE id = 1", "--cache", "--output", "csv"] + arguments
      let result = try run.command(all, environment: environment)
      return result.output + result.errors
    }
    let row = "id,town,sum\r\n1,1,12.5\r\n"
    #expect(try query("orders.csv") == row)
    #expect(try entries().count == 1)
    var configuration = Configuration()
    configuration.journalMode = .delete
    let connection = try Connection(
      path: run.path("cache/\(entries()[0])"), configuration: configuration)
    try connection.execute("UPDATE orders SET town = 99 WHERE id = 1")
    try connection.close()
    // The entry is read, also for a copy of the file.
    #expect(try query("orders.csv") == "id,town,sum\r\n1,99,12.5\r\n")
    try FileManager.default.createDirectory(
      atPath: run.path("copy"), withIntermediateDirectories: false)
    try run.write(Samples.orders, to: "copy/orders.csv")
    #expect(try query("copy/orders.csv") == "id,town,sum\r\n1,99,12.5\r\n")
    // Other options and another content have other entries.
    #expect(try query("orders.csv", "--types", "town=TEXT") == row)
    #expect(try entries().count == 2)
    try run.write("id,town,sum\n1,7,12.50\n", to: "orders.csv")
    #expect(try query("orders.csv") == "id,town,sum\r\n1,7,12.5\r\n")
    #expect(try entries().count == 3)
    // A damaged entry is replaced.
    for name in try entries() { try run.write("damaged", to: "cache/\(name)") }
    #expect(try query("orders.csv") == "id,town,sum\r\n1,7,12.5\r\n")
    let written = try run.command(
      ["query", "DELETE FROM orders", "orders.csv", "--cache", "--write"], environment: environment)
    #expect(written.errors == "1 row changed; wrote orders.csv\n")
  }
}

@Suite struct `holt summarize` {
  @Test func `shows the distribution of each column`() throws {
    let run = try HoltRun()
    let rows = (1...100).map { "\($0),\($0 % 4 == 0 ? "" : "g\($0 % 3)"),2026-01-\($0 % 9 + 10)\n" }
    try run.write("id,grp,day\n" + rows.joined(), to: "t.csv")
    let result = try run.holt("summarize", "t.csv")
    #expect(
      result.output == """
        column  type       rows  nulls  distinct  min         q1          median      q3          max         histogram
        ------  ---------  ----  -----  --------  ----------  ----------  ----------  ----------  ----------  ---------
        id      INTEGER     100      0       100  1           25          50          75          100         ████████
        grp     TEXT        100     25         3  g0          NULL        NULL        NULL        g2          ███
        day     DATE TEXT   100      0         9  2026-01-10  2026-01-12  2026-01-14  2026-01-16  2026-01-18  ████████

        """, "\(result.errors)\(result.output)")
    let json = try run.holt("summarize", "t.csv", "--output", "jsonl")
    #expect(
      json.output.hasPrefix(
        #"{"column":"id","type":"INTEGER","rows":100,"nulls":0,"distinct":100,"min":1,"q1":25,"median":50,"q3":75,"max":100,"histogram":"[13,12,13,12,12,13,12,13]"}"#
      ), "\(json.output)")
    #expect(try run.holt("summarize", "t.csv", "--table", "none").status == 2)
  }

  @Test func `handles empty tables and values of any type`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute(
      "CREATE TABLE e (a, b INTEGER); CREATE TABLE m (x); INSERT INTO m VALUES (1), ('a'), (x'00'), (NULL), (2.5), (1)"
    )
    let result = try run.holt("summarize", "a.db", "--output", "csv")
    #expect(
      result.output == """
        table,column,type,rows,nulls,distinct,min,q1,median,q3,max,histogram\r
        e,a,"",0,0,0,,,,,,[]\r
        e,b,INTEGER,0,0,0,,,,,,[]\r
        m,x,"blob, integer, real, text",6,1,4,1,,,,AA==,"[2,1,1,1]"\r

        """, "\(result.output)\(result.errors)")
  }
}
