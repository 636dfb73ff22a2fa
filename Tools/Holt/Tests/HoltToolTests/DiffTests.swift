import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `holt diff` {
  private func two(_ before: String, _ after: String) throws -> HoltRun {
    let run = try HoltRun()
    try Connection(path: run.path("a.db")).execute(SQL(unsafe: before))
    try Connection(path: run.path("b.db")).execute(SQL(unsafe: after))
    return run
  }

  @Test func `writes the SQL that migrates one schema to the other`() throws {
    let run = try two(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER); CREATE INDEX i ON t (a)")
    let result = try run.holt("diff", "a.db", "b.db")
    #expect(result.status == 1)
    try Connection(path: run.path("a.db")).execute(SQL(unsafe: result.output))
    let same = try run.holt("diff", "a.db", "b.db")
    #expect(same.status == 0)
    #expect(same.output == "")
    let lines = try run.holt("diff", "b.db", "b.db", "--json")
    #expect(lines.output == "")
    #expect(try run.holt("diff", "a.db", "none.db").status == 2)
  }

  static let rows = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, x);
    INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2.5), (3, 'c', NULL), (5, 'e', x'00');
    CREATE TABLE plain (a, b); INSERT INTO plain VALUES (1, 2), (1, 2), (3, 4);
    """

  @Test func `reports added, removed and changed rows by their keys`() throws {
    let run = try two(
      Self.rows,
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, x);
      INSERT INTO t VALUES (0, 'z', 0), (1, 'a', 1.0), (2, 'B', 3), (5, 'e', x'00'), (6, 'f', 1);
      CREATE TABLE plain (a, b); INSERT INTO plain VALUES (1, 2), (3, 5);
      CREATE TABLE new (a); INSERT INTO new VALUES (1);
      """)
    let result = try run.holt("diff", "a.db", "b.db", "--data")
    #expect(result.status == 1)
    #expect(
      result.output == """
        - plain a=1 b=2
        - plain a=3 b=4
        + plain a=3 b=5
        plain: 1 added, 2 removed, 0 changed
        + t id=0 name='z' x=0
        ~ t id=2  name: 'b' -> 'B', x: 2.5 -> 3
        - t id=3 name='c' x=NULL
        + t id=6 name='f' x=1
        t: 2 added, 1 removed, 1 changed
        + table new, 1 row

        """)
    let json = try run.holt("diff", "a.db", "b.db", "--data", "--table", "t", "--json")
    #expect(
      json.output.split(separator: "\n")[1]
        == "{\"table\":\"t\",\"change\":\"changed\",\"key\":{\"id\":2},\"columns\":{\"name\":[\"b\",\"B\"],\"x\":[2.5,3]}}"
    )
    #expect(
      try run.holt("diff", "a.db", "b.db", "--data", "--table", "t", "--summary").output
        == "t: 2 added, 1 removed, 1 changed\n")
    #expect(try run.holt("diff", "a.db", "a.db", "--data").status == 0)
    #expect(try run.holt("diff", "a.db", "b.db", "--data", "--table", "none").status == 2)
  }

  @Test func `compares files of other formats by a given key`() throws {
    let run = try HoltRun()
    try run.write("id,v\n2,b\n1,a\n", to: "t.csv")
    try run.write("[{\"id\":1,\"v\":\"a\"},{\"id\":2,\"v\":\"c\"}]", to: "t.json")
    let result = try run.holt("diff", "t.csv", "t.json", "--data", "--key", "id")
    #expect(result.output == "~ t id=2  v: 'b' -> 'c'\nt: 0 added, 0 removed, 1 changed\n")
  }

  @Test func `compares values in SQLite's order`() throws {
    let values: [SQLiteValue] = [
      .null, .real(-.infinity), .integer(.min), .real(-2.5), .integer(-2), .integer(0), .real(0.5),
      .integer(1), .integer(9_007_199_254_740_993), .real(9_223_372_036_854_775_808), "", "A", "a",
      "aa", "\u{e9}", "\u{10000}", .blob([]), .blob([0]), .blob([255]),
    ]
    let connection = try Connection.inMemory()
    for a in values {
      for b in values {
        let order = try connection.value(
          Int.self,
          "SELECT CASE WHEN ?1 IS NULL OR ?2 IS NULL THEN (?1 IS NOT NULL) - (?2 IS NOT NULL) ELSE (?1 > ?2) - (?1 < ?2) END",
          a, b)
        #expect(ValueOrder.compare(a, b).signum() == order, "\(a) \(b)")
      }
    }
  }
}
