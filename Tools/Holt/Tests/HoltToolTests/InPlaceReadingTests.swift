import CommandTesting
import Foundation
import Providers
import SQLiteCore
import Testing

@testable import HoltTool

/// The rule by which `holt query` reads a CSV file in place.
@Suite struct `CSV files of a query` {
  private let run: HoltRun

  init() throws {
    run = try HoltRun()
    try run.write("id,town,sum\n1,x,12.50\n2,y,8.25\n5,x,100.00\n", to: "orders.csv")
  }

  private func source(_ name: String) -> SourceArgument { SourceArgument(path: run.path(name)) }

  private func rows(_ sql: String, _ workspace: Workspace) throws -> [[SQLiteValue]] {
    var rows: [[SQLiteValue]] = []
    try workspace.connection.forEachStatement(in: SQL(unsafe: sql)) { statement in
      while try statement.step() { rows.append(try statement.row.values) }
    }
    return rows
  }

  @Test(arguments: [
    "SELECT count(*) FROM orders", "SELECT * FROM orders.orders", "SELECT * FROM main.orders",
    "SELECT town, sum(sum) FROM orders GROUP BY town ORDER BY 2 DESC",
    "SELECT id, count(*) FROM orders GROUP BY id, town", "SELECT DISTINCT town FROM orders",
    "SELECT * FROM (SELECT town, sum FROM orders ORDER BY sum DESC) LIMIT 2",
    "WITH o AS (SELECT town t FROM orders) SELECT t, count(*) FROM o GROUP BY t",
    "SELECT town, sum(sum) OVER (ORDER BY sum) FROM orders",
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM orders WHERE id = 2)",
    "SELECT 5 IN (SELECT id FROM orders)", "SELECT 1",
    "SELECT o.sum, x.column1 FROM orders o CROSS JOIN (VALUES (1), (2)) x",
    "SELECT max(sum) FROM orders; SELECT town FROM orders WHERE sum > 10",
    "SELECT count(*) FROM orders WHERE town = 'x' AND sum > 50",
  ])
  func `are read in place if each statement reads the table once`(_ sql: String) throws {
    let workspace = try #require(
      InPlaceReading.workspace(for: sql, [source("orders.csv")], ReadingOptions()))
    #expect(try rows(sql, workspace) == rows(sql, Workspace([source("orders.csv")])))
    #expect(workspace.files.map(\.name) == ["orders"])
  }

  @Test(arguments: [
    // In an inner loop, or several times.
    "SELECT * FROM orders a JOIN orders b USING (town)",
    "SELECT * FROM orders a, json_each('[1]')",
    "SELECT (SELECT count(*) FROM orders WHERE sum > column1) FROM (VALUES (1), (9))",
    "SELECT x.column1, o.id FROM (VALUES (1), (2)) x CROSS JOIN orders o",
    "SELECT * FROM orders WHERE sum > (SELECT avg(sum) FROM orders)",
    "SELECT id FROM orders UNION ALL SELECT sum FROM orders",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n, orders LIMIT 3) SELECT i FROM n",
    // The schema, and the key.
    "SELECT sql FROM sqlite_schema", "SELECT count(*) FROM sqlite_master",
    "SELECT name, type FROM pragma_table_info('orders')", "PRAGMA table_info(orders)",
    "EXPLAIN SELECT * FROM orders", "EXPLAIN QUERY PLAN SELECT * FROM orders",
    "SELECT rowid FROM orders", "SELECT town FROM orders GROUP BY town, id",
    // Errors, and other statements.
    "SELECT nmae FROM orders", "SELECT * FROM order", "SELEC 1", "", "DELETE FROM orders",
    "BEGIN", "SELECT 1; CREATE TEMP TABLE t (x)", "ATTACH 'x.db' AS x", "VACUUM INTO 'x.db'",
  ])
  func `are loaded for all other statements`(_ sql: String) {
    #expect(
      InPlaceReading.workspace(for: sql, [source("orders.csv")], ReadingOptions()) == nil)
  }

  @Test func `are loaded if the result could differ, or if they are not plain files`() throws {
    try run.write("id,v\n2,x\n1,y\n", to: "unordered.csv")
    try run.write("a,b\n1,2\n3\n", to: "invalid.csv")
    try run.write("[{\"a\": 1}]", to: "rows.json")
    try run.write("a,b\n1,2\n", to: "plain.csv")
    _ = try run.shell("gzip -k plain.csv; mkfifo pipe.csv; cp plain.csv text.unknown")
    func isInPlace(
      _ name: String, _ sql: String = "SELECT 1", _ set: (inout ReadingOptions) -> Void = { _ in }
    ) -> Bool {
      var options = ReadingOptions()
      set(&options)
      return InPlaceReading.workspace(for: sql, [source(name)], options) != nil
    }
    #expect(isInPlace("plain.csv"))
    #expect(isInPlace("text.unknown"))
    #expect(isInPlace("unordered.csv", "SELECT v FROM unordered"))
    #expect(!isInPlace("unordered.csv", "SELECT id FROM unordered"))
    #expect(!isInPlace("plain.csv.gz"))
    #expect(!isInPlace("pipe.csv"))
    #expect(!isInPlace("plain*.csv"))
    #expect(!isInPlace("missing.csv"))
    #expect(!isInPlace("invalid.csv"))
    #expect(!isInPlace("rows.json"))
    #expect(!isInPlace("plain.csv") { $0.format = .json })
    #expect(!isInPlace("plain.csv") { $0.usesCache = true })
    #expect(!isInPlace("plain.csv") { $0.csv.maximumRecordCount = 1 })
    #expect(!isInPlace("plain.csv") { $0.csv.columnTypes = ["c": .text] })
    let two = [source("plain.csv"), source("orders.csv")]
    #expect(InPlaceReading.workspace(for: "SELECT 1", two, ReadingOptions()) == nil)
    #expect(
      InPlaceReading.workspace(
        for: "SELECT 1", [SourceArgument(path: "-")], ReadingOptions()) == nil)
  }

  /// Writes a file of 5 MB with integers in the column `n`, followed by a last record.
  private func writeLarge(_ last: String) throws {
    let row = "1,\(String(repeating: "x", count: 2_000))\n"
    let rows = String(repeating: row, count: (5 << 20) / row.utf8.count)
    try run.write("n,t\n\(rows)\(last)\n", to: "large.csv")
  }

  @Test(
    arguments: [
      ("SELECT n, count(*) FROM large GROUP BY n", true), ("SELECT max(n) FROM large", true),
      ("SELECT n FROM large ORDER BY n LIMIT 3", true),
      ("SELECT * FROM (SELECT n, count(*) c FROM large GROUP BY n) WHERE c > 1", true),
      ("SELECT n, count(*) FROM large GROUP BY n; SELECT 1", false),
      ("SELECT 1; SELECT n, count(*) FROM large GROUP BY n", false),
      ("SELECT 1 UNION ALL SELECT max(n) FROM large", false),
      ("SELECT * FROM (SELECT 5 AS c UNION ALL SELECT max(n) FROM large) WHERE c > 1", false),
      ("SELECT (SELECT max(n) FROM large) AS m", false),
      ("SELECT l.n, x.column1 FROM large l CROSS JOIN (VALUES (1), (2)) x WHERE l.n = 'y'", false),
    ] as [(String, Bool)])
  func `are checked while they are read if no row is returned before`(
    _ sql: String, isDeferred: Bool
  ) throws {
    try writeLarge("y,z")
    let workspace = try #require(
      InPlaceReading.workspace(
        for: sql, [source("large.csv")], ReadingOptions(), defersChecks: true))
    let found = try? rows(sql, workspace)
    #expect(workspace.isContradicted == isDeferred)
    #expect((found == nil) == isDeferred)
    // The command runs the statement again.
    let result = try run.holt("query", sql, "large.csv", "--output", "jsonl")
    try run.write("[]", to: "other.json")
    let loaded = try run.holt(
      "query", sql.replacing("FROM large", with: "FROM large.large"), "large.csv", "other.json",
      "--output", "jsonl")
    #expect(result.status == 0)
    #expect(result.output == loaded.output)
  }

  @Test(arguments: ["table", "json", "csv"])
  func `have no output before an invalid record is found`(_ format: String) throws {
    try writeLarge("1,\"x")
    let sql = "SELECT n, count(*) FROM large GROUP BY n"
    let result = try run.holt("query", sql, "large.csv", "--output", format)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("large.csv"))
  }

  @Test func `have the name of their argument, and the types of loaded files`() throws {
    let sql = "SELECT id, town, sum FROM x"
    let named = SourceArgument(name: "x", path: run.path("orders.csv"))
    let workspace = try #require(InPlaceReading.workspace(for: sql, [named], ReadingOptions()))
    let types = try workspace.connection.prepare(SQL(unsafe: sql))
    #expect((0..<3).map { types.declaredType(at: ColumnIndex($0)) } == ["INTEGER", "TEXT", "REAL"])
    let result = try run.holt("query", sql, "x=orders.csv", "--output", "jsonl")
    #expect(result.output.hasPrefix("{\"id\":1,\"town\":\"x\",\"sum\":12.5}\n"))
  }

  @Test func `need little memory`() throws {
    let row = "1234567,some text,12.50,2026-11-22,true\n"
    let rows = String(repeating: row, count: (200 << 20) / row.utf8.count)
    try run.write("a,b,c,d,e\n\(rows)", to: "large.csv")
    let script = """
      import resource, subprocess, sys
      subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    try run.write(script, to: "memory.py")
    for sql in [
      "SELECT count(*) FROM large", "SELECT b, sum(a), max(c) FROM large GROUP BY b",
      "SELECT a FROM large WHERE e = 0",
    ] {
      let result = try run.shell(
        "python3 memory.py '\(run.executable)' query '\(sql)' large.csv")
      let kilobytes = try #require(
        Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(kilobytes < 100_000, "\(sql): \(kilobytes) KB")
    }
  }
}
