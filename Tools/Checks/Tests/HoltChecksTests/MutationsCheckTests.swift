import Testing

@testable import HoltChecks

@Suite struct `The mutations check` {
  static let source = "Packages/Observe/Sources/Observe/A.swift"
  static let patch = "Tools/Mutations/Observe/lost-commit.patch"

  static func diff(of path: String, removing line: String = "let b = 2") -> String {
    """
    diff --git a/\(path) b/\(path)
    --- a/\(path)
    +++ b/\(path)
    @@ -1,3 +1,2 @@
     let a = 1
    -\(line)
     let c = 3

    """
  }

  static let header = "# A commit is lost.\n# tests: ^ObserveTests\\.\n"

  private func findings(_ patch: String, at path: String = patch) throws -> [Finding] {
    let tree = try TemporaryTree([
      Self.source: "let a = 1\nlet b = 2\nlet c = 3\n",
      "Packages/Observe/Tests/ObserveTests/A.swift": "let a = 1\nlet b = 2\nlet c = 3\n",
      path: patch,
    ])
    return try MutationsCheck().findings(in: tree.repository)
  }

  @Test(arguments: [
    "# A commit is lost.\n# tests: ^ObserveTests\\.\n",
    "# A commit is lost.\n# equivalent: nobody can observe it\n",
  ])
  func `accepts a patch that applies and has its header`(header: String) throws {
    #expect(try findings(header + Self.diff(of: Self.source)) == [])
  }

  @Test func `accepts a repository without mutants`() throws {
    let tree = try TemporaryTree(["README.md": ""])
    #expect(try MutationsCheck().findings(in: tree.repository) == [])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let header: String, says: String
    var testDescription: String { says + ": " + header }
  }

  @Test(arguments: [
    Case(header: "", says: "the first line"),
    Case(header: "# tests: A\n", says: "the first line"),
    Case(header: "# A commit is lost\n# tests: A\n", says: "the first line"),
    Case(header: "# A commit is lost.\n", says: "the header must have one line"),
    Case(header: "# A commit is lost.\n# tests: \n", says: "the header must have one line"),
    Case(
      header: "# A commit is lost.\n# tests: A\n# equivalent: b\n",
      says: "the header must have one line"),
  ])
  func `rejects a header that is not complete`(_ expected: Case) throws {
    let findings = try findings(expected.header + Self.diff(of: Self.source))
    #expect(findings.contains { $0.path == Self.patch && $0.message.hasPrefix(expected.says) })
  }

  @Test func `rejects a patch whose lines the source no longer has`() throws {
    let findings = try findings(
      Self.header + Self.diff(of: Self.source, removing: "let b = 4"))
    #expect(findings.map(\.path) == [Self.patch])
    #expect(findings.first?.message.hasPrefix("the patch does not apply: ") == true)
  }

  @Test func `rejects a patch without a change`() throws {
    let findings = try findings(Self.header)
    #expect(findings.first?.message.hasPrefix("the patch does not apply: ") == true)
  }

  @Test func `rejects changes of tests`() throws {
    let findings = try findings(
      Self.header + Self.diff(of: "Packages/Observe/Tests/ObserveTests/A.swift"))
    #expect(findings.map(\.line) == [3])
    #expect(
      findings.first?.message == "a mutant changes files of Packages/*/Sources only")
  }

  @Test(arguments: ["Tools/Mutations/lost.patch", "Tools/Mutations/Observe/lost.diff"])
  func `rejects a file that is not a patch of a package`(path: String) throws {
    let findings = try findings(Self.header + Self.diff(of: Self.source), at: path)
    #expect(findings.map(\.path) == [path])
  }
}
