import Testing

@testable import HoltChecks

@Suite struct `Swift code` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, imports: [String]
    var testDescription: String { text.replacing("\n", with: "⏎") }
  }

  @Test(arguments: [
    Case(text: "import A", imports: ["A"]),
    Case(text: "public import A\ninternal import B", imports: ["A", "B"]),
    Case(text: "@testable import A; import B", imports: ["A", "B"]),
    Case(text: "@_exported public import struct A.B", imports: ["A"]),
    Case(text: "import A.Sub", imports: ["A"]),
    Case(text: "// import A\n/* import B /* import C */ import D */", imports: []),
    Case(text: "let a = \"import A\"\nlet b = \"\"\"\n  import B\n  \"\"\"", imports: []),
    Case(text: "let a = #\"\"import A\"#\nimport B", imports: ["B"]),
    Case(text: "let a = \"\\\"import A\"\nimport B", imports: ["B"]),
    Case(text: "let a = #/\"/#\nimport B", imports: ["B"]),
    Case(text: "let a = \"\\(f(\")\") + \")\") import A\"\nimport B", imports: ["B"]),
    Case(text: "let a = x.import\nlet `import` = 1", imports: []),
    Case(text: "#if canImport(A)\nimport B\n#endif", imports: ["B"]),
    Case(text: "let a = \"never closed\nimport B", imports: ["B"]),
  ])
  func `finds imports only in code`(_ expected: Case) {
    #expect(SwiftCode(expected.text).imports.map(\.module) == expected.imports)
  }

  @Test func `contains the code inside an interpolation`() {
    let words = SwiftCode("let a = \"unsafe \\(unsafe f()) unsafe\"").words.map(\.text)
    #expect(words.filter { $0 == "unsafe" }.count == 1)
  }

  @Test func `keeps line numbers`() {
    let imports = SwiftCode("/*\n\n*/\nlet a = \"\"\"\n  b\n  \"\"\"\nimport C").imports
    #expect(imports == [SwiftCode.Import(module: "C", line: 7)])
  }
}
