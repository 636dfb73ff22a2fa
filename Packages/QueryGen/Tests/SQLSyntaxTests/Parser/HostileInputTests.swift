import Foundation
import Primitives
import SQLSyntax
import Testing

@Suite struct `Malicious input` {
  static let pieces = [
    "(", "SELECT (", "(SELECT ", "SELECT 1 FROM (", "SELECT 1 FROM (SELECT 1 FROM ", "NOT ", "- ",
    "~", "f(", "1+(", "CASE ", "CASE WHEN ", "CASE WHEN 1 THEN ", "EXISTS(SELECT ", "1 IN (",
    "1 IN (SELECT ", "CAST(", "1 LIKE ", "1 LIKE 1 ESCAPE (", "1 BETWEEN ", "1 BETWEEN 1 AND (",
    "1 IS NOT DISTINCT FROM (", "f() OVER (ORDER BY ", "f() FILTER (WHERE ", "WITH x AS (",
    "EXPLAIN ", "1 IN f(", "(1,", "VALUES(", "a.", "a,", "1+", "1||", "a COLLATE b ", "a AND ",
    "a ISNULL ", "a = ", "'", "\"", "[", "/*", "--", "x'", "$a(", "@", "1e", "\u{0}", "é", ";",
    "t JOIN ", "LEFT JOIN ", "UNION SELECT 1 ", "/* */", "-- a\n", "SELECT 1;/* */", "a:", ":a ",
    "-- name: a :one\n", "DEFINE QUERY a AS ", "BEGIN ", "END;", "CREATE TRIGGER ",
    "CREATE TABLE t(a ", "CONSTRAINT a ", "ON CONFLICT(a) DO NOTHING ",
    "CREATE VIRTUAL TABLE t USING m(",
    "WINDOW w AS ", "OVER ", ") OVER (",
  ]

  /// Runs a closure on a thread with a 512 KB stack, the smallest that callers have.
  static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    done.wait()
  }

  @Test(arguments: pieces, ["", "SELECT "])
  func `repeated a thousand times is parsed on a small stack, in linear time`(
    _ piece: String, _ prefix: String
  ) {
    let (few, many) = (StepCounter(), StepCounter())
    for (counter, count) in [(few, 100), (many, 1_000)] {
      let source = SourceText(prefix + String(repeating: piece, count: count))
      Self.onSmallStack {
        counter.run {
          var list = DiagnosticList()
          _ = Parser.parseScript(source, diagnostics: &list)
          list = DiagnosticList()
          _ = Parser.parseQueryFile(source, diagnostics: &list)
        }
      }
    }
    guard StepCounter.isEnabled else { return }
    #expect(many.count <= 20 * few.count + 100)
  }

  @Test(arguments: ["(", "(SELECT ", "a+", "NOT "])
  func `repeated a hundred thousand times yields one diagnostic`(_ piece: String) {
    let source = SourceText("SELECT " + String(repeating: piece, count: 100_000))
    Self.onSmallStack {
      var list = DiagnosticList()
      _ = Parser.parseScript(source, diagnostics: &list)
      #expect(list.errorCount == 1)
    }
  }

  @Test(arguments: [
    ("SELECT ", "(", "1", ")", 93), ("SELECT ", "- ", "1", "", 94),
    ("SELECT 1 FROM t WHERE ", "(", "1", ")", 92),
    ("DELETE FROM t WHERE ", "(", "1", ")", 91),
  ])
  func `is parsed up to SQLite's nesting depth and no deeper`(
    _ prefix: String, _ open: String, _ middle: String, _ close: String, _ depth: Int
  ) {
    func nested(_ depth: Int) -> String {
      prefix + String(repeating: open, count: depth) + middle
        + String(repeating: close, count: depth)
    }
    expectParse(nested(depth))
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText(nested(depth + 1)), diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [.nestingTooDeep])
  }

  @Test(arguments: [" + 1", " AND 1", " || 1", " = 1", " ISNULL", " COLLATE x", " -> 1"])
  func `of a thousand operators is parsed, but not of more`(_ tail: String) {
    let text = "SELECT 1" + String(repeating: tail, count: 999)
    Self.onSmallStack {
      var list = DiagnosticList()
      #expect(Parser.parseScript(SourceText(text), diagnostics: &list).statements.count == 1)
    }
    expectParse(text)
    var list = DiagnosticList()
    _ = Parser.parseScript(SourceText(text + tail), diagnostics: &list)
    #expect(list.diagnostics.map(\.identity) == [.expressionTooDeep])
  }

  @Test func `with long lists is parsed`() {
    let list = Array(repeating: "1", count: 50_000).joined(separator: ",")
    Self.onSmallStack {
      expectParse("SELECT \(list) FROM t WHERE a IN (\(list)) ORDER BY \(list)")
      expectParse(
        "INSERT INTO t VALUES \(Array(repeating: "(1)", count: 20_000).joined(separator: ","))")
      expectParse("SELECT 1 FROM a\(String(repeating: " JOIN b", count: 199))")
      expectParse(
        "SELECT 1 FROM ①a\(String(repeating: " JOIN b", count: 200))② JOIN b",
        Fault(.tooManySources))
    }
  }

  @Test func `of any bytes is parsed or rejected`() {
    var state: UInt64 = 42
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<next() % 40 {
        if next() % 4 == 0 {
          bytes.append(UInt8(next() % 256))
        } else {
          bytes += Array(Self.pieces[next() % Self.pieces.count].utf8)
        }
      }
      var list = DiagnosticList()
      let source = SourceText(bytes: bytes)
      let script = Parser.parseScript(source, diagnostics: &list)
      for statement in script.statements {
        var again = DiagnosticList()
        let printed = SourceText(Printer.text(of: statement.statement))
        #expect(Parser.parseStatement(printed, diagnostics: &again) == statement.statement)
      }
      for diagnostic in list.diagnostics {
        #expect(diagnostic.span.end.value <= bytes.count)
      }
      _ = Parser.parseQueryFile(source, diagnostics: &list)
    }
  }
}
