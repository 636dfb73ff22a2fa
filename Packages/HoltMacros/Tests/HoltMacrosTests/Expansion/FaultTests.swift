import Testing

@Suite struct `Diagnostics of the macro` {
  /// A declaration with markers ①②… at the expected locations, and the message for each.
  struct Case: CustomTestStringConvertible, Sendable {
    let source: String
    var context: [String] = []
    let said: [String]
    var testDescription: String { source }
  }

  static let cases = [
    Case(
      source: "①@CasePathable struct A {}", said: ["@CasePathable needs an enum; 'A' is a struct"]),
    Case(
      source: "①@CasePathable class A {}", said: ["@CasePathable needs an enum; 'A' is a class"]),
    Case(
      source: "①@CasePathable actor A {}", said: ["@CasePathable needs an enum; 'A' is an actor"]),
    Case(
      source: "①@CasePathable protocol A {}",
      said: ["@CasePathable needs an enum; 'A' is a protocol"]),
    Case(
      source: "@CasePathable enum A { case ②a(x: Int), b, ①a(y: Int) }",
      said: [
        "'A' has two cases named 'a'; @CasePathable requires unique case names",
        "the first 'a' is here",
      ]),
    Case(
      source: """
        @CasePathable enum A {
          case ②`a`
          #if DEBUG
          case b
          #elseif RELEASE
          case b
          case ①a(Int)
          #endif
        }
        """,
      said: [
        "'A' has two cases named 'a'; @CasePathable requires unique case names",
        "the first 'a' is here",
      ]),
    Case(
      source: """
        @CasePathable enum A {
          case ①allCasePaths
          #if DEBUG
          struct ②AllCasePaths {}
          #endif
        }
        """,
      said: ["allCasePaths", "AllCasePaths"].map {
        "@CasePathable generates '\($0)'; 'A' must not declare it"
      }),
    Case(
      source: "@CasePathable enum A { case a; var ①currentCase: Int { 1 } }",
      said: ["@CasePathable generates 'currentCase'; 'A' must not declare it"]),
    Case(
      source: "@CasePathable enum A { case a; static func ①allCasePaths() {} }",
      said: ["@CasePathable generates 'allCasePaths'; 'A' must not declare it"]),
    Case(
      source: "@CasePathable ①private enum A { case a }", context: ["struct B {}"],
      said: [
        "'private' hides 'A' from the extension that @CasePathable generates; use 'fileprivate', "
          + "or write 'enum A: CasePathable'"
      ]),
    Case(
      source: "@CasePathable enum ①A { case a }", context: ["private struct B {}", "enum C {}"],
      said: [
        "'private' hides 'A' from the extension that @CasePathable generates; use 'fileprivate', "
          + "or write 'enum A: CasePathable'"
      ]),
  ]

  @Test(arguments: cases)
  func `point to the cause, and nothing is generated`(_ expected: Case) throws {
    let markers: [Character] = ["①", "②"]
    let source = expected.source.filter { !markers.contains($0) }
    let expansion = try Plugin.expand(source, in: expected.context)
    let said = expansion.diagnostics.flatMap { diagnostic in
      [(diagnostic.message, diagnostic.position.offset)]
        + diagnostic.notes.map { ($0.message, $0.position.offset) }
    }
    let places = markers.compactMap { marker in
      expected.source.firstIndex(of: marker).map { index in
        String(expected.source[..<index]).filter { !markers.contains($0) }.utf8.count
      }
    }
    #expect(said.map(\.0) == expected.said)
    #expect(said.map(\.1) == places)
    #expect(expansion.diagnostics.allSatisfy { $0.severity == "error" && $0.fixIts.isEmpty })
    #expect(expansion.conformance == "")
  }

  @Test(arguments: [
    "@CasePathable enum A { case a; static var currentCase: Int { 1 } }",
    "@CasePathable enum A { case a; func currentCase(of: Int) {} }",
    "@CasePathable enum A { case a; struct allCasePaths {} }",
    "@CasePathable enum A { case currentCase }",
    "@CasePathable private enum A { case a }",
    "@CasePathable enum A {\n#if DEBUG\ncase a\n#else\ncase a(Int)\n#endif\n}",
  ])
  func `are not emitted for code that only looks similar`(_ source: String) throws {
    let expansion = try Plugin.expand(source)
    #expect(expansion.diagnostics.map(\.message) == [])
    #expect(
      expansion.conformance == "extension App.Route: nonisolated HoltMacros.CasePathable {}")
  }
}
