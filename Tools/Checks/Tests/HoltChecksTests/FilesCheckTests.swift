import Testing

@testable import HoltChecks

@Suite struct `The files check` {
  static let path = "Packages/Observe/Sources/Observe/A.swift"

  struct Case: CustomTestStringConvertible, Sendable {
    let text: String, line: Int, says: String
    var testDescription: String { says }
  }

  @Test(arguments: [
    Case(text: "let a = try" + "! f()", line: 1, says: "try! traps"),
    Case(text: "\nfatalError(\"no\")", line: 2, says: "fatalError traps"),
    Case(text: "// TO" + "DO: later", line: 1, says: "TO" + "DO: resolve it"),
    Case(text: "let a = 1\n// see /wor" + "k/notes", line: 2, says: "/wor" + "k/ is a path"),
    Case(text: String(repeating: "// a\n", count: 501), line: 501, says: "501 lines"),
  ])
  func `rejects`(_ expected: Case) throws {
    let tree = try TemporaryTree([Self.path: expected.text])
    let findings = try FilesCheck().findings(in: tree.repository)
    #expect(findings.map(\.line) == [expected.line])
    #expect(findings.first?.message.hasPrefix(expected.says) == true)
    #expect(findings.first?.path == Self.path)
  }

  @Test(arguments: [
    "if try !f() {}", "try? f()", "precondition(a)", "// fatalError(\"in a comment\")",
    "let a = \"try" + "! in a string\"",
  ])
  func `accepts`(_ text: String) throws {
    let tree = try TemporaryTree([Self.path: text])
    #expect(try FilesCheck().findings(in: tree.repository) == [])
  }

  @Test func `accepts a file of 500 lines`() throws {
    let tree = try TemporaryTree([Self.path: String(repeating: "// a\n", count: 500)])
    #expect(try FilesCheck().findings(in: tree.repository) == [])
  }

  @Test func `checks files other than Swift sources`() throws {
    let tree = try TemporaryTree([
      "README.md": "cd /wor" + "k/main", "Makefile": "# TO" + "DO", "image.png": "TO" + "DO",
    ])
    let findings = try FilesCheck().findings(in: tree.repository)
    #expect(findings.map(\.path) == ["Makefile", "README.md"])
  }

  @Test func `allows traps in tests`() throws {
    let tree = try TemporaryTree([
      "Packages/Observe/Tests/ObserveTests/A.swift": "let a = try" + "! f()"
    ])
    #expect(try FilesCheck().findings(in: tree.repository) == [])
  }
}
