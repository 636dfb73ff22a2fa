import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `holt convert` {
  private func library(_ run: HoltRun) throws -> String {
    var configuration = Configuration()
    configuration.journalMode = .delete
    try Connection(path: run.path("library.db"), configuration: configuration)
      .execute(SQL(unsafe: Samples.library))
    return "library.db"
  }

  /// A database's content as SQL, without the differences that a conversion causes.
  private func dump(_ run: HoltRun, _ name: String) throws -> String {
    try Connection(path: run.path(name), configuration: .reading).dumpSQL()
  }

  private func names(_ run: HoltRun) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: run.path(".")).sorted()
  }

  static let full = [
    ["a.xml"], ["a.json", "--full"], ["a.spon", "--full"], ["a.sqlite"],
  ]

  @Test(arguments: full)
  func `preserves a database in a round trip`(_ arguments: [String]) throws {
    let run = try HoltRun()
    let library = try library(run)
    let there = try run.shell("holt convert \(library) \(arguments.joined(separator: " "))")
    #expect(there.errors == "")
    #expect(there.output == "\(arguments[0]): author: 2 rows, book: 2 rows\n")
    let back = try run.holt("convert", arguments[0], "back.db")
    #expect(back.errors == "")
    #expect(try dump(run, "back.db") == dump(run, library))
  }

  static let plain: [[String]] = ["json", "jsonl", "csv", "spon"].flatMap { a in
    ["json", "jsonl", "csv", "spon"].map { [a, $0] }
  }

  @Test(arguments: plain)
  func `preserves values between all ordinary formats`(_ formats: [String]) throws {
    let run = try HoltRun()
    try run.write(
      "[{\"id\":1,\"name\":\"a,b\\n\\\"c\\\"\",\"x\":1.5},{\"id\":2,\"name\":\"日本]\",\"x\":null}]",
      to: "t.json")
    let (a, b) = ("one/t.\(formats[0])", "two/t.\(formats[1])")
    let steps = try run.shell(
      "mkdir one two three; holt convert t.json \(a) && holt convert \(a) \(b) && holt convert \(b) three/t.json"
    )
    #expect(steps.errors == "")
    let result = try run.holt("query", "SELECT * FROM t ORDER BY id", "three/t.json", "--json")
    #expect(
      result.output
        == "[{\"id\":1,\"name\":\"a,b\\n\\\"c\\\"\",\"x\":1.5},\n{\"id\":2,\"name\":\"日本]\",\"x\":null}]\n"
    )
  }

  @Test func `writes several tables as an object and one table as an array`() throws {
    let run = try HoltRun()
    let library = try library(run)
    let refused = try run.holt("convert", library, "a.json")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--full"))
    #expect(!run.exists("a.json"))
    #expect(
      try run.holt("convert", library, "-", "--to", "json", "--table", "author").output
        == "[\n{\"id\":1,\"name\":\"George Eliot\",\"born\":1819},\n{\"id\":2,\"name\":\"Sappho\",\"born\":null}\n]\n"
    )
    #expect(
      try run.holt("convert", library, "b.spon").output == "b.spon: author: 2 rows, book: 2 rows\n")
    #expect(
      try run.holt(
        "query", "SELECT hex(cover) AS h FROM book WHERE id = 1", "b.spon", "--output", "jsonl"
      ).output
        == "{\"h\":\"00FF\"}\n")
    #expect(
      try run.holt("convert", library, "a.csv").errors.contains("the source has 2: author, book"))
    #expect(try run.holt("convert", library, "a.csv", "--table", "titles").status == 0)
    #expect(
      try run.text(of: "a.csv")
        == "title,name\r\nMiddlemarch,\"George Eliot\"\r\n\"Silas Marner\",\"George Eliot\"\r\n")
    #expect(try run.holt("convert", library, "a.csv", "--table", "none", "--force").status == 2)
  }

  @Test func `preserves arrays, objects and Booleans in JSON`() throws {
    let run = try HoltRun()
    try run.write("[{\"a\":[1,{\"b\":2}],\"c\":true}]", to: "t.json")
    #expect(
      try run.holt("convert", "t.json", "-", "--to", "jsonl").output
        == "{\"a\":[1,{\"b\":2}],\"c\":true}\n")
  }

  @Test func `replaces an existing file only with --force`() throws {
    let run = try HoltRun()
    try run.write(Samples.orders, to: "orders.csv")
    try run.write("kept", to: "a.json")
    let refused = try run.holt("convert", "orders.csv", "a.json")
    #expect(
      refused.errors == "a.json: error: the file already exists and must not be replaced\n")
    #expect(refused.status == 2)
    #expect(try run.text(of: "a.json") == "kept")
    #expect(try run.holt("convert", "orders.csv", "a.json", "--force").status == 0)
    #expect(try run.holt("convert", "orders.csv", "a.db").status == 0)
    #expect(try run.holt("convert", "orders.csv", "a.db").status == 2)
    #expect(try run.holt("convert", "orders.csv", "a.db", "--force").status == 0)
    #expect(try Connection(path: run.path("a.db"), configuration: .reading).integrityCheck() == [])
  }

  @Test(arguments: ["broken.json", "empty.json", "binary.xml", "none.csv"])
  func `leaves no file after a failure`(_ source: String) throws {
    let run = try HoltRun()
    try run.write("[{\"a\":1},{\"a\":", to: "broken.json")
    try run.write("", to: "empty.json")
    try Data((0...255).map { UInt8($0) }).write(to: URL(filePath: run.path("binary.xml")))
    for target in ["a.json", "a.db", "a.csv", "a.xml"] {
      let result = try run.holt("convert", source, target)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("\(source)"), "\(result.errors)")
      #expect(!run.exists(target))
    }
  }

  struct Source: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let tables: [String]
    var testDescription: String { name }
  }

  static let sources = [
    Source(
      name: "t.csv",
      text:
        "id,code,price,big,flag,day,none\n1,007,9.50,12345678901234567890,true,2026-11-27,\n2,010,1e3,2,false,2026-11-28,\n",
      tables: ["t"]),
    Source(name: "empty.csv", text: "a,b\n", tables: ["empty"]),
    Source(
      name: "t.json",
      text: "[{\"id\":\"x\",\"a\":[1,2],\"b\":{\"c\":true},\"d\":1.5},{\"id\":\"y\",\"d\":2}]",
      tables: ["t"]),
    Source(
      name: "two.json", text: "{\"a\":[{\"x\":1},{\"x\":2.5}],\"b\":[{\"y\":null},{\"z\":\"1\"}]}",
      tables: ["a", "b"]),
    Source(
      name: "lines.jsonl", text: "{\"x\":1}\n{\"x\":12345678901234567890}\n", tables: ["lines"]),
    Source(
      name: "t.xml",
      text: "<r><p id=\"1\"><q>a</q><q>b</q></p><p id=\"2\"><q>c</q></p></r>",
      tables: ["p_q", "p"]),
    Source(
      name: "t.spon",
      text: "@array:2[@obj<id!=`1` a^=`1.5` b#=`2.50`>, @obj<id!=`2` c=@array[1!]>]", tables: ["t"]),
  ]

  /// A selection of tables is copied row by row; a whole file is loaded into the new database.
  @Test(arguments: sources)
  func `creates the same database from a whole file as from its tables`(_ source: Source) throws {
    let run = try HoltRun()
    try run.write(source.text, to: source.name)
    let selection = source.tables.map { "--table \($0)" }.joined(separator: " ")
    let (whole, copy) = (
      try run.holt("convert", source.name, "whole.db"),
      try run.shell("holt convert \(source.name) copy.db \(selection)")
    )
    #expect(whole.errors == "")
    #expect(whole.output == copy.output.replacing("copy.db", with: "whole.db"))
    let databases = try ["whole.db", "copy.db"].map {
      try Connection(path: run.path($0), configuration: .reading)
    }
    let contents = try databases.map { database in
      let settings = ["page_size", "encoding", "journal_mode", "user_version", "auto_vacuum"]
      var lines = try settings.map {
        try database.value(SQLiteValue.self, "PRAGMA \(unsafe: $0)")?.description ?? ""
      }
      lines += try database.values(
        String.self,
        "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema"
      )
      for table in try database.tables() {
        let columns = table.columns.map {
          "quote(\(SQLName.quoted($0.name))) || typeof(\(SQLName.quoted($0.name)))"
        }
        lines += try database.values(
          String.self,
          "SELECT rowid || \(unsafe: columns.joined(separator: " || ")) FROM \(identifier: table.name.name) ORDER BY rowid"
        )
      }
      return lines
    }
    #expect(contents[0] == contents[1])
    #expect(try databases[0].integrityCheck() == [])
    #expect(try databases[0].value(Int.self, "PRAGMA freelist_count") == 0)
    #expect(try names(run) == [source.name, "copy.db", "whole.db"].sorted())
  }

  @Test func `creates a database without tables from a file without rows`() throws {
    let run = try HoltRun()
    try run.write("[]", to: "t.json")
    #expect(try run.holt("convert", "t.json", "t.db").output == "t.db: no tables\n")
    let bytes = try Data(contentsOf: URL(filePath: run.path("t.db")))
    #expect(bytes.starts(with: "SQLite format 3".utf8))
  }

  @Test func `keeps a database that a failed conversion would have replaced`() throws {
    let run = try HoltRun()
    try run.write("a,b\n" + String(repeating: "1,2\n", count: 50_000) + "\"3,4\n", to: "bad.csv")
    try run.makeDatabase("a.db", "CREATE TABLE kept (x)")
    let result = try run.holt("convert", "bad.csv", "a.db", "--force")
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("bad.csv:50002:"))
    #expect(
      try Connection(path: run.path("a.db"), configuration: .reading).tables().map(\.name.name)
        == ["kept"])
    #expect(try names(run) == ["a.db", "bad.csv"])
  }

  @Test func `reports a type of a column that the file lacks before it replaces a file`() throws {
    let run = try HoltRun()
    try run.write("a,b\n1,2\n", to: "t.csv")
    let result = try run.holt("convert", "t.csv", "t.db", "--types", "c=TEXT")
    #expect(result.status == 2)
    #expect(result.errors.contains("the file has no column c"))
    #expect(try names(run) == ["t.csv"])
  }
}

