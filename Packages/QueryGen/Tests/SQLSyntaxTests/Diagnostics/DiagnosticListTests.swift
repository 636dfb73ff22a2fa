import SQLSyntax
import Testing

@Suite struct `A diagnostic list` {
  static let rule = Diagnostic.Identity(rawValue: "rule")

  @Test func `keeps a hundred errors and replaces the last by a notice`() {
    var list = DiagnosticList()
    for index in 0..<250 {
      list.append(Diagnostic(Self.rule, at: ByteSpan(index..<index), "wrong"))
    }
    #expect(list.diagnostics.count == DiagnosticList.limit)
    #expect(list.diagnostics.last?.identity == .tooManyErrors)
    #expect(list.isFull)
  }

  @Test func `has no errors if it contains only warnings`() {
    var list = DiagnosticList()
    list.append(Diagnostic(Self.rule, severity: .warning, at: ByteSpan(0..<1), "odd"))
    #expect(!list.hasErrors)
    #expect(list.diagnostics.count == 1)
  }

  @Test func `limits the number of warnings`() {
    var list = DiagnosticList()
    for _ in 0..<100_000 {
      list.append(Diagnostic(Self.rule, severity: .warning, at: ByteSpan(0..<1), "odd"))
    }
    #expect(list.diagnostics.count <= 1000)
  }

  @Test func `stops the parser after too many errors`() {
    var list = DiagnosticList()
    _ = Parser.parseScript(
      SourceText(String(repeating: "SELECT;", count: 5000)), diagnostics: &list)
    #expect(list.errorCount == DiagnosticList.limit)
    #expect(list.diagnostics.count == DiagnosticList.limit)
  }
}
