import Testing

@testable import HoltChecks

@Suite struct `The examples check` {
  private static let path = "Packages/SPON/Sources/SPON/Value.swift"

  private func findings(_ comment: String) throws -> [Finding] {
    let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    let source = lines.map { "  /// \($0)\n" }.joined()
    let tree = try TemporaryTree([Self.path: "enum Value {\n\(source)  case none\n}\n"])
    return try ExamplesCheck().findings(in: tree.repository)
  }

  @Test(arguments: [
    "Nothing.",
    "Code that names what is not there:\n\n```swift\nlet value = try nowhere(1)\nprint(value)\n```",
    "```swift\nextension Value: Codable {}\nfor try await value in values { print(value) }\n```",
    "Not Swift:\n\n```sql\nSELECT …\n```",
    "```swift\n```",
  ])
  func `accepts valid Swift`(_ comment: String) throws {
    #expect(try findings(comment) == [])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let comment: String
    let line: Int
    var testDescription: String { comment }
  }

  @Test(arguments: [
    Case(comment: "```swift\nfor value in values { … }\n```", line: 3),
    Case(comment: "First.\n\n```swift\nlet a = 1\nlet b = (2\n```", line: 6),
    Case(comment: "```swift\nlet a = 1", line: 2),
  ])
  func `rejects invalid Swift, with its line`(_ expected: Case) throws {
    let findings = try findings(expected.comment)
    #expect(findings.first?.path == Self.path)
    #expect(findings.first?.line == expected.line)
  }

  @Test func `checks targets, not their tests`() throws {
    let text = "/// ```swift\n/// let a = (\n/// ```\n"
    let tree = try TemporaryTree([
      "Packages/SPON/Tests/SPONTests/ValueTests.swift": text, "Packages/SPON/Package.swift": text,
    ])
    #expect(try ExamplesCheck().findings(in: tree.repository) == [])
  }
}
