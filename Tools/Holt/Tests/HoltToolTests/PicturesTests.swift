import CommandTesting
import Foundation
import Testing

/// `make goldens` sets `HOLT_REWRITE_GOLDENS=1`, which writes the pictures in place of comparing.
@Suite struct `The pictures in the documentation` {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
  private static let docs = tests.appending(path: "../../../../Docs").standardized

  private func expect(_ svg: String, in name: String) throws {
    let file = Self.docs.appending(path: name)
    if ProcessInfo.processInfo.environment["HOLT_REWRITE_GOLDENS"] == "1" {
      try Data(svg.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == svg, "run `make goldens`")
  }

  @Test func `show the diagram that the command draws`() throws {
    let run = try HoltRun()
    let shop = try String(contentsOf: Self.tests.appending(path: "Shop.sql"), encoding: .utf8)
    #expect(try run.holt("query", shop, "app.sqlite", "--write").status == 0)
    try expect(run.holt("schema", "app.sqlite", "--format", "svg").output, in: "holt-diagram.svg")
  }

  #if os(Linux)
    @Test func `show the command's output in a terminal`() throws {
      let run = try HoltRun()
      try run.write(Samples.towns, to: "towns.json")
      try run.write(Samples.orders, to: "orders.csv")
      for day in ["monday", "tuesday"] {
        try FileManager.default.createDirectory(
          atPath: run.path(day), withIntermediateDirectories: false)
      }
      try run.write(Samples.orders, to: "monday/orders.csv")
      try run.write("id,town,sum\n1,1,12.50\n2,3,9.00\n4,2,7.00\n", to: "tuesday/orders.csv")
      var picture = TerminalPicture()
      for command in [
        "holt query \"SELECT * FROM towns\" towns.json",
        """
        holt query "SELECT t.name, count(*) AS orders, sum(o.sum) AS sum
        FROM orders o JOIN towns t ON t.id = o.town GROUP BY t.id" orders.csv towns.json
        """,
        "holt query \"SELECT id, nmae FROM towns\" towns.json",
        "holt diff monday/orders.csv tuesday/orders.csv --data --key id",
      ] {
        picture.add(command: command, output: try run.inTerminal(command))
      }
      try expect(picture.svg, in: "holt-terminal.svg")
    }

    @Test func `show tables in 80 columns`() throws {
      let run = try HoltRun()
      try run.write(Samples.towns, to: "towns.json")
      try run.write(Samples.orders, to: "orders.csv")
      try run.write(
        """
        .tables
        SELECT * FROM towns WHERE people > 500000;
        SELECT name FROM towns WHERE peple > 500000;
        """, to: "session.sql")
      var picture = TerminalPicture()
      for command in [
        """
        holt query "SELECT *, name || ' has ' || people || ' inhabitants and lies in '
        || country || '.' AS text FROM towns LIMIT 2" towns.json
        """,
        "holt summarize --output table orders.csv",
        "holt shell towns.json < session.sql",
      ] {
        picture.add(command: command, output: try run.inTerminal(command))
      }
      try expect(picture.svg, in: "holt-columns.svg")
    }
  #endif
}
