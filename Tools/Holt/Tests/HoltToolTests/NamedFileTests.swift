import CommandTesting
import Foundation
import SQLiteCore
import Testing

/// Files with a name on the command line: `NAME=PATH`.
@Suite struct `A named file` {
  private static let rows: [(name: String, text: String)] = [
    ("in.csv", "id,v\n1,a\n2,b\n"), ("in.json", "[{\"id\":1,\"v\":\"a\"},{\"id\":2,\"v\":\"b\"}]"),
    ("in.jsonl", "{\"id\":1,\"v\":\"a\"}\n{\"id\":2,\"v\":\"b\"}\n"),
    ("in.spon", "[<id#1`v$a>`<id#2`v$b>]"),
  ]

  @Test(arguments: ["in.csv", "in.json", "in.jsonl"])
  func `is a table with the name`(_ name: String) throws {
    let run = try HoltRun()
    let text = try #require(Self.rows.first { $0.name == name }).text
    try run.write(text, to: name)
    for sql in ["SELECT v FROM x WHERE id = 2", "SELECT v FROM x.x WHERE id = 2"] {
      let result = try run.holt("query", sql, "x=\(name)", "--output", "jsonl")
      #expect(result.output == "{\"v\":\"b\"}\n", "\(result.errors)")
    }
    #expect(
      try run.holt("query", "SELECT v FROM x WHERE id = 2", "x=-", "--output", "jsonl", input: text)
        .output == "{\"v\":\"b\"}\n")
    #expect(
      try run.holt(
        "query", "SELECT y.v FROM x JOIN y USING (id) WHERE id = 1", "x=\(name)", "y=\(name)",
        "--output", "jsonl"
      )
      .output == "{\"v\":\"a\"}\n")
    #expect(try run.holt("schema", "x=\(name)").output.hasPrefix("CREATE TABLE \"x\"("))
    #expect(try run.holt("convert", "x=\(name)", "out.db").output == "out.db: x: 2 rows\n")
    #expect(try run.holt("copy", "y=\(name)", "out.db").output == "out.db: y: 2 rows\n")
    #expect(try run.holt("check", "x=\(name)").output == "\(name): no errors found\n")
    let changed = try run.holt("query", "DELETE FROM x WHERE id = 1", "x=\(name)", "--write")
    #expect(changed.errors == "1 row changed; wrote \(name)\n")
    #expect(
      try run.holt("query", "SELECT id FROM \"in\"", name, "--output", "jsonl").output
        == "{\"id\":2}\n")
  }

  @Test func `is compared with a file of another name`() throws {
    let run = try HoltRun()
    try run.write("id,v\n1,a\n2,b\n3,c\n", to: "monday.csv")
    try run.write("id,v\n2,B\n3,c\n4,d\n", to: "tuesday.csv")
    try run.write("id,v,w\n1,a,x\n", to: "wide.csv")
    let expected = """
      - monday id=1 v='a'
      ~ monday id=2  v: 'b' -> 'B'
      + monday id=4 v='d'
      monday: 1 added, 1 removed, 1 changed

      """
    let result = try run.holt("diff", "monday.csv", "tuesday.csv", "--data", "--key", "id")
    #expect(result.output == expected)
    #expect(result.status == 1)
    for table in ["monday", "tuesday"] {
      #expect(
        try run.holt(
          "diff", "monday.csv", "tuesday.csv", "--data", "--key", "id", "--table", table
        ).output == expected)
    }
    #expect(
      try run.holt("diff", "t=monday.csv", "t=tuesday.csv", "--data", "--summary").output
        == "t: 1 added, 1 removed, 1 changed\n")
    #expect(try run.holt("diff", "monday.csv", "tuesday.csv").status == 0)
    #expect(
      try run.holt("diff", "monday.csv", "wide.csv").output.contains(
        "ALTER TABLE \"monday\" ADD COLUMN"))
    // The names of a database's tables have a meaning.
    for (name, table) in [("a.db", "t"), ("b.db", "u")] {
      try Connection(path: run.path(name)).execute("CREATE TABLE \(identifier: table) (a)")
    }
    #expect(
      try run.holt("diff", "a.db", "b.db", "--data").output
        == "- table t, 0 rows\n+ table u, 0 rows\n")
  }

  @Test func `is copied into the table with the name`() throws {
    let run = try HoltRun()
    try run.write("id,v\n1,a\n", to: "monday.csv")
    try run.write("id,v,w\n2,b,1.5\n", to: "tuesday.csv")
    #expect(try run.holt("copy", "day=monday.csv", "a.db").output == "a.db: day: 1 row\n")
    let refused = try run.holt("copy", "day=tuesday.csv", "a.db", "--existing", "append")
    #expect(refused.status == 2)
    #expect(
      refused.errors == "a.db: error: the table day has no column w\nhint: pass --alter to add it\n"
    )
    #expect(
      try run.holt("copy", "day=tuesday.csv", "a.db", "--existing", "append", "--alter").output
        == "a.db: day: 1 row\n")
    #expect(
      try run.holt("query", "SELECT * FROM day", "a.db", "--output", "csv").output
        == "id,v,w\r\n1,a,\r\n2,b,1.5\r\n")
    #expect(try run.holt("copy", "monday.csv", "a.db", "--alter").status == 64)
    // The destination's name is equivalent.
    try run.write("id,v\n3,c\n", to: "wednesday.csv")
    #expect(
      try run.holt("copy", "wednesday.csv", "day=a.db", "--existing", "append").output
        == "a.db: day: 1 row\n")
    #expect(
      try run.holt("copy", "wednesday.csv", "day=monday.csv", "--existing", "append").output
        == "monday.csv: day: 1 row\n")
    #expect(try run.text(of: "monday.csv") == "id,v\n1,a\n3,c\n")
  }

  @Test func `copies one table of a database with its indexes`() throws {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> '')); CREATE UNIQUE INDEX i ON t (a);
      INSERT INTO t VALUES (1, 'x'); CREATE TABLE u (a);
      """)
    #expect(
      try run.holt("copy", "new=a.db", "b.db", "--table", "t").output == "b.db: new: 1 row\n")
    #expect(
      try run.holt("schema", "b.db").output == """
        CREATE TABLE "new"(id INTEGER PRIMARY KEY, a TEXT CHECK (a <> ''));
        CREATE UNIQUE INDEX i ON "new" (a);

        """)
    let several = try run.holt("copy", "a.db", "new=c.db")
    #expect(several.status == 2)
    #expect(several.errors.contains("hint: pass --table"))
    #expect(!run.exists("c.db"))
  }
}
