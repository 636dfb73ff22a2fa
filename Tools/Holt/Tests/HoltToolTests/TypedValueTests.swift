import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `Typed values of columns` {
  private func run(_ sql: String) throws -> HoltRun {
    let run = try HoltRun()
    var configuration = Configuration()
    configuration.journalMode = .delete
    try Connection(path: run.path("t.db"), configuration: configuration).execute(SQL(unsafe: sql))
    return run
  }

  private static let booleans =
    "CREATE TABLE t (n INTEGER, ok BOOLEAN); INSERT INTO t VALUES (1, 1), (2, 0), (3, NULL)"

  @Test(arguments: [
    ("csv", "n,ok\r\n1,true\r\n2,false\r\n3,\r\n"),
    ("json", "[\n{\"n\":1,\"ok\":true},\n{\"n\":2,\"ok\":false},\n{\"n\":3,\"ok\":null}\n]\n"),
    ("jsonl", "{\"n\":1,\"ok\":true}\n{\"n\":2,\"ok\":false}\n{\"n\":3,\"ok\":null}\n"),
  ])
  func `are Booleans in converted files`(_ format: String, _ expected: String) throws {
    let run = try run(Self.booleans)
    #expect(try run.holt("convert", "t.db", "-", "--to", format).output == expected)
  }

  @Test(arguments: [
    ("max(v) AS x FROM t", "12345678901234567890"),
    ("MIN ( v ) AS x FROM t WHERE v > 2", "3"),
    ("sum(v) AS x FROM t", "12345678901234567894.5"),
    ("total(v) AS x FROM (SELECT v FROM t)", "12345678901234567894.5"),
    ("(SELECT avg(v) FROM t) AS x", "4115226300411522631.5"),
    ("* FROM (SELECT max(t.v) AS x FROM t WHERE v > 100 GROUP BY v)", "12345678901234567890"),
    // The results of other expressions, and of texts that look like numbers, are texts.
    ("max(code) AS x FROM t", "\"012\""),
    ("max(v) || '' AS x FROM t", "\"12345678901234567890\""),
    ("max(v, '0') AS x FROM t WHERE v = 3", "\"3\""),
    ("max(ok) AS x FROM t", "1"),
    ("count(v) AS x FROM t", "3"),
  ])
  func `of a decimal column are numbers in results of aggregates`(
    _ sql: String, _ expected: String
  ) throws {
    let run = try HoltRun()
    try run.write(
      """
      [{"v":12345678901234567890,"code":"007","ok":true},{"v":1.5,"code":"010","ok":false},
       {"v":3,"code":"012","ok":false}]
      """, to: "t.json")
    let result = try run.holt("query", "SELECT \(sql)", "t.json", "--output", "jsonl")
    #expect(result.errors == "")
    #expect(result.output == "{\"x\":\(expected)}\n")
  }

  @Test(arguments: ["csv", "json", "jsonl", "spon", "xml"])
  func `are Booleans after a conversion and a copy`(_ format: String) throws {
    let run = try run(Self.booleans)
    #expect(try run.holt("convert", "t.db", "a/t.\(format)").status == 2)
    try FileManager.default.createDirectory(
      atPath: run.path("a"), withIntermediateDirectories: true)
    #expect(try run.holt("convert", "t.db", "a/t.\(format)").status == 0)
    let schema = try run.holt("schema", "a/t.\(format)").output
    #expect(schema.contains("BOOLEAN"), "\(schema)")
    #expect(
      try run.holt("copy", "t.db", "a/t.\(format)", "--existing", "append").errors == "")
    #expect(
      try run.holt("query", "SELECT ok FROM t", "a/t.\(format)", "--output", "jsonl").output
        == "{\"ok\":true}\n{\"ok\":false}\n{\"ok\":null}\n{\"ok\":true}\n{\"ok\":false}\n{\"ok\":null}\n"
    )
    #expect(
      try run.holt(
        "query", "UPDATE t SET ok = NOT ok WHERE n = 1", "a/t.\(format)", "--write"
      ).status == 0)
    let text = try run.text(of: "a/t.\(format)")
    #expect(text.contains(format == "xml" ? "BOOLEAN" : "false"), "\(text)")
  }

  @Test(arguments: [
    ("csv", "ok,n\r\ntrue,1\r\nfalse,0\r\n"),
    ("json", "[{\"ok\":true,\"n\":1},\n{\"ok\":false,\"n\":0}]\n"),
    ("jsonl", "{\"ok\":true,\"n\":1}\n{\"ok\":false,\"n\":0}\n"),
    ("table", "ok     n\n-----  -\ntrue   1\nfalse  0\n"),
    ("markdown", "| ok | n |\n| --- | --- |\n| true | 1 |\n| false | 0 |\n"),
  ])
  func `are Booleans in results`(_ format: String, _ expected: String) throws {
    let run = try run(Self.booleans)
    let sql = "SELECT ok, ok + 0 AS n FROM (SELECT * FROM t) WHERE ok IS NOT NULL"
    #expect(try run.holt("query", sql, "t.db", "--output", format).output == expected)
  }

  // MARK: JSON

  private static let forged =
    "CREATE TABLE t (id INTEGER, j JSON); "
    + #"INSERT INTO t VALUES (1, '[1]'), (2, '0},{"id":666')"#

  @Test(arguments: ["json", "jsonl", "spon"])
  func `that are not JSON are refused before anything is written`(_ format: String) throws {
    let run = try run(Self.forged)
    let result = try run.holt("convert", "t.db", "a.\(format)")
    #expect(result.status == 2)
    #expect(result.errors.contains("row 2"), "\(result.errors)")
    #expect(result.errors.contains("(t.j)"), "\(result.errors)")
    #expect(!run.exists("a.\(format)"))
    let piped = try run.holt("convert", "t.db", "-", "--to", format)
    #expect(piped.status == 2)
    #expect(piped.output == "")
    #expect(try run.holt("convert", "t.db", "a.csv").status == 0)
  }

  @Test func `that are not JSON are strings in results`() throws {
    let run = try run(Self.forged)
    #expect(
      try run.holt("query", "SELECT j FROM t", "t.db", "--json").output
        == #"[{"j":[1]},"# + "\n" + #"{"j":"0},{\"id\":666"}]"# + "\n")
  }

  @Test(arguments: [512, 100_000])
  func `that are nested too deeply are refused`(_ depth: Int) throws {
    let run = try run(
      "CREATE TABLE t (j JSON); INSERT INTO t VALUES (replace(hex(zeroblob(\(depth))), '00', '[')"
        + " || replace(hex(zeroblob(\(depth))), '00', ']'))")
    for format in ["json", "jsonl", "spon"] {
      let result = try run.holt("convert", "t.db", "a.\(format)")
      #expect(result.status == 2)
      #expect(result.errors.contains("(t.j)"), "\(result.errors)")
      #expect(!run.exists("a.\(format)"))
    }
  }

  @Test func `that are objects stay objects`() throws {
    let run = try HoltRun()
    let text = #"{"a":{"b":[1,{"c":null}],"d":1.50,"e.f":1e5},"g":[]}"# + "\n"
    try run.write(text, to: "t.jsonl")
    let steps = try run.shell(
      "mkdir a b; holt convert t.jsonl a/t.db && holt convert a/t.db a/t.xml && holt convert a/t.xml b/t.json && holt convert b/t.json - --to jsonl 2>/dev/null"
    )
    #expect(steps.output.hasSuffix(text), "\(steps)")
  }

  // MARK: SPON

  private static let tagged = """
    @array:2[@obj<i!=`1` f^=`1.5` d&=`2.0` n#=`19.9` t+=`2026-11-22T17:30:00Z` o?=`x` b*=`3q0=` \
    s$=`1` a=@array[1!, 2.5^, `x`, ~] p=@obj:Point<x!=`1` y&=`2.0` @k$=`v`>>]
    """

  @Test(arguments: ["spon", "json", "jsonl", "xml", "db"])
  func `of SPON are the same after a conversion there and back`(_ format: String) throws {
    let run = try HoltRun()
    try run.write(Self.tagged, to: "t.spon")
    let steps = try run.shell(
      "mkdir a b; holt convert t.spon b/t.spon && holt convert t.spon a/t.\(format) && holt convert a/t.\(format) a/t.spon --force; cat a/t.spon"
    )
    #expect(steps.errors == "")
    #expect(try run.text(of: "a/t.spon") == run.text(of: "b/t.spon"))
    for part in [
      "f^=`1.5`", "n#=`19.9`", "t+=`2026-11-22T17:30:00Z`", "o?=`x`", "b*=`3q0=`", "@obj:Point<",
      "@k$=`v`",
    ] {
      #expect(steps.output.contains(part), "\(part)")
    }
  }

  @Test func `of SPON are wrapped in JSON and are text in CSV`() throws {
    let run = try HoltRun()
    try run.write(Self.tagged, to: "t.spon")
    #expect(
      try run.holt("convert", "t.spon", "-", "--to", "jsonl").output
        == #"{"i":1,"f":{"@float":1.5},"d":2.0,"n":{"@decimal":"19.9"},"t":{"@instant":"2026-11-22T17:30:00Z"},"o":{"@opaque":"x"},"b":{"@data":"3q0="},"s":"1","a":[1,{"@float":2.5},"x",null],"p":{"@type":"Point","x":1,"y":2.0,"@@k":"v"}}"#
        + "\n")
    #expect(
      try run.holt(
        "query", "SELECT i, f, n, t, o, a, p FROM t", "t.spon", "--output", "csv"
      ).output
        == "i,f,n,t,o,a,p\r\n1,1.5,19.9,2026-11-22T17:30:00Z,x,\"[1,{\"\"@float\"\":2.5},\"\"x\"\",null]\",\"{\"\"@type\"\":\"\"Point\"\",\"\"x\"\":1,\"\"y\"\":2.0,\"\"@@k\"\":\"\"v\"\"}\"\r\n"
    )
  }

  // MARK: Blobs

  @Test func `that are blobs are refused by JSON and CSV files and are Base64 in results`() throws {
    let run = try run("CREATE TABLE t (b BLOB); INSERT INTO t VALUES (x'DEAD')")
    for format in ["csv", "json", "jsonl"] {
      let result = try run.holt("convert", "t.db", "a.\(format)")
      #expect(result.status == 2)
      #expect(result.errors.contains("(t.b)"), "\(result.errors)")
      #expect(!run.exists("a.\(format)"))
    }
    #expect(
      try run.holt("query", "SELECT b FROM t", "t.db", "--json").output
        == #"[{"b":{"@data":"3q0="}}]"# + "\n")
    #expect(
      try run.holt("query", "SELECT b FROM t", "t.db", "--output", "csv").output == "b\r\n3q0=\r\n")
    #expect(try run.shell("holt convert t.db t.spon && holt convert t.spon b.db").status == 0)
    #expect(
      try Connection(path: run.path("b.db"), configuration: .reading).value(
        SQLiteValue.self, "SELECT b FROM t") == .blob([0xDE, 0xAD]))
  }
}
