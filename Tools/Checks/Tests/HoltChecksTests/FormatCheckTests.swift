import Testing

@testable import HoltChecks

@Suite struct `The format check` {
  static let configuration = "{ \"version\": 1, \"indentation\": { \"spaces\": 2 } }\n"

  @Test func `rejects a file that the formatter would change`() throws {
    let path = "Packages/Observe/Sources/Observe/A.swift"
    let tree = try TemporaryTree([
      ".swift-format": Self.configuration,
      path: "struct A {\n      let b = 1\n}\n",
    ])
    let finding = try #require(try FormatCheck().findings(in: tree.repository).first)
    #expect(finding.path == path)
    #expect(finding.line == 2)
    #expect(finding.message.hasPrefix("[Indentation]"))
    try FormatCheck().write(in: tree.repository)
    #expect(try tree.repository.text(of: path) == "struct A {\n  let b = 1\n}\n")
    #expect(try FormatCheck().findings(in: tree.repository) == [])
  }

  @Test func `ignores generated files`() throws {
    let tree = try TemporaryTree([
      "Tests/Cases/join/expected.swift": "let  a = 1", "Tools/A/DB.generated.swift": "let  a = 1",
    ])
    #expect(FormatCheck.files(in: tree.repository) == [])
  }
}
