import Testing

@testable import HoltChecks

@Suite struct `The links check` {
  private static let page = """
    # A page

    ## `make test`, and others
    """

  @Test(arguments: [
    ("[a](Docs/B.md)", "there is no file Docs/B.md"),
    ("\n![a](picture.svg)", "there is no file picture.svg"),
    ("[a](#b)", "README.md has no heading with the anchor #b"),
    ("[a](Docs/A.md#b)", "Docs/A.md has no heading with the anchor #b"),
    ("[a]: Docs/B.md", "there is no file Docs/B.md"),
  ])
  func `rejects`(_ text: String, _ message: String) throws {
    let tree = try TemporaryTree(["README.md": text, "Docs/A.md": Self.page])
    let findings = try LinksCheck().findings(in: tree.repository)
    #expect(findings.map(\.message) == [message])
    #expect(findings.map(\.line) == [text.hasPrefix("\n") ? 2 : 1])
  }

  @Test(arguments: [
    "[a](Docs/A.md)", "[a](Docs)", "[a](Docs/A.md#make-test-and-others)", "# B\n[a](#b)",
    "[a](https://example.com/b)", "`[a](b)`", "```\n[a](b)\n```", "[a]: ./Docs/A.md",
    "<doc:/SQLiteCore>",
  ])
  func `accepts`(_ text: String) throws {
    let tree = try TemporaryTree(["README.md": text, "Docs/A.md": Self.page])
    #expect(try LinksCheck().findings(in: tree.repository) == [])
  }

  @Test func `resolves links relative to their page`() throws {
    let tree = try TemporaryTree(["README.md": "", "Docs/A.md": "[a](../README.md) [b](B.md)"])
    let findings = try LinksCheck().findings(in: tree.repository)
    #expect(findings.map(\.message) == ["there is no file Docs/B.md"])
  }
}