@Suite struct `holt copy` {
  @Test func `copies tables, indexes, triggers and views atomically`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute(SQL(unsafe: Samples.library))
    #expect(try run.holt("copy", "a.db", "b.db").output == "b.db: author: 2 rows, book: 2 rows\n")
    let copy = try Connection(path: run.path("b.db"), configuration: .reading)
    #expect(
      try copy.databaseSchema()
        == Connection(path: run.path("a.db"), configuration: .reading).databaseSchema())
    let again = try run.holt("copy", "a.db", "b.db")
    #expect(again.status == 2)
    #expect(again.errors.contains("the table author already exists"))
    let orphans = try run.holt("copy", "a.db", "c.db", "--table", "book")
    #expect(orphans.status == 2)
    #expect(!run.exists("c.db"))
  }

  @Test(
    arguments: [
      ("fail", nil, ""), ("skip", 1, "1 Eliot,2 Sappho,3 Woolf"),
      ("replace", 2, "1 George Eliot,2 Sappho,3 Woolf"),
      ("update", 2, "1 George Eliot,2 Sappho,3 Woolf"),
    ] as [(String, Int?, String)])
  func `applies the conflict policy to existing rows`(
    _ policy: String, _ count: Int?, _ expected: String
  ) throws {
    let run = try HoltRun()
    let path = run.path("b.db")
    try Connection(path: path).execute(
      """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER);
      INSERT INTO author VALUES (1, 'Eliot', NULL), (3, 'Woolf', 1882);
      """)
    try Connection(path: run.path("a.db")).execute(SQL(unsafe: Samples.library))
    let result = try run.holt(
      "copy", "a.db", "b.db", "--table", "author", "--existing", "append", "--on-conflict", policy)
    let names = try Connection(path: path, configuration: .reading).values(
      String.self, "SELECT id || ' ' || name FROM author ORDER BY id")
    if count == nil {
      #expect(result.status == 2)
      #expect(result.errors.contains("UNIQUE constraint failed: author.id"))
      #expect(names == ["1 Eliot", "3 Woolf"])
    } else {
      #expect(result.status == 0)
      #expect(names.joined(separator: ",") == expected)
    }
  }

  @Test func `copies into files of other formats and preserves their layout`() throws {
    let run = try HoltRun()
    try run.write("[{\"id\":9,\"town\":9,\"sum\":1.5}]", to: "orders.json")
    try run.write(Samples.orders, to: "orders.csv")
    let result = try run.holt("copy", "orders.csv", "orders.json", "--existing", "append")
    #expect(result.output == "orders.json: orders: 3 rows\n")
    #expect(
      try run.holt(
        "query", "SELECT count(*) AS n, sum(sum) AS s FROM orders", "orders.json", "--output",
        "jsonl"
      )
      .output == "{\"n\":4,\"s\":122.25}\n")
    #expect(try run.text(of: "orders.json").hasPrefix("["))
  }
}
