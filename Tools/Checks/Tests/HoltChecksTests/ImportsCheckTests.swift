import Testing

@testable import HoltChecks

@Suite struct `The imports check` {
  struct Case: CustomTestStringConvertible, Sendable {
    let path: String, text: String, line: Int, says: String
    var testDescription: String { "\(path): \(text.replacing("\n", with: "⏎"))" }
  }

  static let core = "Packages/SQLiteCore/Sources/SQLiteCore"
  static let providers = "Packages/Providers/Sources/Providers"
  static let primitives = "Packages/Primitives/Sources/Primitives"
  static let cInterface = "Packages/SQLiteCore/Tests/SQLiteCoreTests/CInterface/"

  @Test(arguments: [
    Case(
      path: "\(core)/Value/A.swift", text: "\nimport Observe", line: 2,
      says: "SQLiteCore must not import Observe"),
    Case(
      path: "Packages/QueryGen/Sources/SwiftEmitter/A.swift", text: "import SQLSyntax", line: 1,
      says: "SwiftEmitter must not import SQLSyntax; it may import Primitives, QueryModel"),
    Case(
      path: "Packages/QueryGen/Sources/SQLSyntax/Lexer/A.swift", text: "import Foundation",
      line: 1, says: "SQLSyntax imports Foundation in files named Type+Foundation.swift only"),
    Case(
      path: "Packages/Observe/Sources/Observe/A.swift", text: "import QueryGen", line: 1,
      says: "Observe must not import QueryGen"),
    Case(
      path: "\(core)/Value/A.swift", text: "internal import CSQLite", line: 1,
      says: "CSQLite is imported under \(core)/Engine/, \(cInterface) only"),
    Case(
      path: "Packages/Observe/Sources/Observe/A.swift", text: "let a = 1\nlet b = unsafe f()",
      line: 2,
      says:
        "unsafe code is allowed under Packages/PostgreSQL/Sources/PostgreSQL/Engine/, "
        + "Packages/PostgreSQL/Sources/PostgreSQLTesting/Processes/, "
        + "Packages/PostgreSQL/Tests/PostgreSQLTests/Sockets/, "
        + "\(primitives)/Concurrency/, \(primitives)/Memory/, "
        + "\(providers)/Files/, \(providers)/Formats/XML/, \(core)/Engine/, \(cInterface), "
        + "Tools/Holt/Sources/HoltTool/LineEditing/ only"
    ),
    Case(
      path: "Packages/Observe/Tests/ObserveTests/A.swift", text: "import CSQLite", line: 1,
      says: "CSQLite is imported under \(core)/Engine/, \(cInterface) only"),
    Case(
      path: "Packages/Nova/Sources/Nova/A.swift", text: "let a = 1", line: 1,
      says: "target Nova has no entry in ImportRules.swift"),
    Case(
      path: "Tools/Examples/Atlas/Sources/A.swift", text: "import SQLSemantics", line: 1,
      says: "Atlas must not import SQLSemantics"),
  ])
  func `rejects imports that the order of packages forbids`(_ expected: Case) throws {
    let tree = try TemporaryTree([expected.path: expected.text])
    let findings = try ImportsCheck().findings(in: tree.repository)
    let finding = try #require(findings.first { $0.message.hasPrefix(expected.says) })
    #expect(finding.path == expected.path)
    #expect(finding.line == expected.line)
    #expect(finding.description.hasPrefix("\(expected.path):\(expected.line): error: "))
  }

  @Test(arguments: [
    Case(
      path: "\(core)/Engine/Handle.swift", text: "internal import CSQLite\nlet a = unsafe f()",
      line: 0, says: ""),
    Case(
      path: "\(core)/Value/Data+Foundation.swift", text: "public import Foundation", line: 0,
      says: ""),
    Case(
      path: "\(core)/Value/A.swift", text: "import Observation\n// unsafe, import CSQLite",
      line: 0, says: ""),
    Case(
      path: "\(core)/Value/A.swift", text: "let a = \"unsafe import CSQLite\"", line: 0, says: ""),
    Case(
      path: "\(core)/Value/A.swift", text: "func f(unsafe a: Int) { f(unsafe: a) }", line: 0,
      says: ""),
    Case(
      path: "Packages/QueryGen/Sources/SQLSemantics/A.swift",
      text: "import QueryModel\nimport SQLSyntax", line: 0, says: ""),
    Case(
      path: "Packages/QueryGen/Sources/QueryGenDriver/A.swift",
      text: "import Foundation\nimport SwiftEmitter", line: 0, says: ""),
    Case(
      path: "Packages/Observe/Tests/ObserveTests/A.swift",
      text: "import Foundation\nimport Testing", line: 0, says: ""),
    Case(
      path: "Packages/Observe/.build/checkouts/X/Sources/X/A.swift", text: "import CSQLite",
      line: 0, says: ""),
  ])
  func `accepts imports that the order allows`(_ allowed: Case) throws {
    let tree = try TemporaryTree([allowed.path: allowed.text])
    #expect(try ImportsCheck().findings(in: tree.repository) == [])
  }
}
