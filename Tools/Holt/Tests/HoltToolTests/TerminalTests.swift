import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

#if os(Linux)
  @Suite struct `In a terminal` {
    private func inTerminal(
      _ line: String, size: (Int, Int) = (24, 80), environment: [String: String] = [:],
      _ prepare: (HoltRun) throws -> Void = { _ in }
    ) throws -> String {
      let run = try HoltRun()
      try prepare(run)
      return try run.inTerminal(line, size: size, environment: environment)
    }

    @Test func `names are bold and NULL is dim, unless NO_COLOR is set`() throws {
      let colored = try inTerminal("holt query 'SELECT 1 AS n, NULL AS x' --no-pager")
      #expect(colored.contains("\u{1B}[1mn\u{1B}[0m"))
      #expect(colored.contains("\u{1B}[2mNULL\u{1B}[0m"))
      let plain = try inTerminal(
        "holt query 'SELECT 1 AS n, NULL AS x' --no-pager", environment: ["NO_COLOR": "1"])
      #expect(plain == "n  x\n-  ----\n1  NULL\n" || plain.contains("1  NULL"))
      #expect(!plain.contains("\u{1B}"))
      #expect(try !inTerminal("holt query 'SELECT 1' --color never").contains("\u{1B}"))
    }

    @Test func `output that is longer than the screen is shown in the pager`() throws {
      let rows =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30) SELECT i FROM n"
      let paged = try inTerminal(
        "holt query '\(rows)' --color never", environment: ["PAGER": "sed s/^/page:/"])
      #expect(paged.contains("page:30\n"))
      let short = try inTerminal(
        "holt query 'SELECT 1 AS a' --color never", environment: ["PAGER": "sed s/^/page:/"])
      #expect(!short.contains("page:"))
      let off = try inTerminal(
        "holt query '\(rows)' --color never --no-pager", environment: ["PAGER": "sed s/^/page:/"])
      #expect(!off.contains("page:"))
      // A pager that exits early causes no error message.
      let early = try inTerminal(
        "holt query 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'; echo status $?",
        environment: ["PAGER": "head -n 1 >/dev/null"])
      #expect(early.contains("status 141"))
    }

    @Test func `long values are truncated to the terminal width`() throws {
      let text = try inTerminal(
        "holt query \"SELECT 'x' AS a, printf('%.*c', 500, 'y') AS b\" --color never --no-pager",
        size: (24, 60))
      #expect(text.contains("…"))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 })
    }

    @Test func `a table that is wider than the terminal is shown vertically`() throws {
      let sql = "SELECT printf('%.*c', 20, 'x') AS a, printf('%.*c', 20, 'y') AS b, 7 AS seven"
      let wide = try inTerminal("holt query \"\(sql)\" --no-pager --color never", size: (24, 40))
      #expect(
        wide.contains(
          "    a = xxxxxxxxxxxxxxxxxxxx\n    b = yyyyyyyyyyyyyyyyyyyy\nseven = 7\nhint: the rows are shown vertically"
        ), "\(wide)")
      let fitting = try inTerminal("holt query \"\(sql)\" --no-pager --color never", size: (24, 60))
      #expect(fitting.contains("a                     b                     seven\n"), "\(fitting)")
      let table = try inTerminal(
        "holt query \"\(sql)\" --no-pager --color never --output table", size: (24, 40))
      #expect(table.contains("a                     b                     seven\n"), "\(table)")
    }

    @Test func `a watched table is redrawn in place`() throws {
      let text = try inTerminal("holt watch 'SELECT a FROM t' a.db --count 1") { run in
        try Connection(path: run.path("a.db")).execute(
          "CREATE TABLE t (a); INSERT INTO t VALUES (7)")
      }
      #expect(text.contains("\u{1B}[2J"))
      #expect(text.contains("7"))
      #expect(text.hasSuffix("\u{1B}[?25h"))
    }
  }
#endif

@Suite struct `The command line` {
  @Test func `has help with examples for each command, a version, and completions`() throws {
    let run = try HoltRun()
    #expect(try run.holt("--version").output == "0.1.0\n")
    let names = [
      "query", "convert", "copy", "schema", "diff", "migrate", "watch", "check", "bench",
      "summarize", "shell",
    ]
    for name in names {
      let help = try run.holt(name, "--help")
      #expect(help.status == 0)
      #expect(help.output.contains("holt \(name)"))
      #expect(help.output.contains("Example"), "\(name)")
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try run.holt("--generate-completion-script", shell)
      #expect(script.status == 0)
      #expect(script.output.contains("convert"))
    }
    #expect(try run.holt("none").status == 64)
  }
}
