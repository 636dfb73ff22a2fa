import CommandTesting
import Foundation
import Testing

/// Mistakes in SQL on files that take long to read.
@Suite struct `A mistake in the SQL` {
  /// Writes a file of more than 4 MB that is malformed at its end, so that reading it in full fails.
  private func largeFile(_ run: HoltRun, _ name: String, _ first: String, _ row: String) throws {
    let rows = String(repeating: row, count: 5_000_000 / row.utf8.count)
    try run.write(first + rows + "\"malformed\n", to: name)
  }

  @Test(arguments: [
    ("SELECT id, nmae FROM big", "SQL:1:12: error: no such column: nmae"),
    ("SELECT count(*) FROM big; SELECT * FROM bgi", "SQL:1:27: error: no such table: bgi"),
    ("SELECT * FORM big", "SQL:1:10: error: near \"FORM\": syntax error"),
    ("SELECT sqart(id) FROM big", "error: no such function: sqart"),
  ])
  func `is reported before a large CSV file is read`(_ sql: String, _ message: String) throws {
    let run = try HoltRun()
    try largeFile(
      run, "big.csv", "id,name\n", "1,\"a\nb\"\n2,some text that is longer than a number\n")
    try run.write(Samples.towns, to: "towns.json")
    for files in [["big.csv"], ["towns.json", "big.csv"]] {
      let result = try run.command(["query", sql] + files)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    // The file itself is malformed.
    let other = try run.holt("query", "SELECT id, name FROM big", "big.csv")
    #expect(other.errors.hasPrefix("big.csv:"))
    #expect(
      try run.holt("query", "SELECT id, v FROM x", "x=big.csv").errors.contains("no such column: v")
    )
    // The table is created by the SQL.
    let created = try run.holt(
      "query", "CREATE TABLE big2 AS SELECT * FROM big; SELECT * FROM big2", "big.csv", "--write")
    #expect(created.errors.hasPrefix("big.csv:"), "\(created.errors)")
  }

  @Test func `can't be a column that appears late in a JSON file`() throws {
    let run = try HoltRun()
    let rows = String(repeating: "{\"id\": 1, \"text\": \"some text\"}\n", count: 200_000)
    try run.write(rows + "{\"late\": 7}\n", to: "big.jsonl")
    let result = try run.holt(
      "query", "SELECT max(late) AS late FROM big", "big.jsonl", "--output", "jsonl")
    #expect(result.output == "{\"late\":7}\n", "\(result.errors)")
    let syntax = try run.holt("query", "SELECT late FORM big", "missing.jsonl")
    #expect(syntax.errors.contains("syntax error"))
  }
}
