import Testing

@testable import HoltChecks

@Suite struct `The version check` {
  static let requirement = #".package(url: "https://example.com/holt.git", from: "0.2.0")"#

  @Test func `compares commands and requirements with the changelog`() throws {
    let tree = try TemporaryTree([
      "CHANGELOG.md": "# Changes\n\n## 0.2.0 (unreleased)\n\n## 0.1.0\n",
      "README.md": Self.requirement,
      "Docs/A.md": "\n" + Self.requirement.replacing("0.2.0", with: "0.1.0"),
      "Tools/Editors/A.json": "{\n  \"version\": \"0.1.0\",\n  \"engines\": \"1.0.0\"\n}",
      "Tools/Editors/B.toml": "version = \"0.1.0\"\n",
      "Tools/Holt/Sources/A.swift": "  version: \"0.2.0\",",
      "Tools/Holt/Sources/B.swift": "  version: \"0.1.0\",",
      "Tools/Holt/Tests/C.swift": "  version: \"0.1.0\",",
    ])
    let findings = try VersionCheck().findings(in: tree.repository)
    #expect(
      findings.map(\.description) == [
        "Docs/A.md:2: error: version 0.1.0, but CHANGELOG.md has 0.2.0",
        "Tools/Editors/A.json:2: error: version 0.1.0, but CHANGELOG.md has 0.2.0",
        "Tools/Editors/B.toml:1: error: version 0.1.0, but CHANGELOG.md has 0.2.0",
        "Tools/Holt/Sources/B.swift:1: error: version 0.1.0, but CHANGELOG.md has 0.2.0",
      ])
  }

  @Test func `rejects a changelog without a version`() throws {
    let tree = try TemporaryTree(["CHANGELOG.md": "# Changes\n\n## Unreleased\n"])
    #expect(try VersionCheck().findings(in: tree.repository).count == 1)
  }
}
