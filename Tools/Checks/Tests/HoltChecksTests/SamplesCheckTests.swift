import Testing

@testable import HoltChecks

@Suite struct `The samples check` {
  static let source = "Packages/SQLiteCore/Tests/SQLiteCoreTests/ReadmeTests.swift"

  static let tests = #"""
    @Suite struct `The README` {
      // let never = compiled()
      @Test func `counts`() throws {
        let first = try count("a")

        if first > 0 {
          print(first)  // 1
        }
        let sql = """
          SELECT a
            FROM b
          let text = "is no code"
          """
      }
    }
    /*
    let gone = 1
    */
    """#

  /// Returns the findings for a page with one block.
  private func findings(
    _ block: String, language: String = "swift", page: String = "README.md",
    others: [String: String] = [:]
  ) throws -> [Finding] {
    let page = [page: "# Page\n\n```\(language)\n\(block)\n```\n"]
    let tree = try TemporaryTree(
      page.merging([Self.source: Self.tests]) { $1 }.merging(others) { $1 })
    return try SamplesCheck().findings(in: tree.repository)
  }

  @Test(arguments: [
    "let first = try count(\"a\")",
    "let first = try count(\"a\")\n\nif first > 0 {\n  print(first)  // 1\n}",
    "    if first > 0 {\n      print(first)  // 1\n    }",
    "  print(first)  // 1   \n}\n",
    "// Sources/app/main.swift\n\nlet first = try count(\"a\")",
    "",
  ])
  func `accepts lines of a test with any indentation`(_ block: String) throws {
    #expect(try findings(block) == [])
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let block: String, says: String
    var testDescription: String { block }
  }

  @Test(arguments: [
    Case(
      block: "let nowhere = 1",
      says: "no source of a test or an example contains line 4, \"let nowhere = 1\""),
    Case(
      block: "let first = try count(\"a\")\n\nif first > 1 {\n  print(first)\n}",
      says:
        "no source of a test or an example contains this; \(source):6 is not line 6, \"if first > 1 {\""
    ),
    Case(
      block: "if first > 0 {\nprint(first)  // 1\n}",
      says: "no source of a test or an example contains this; \(source):7 is not line 5, "
        + "\"print(first)  // 1\""),
    Case(
      block: "if first > 0 {\n  print(first)  // 2\n}",
      says: "no source of a test or an example contains this; \(source):7 is not line 5, "
        + "\"print(first)  // 2\""),
    Case(
      block: "let first = try count(\"a\")\nif first > 0 {",
      says: "no source of a test or an example contains this; \(source):5 is not line 5, "
        + "\"if first > 0 {\""),
    Case(
      block: "let text = \"is no code\"",
      says: "the lines are only in a comment or a string, at \(source):12"),
    Case(
      block: "let gone = 1",
      says: "the lines are only in a comment or a string, at \(source):17"),
  ])
  func `rejects lines that no test contains, and names the first one`(_ expected: Case) throws {
    let findings = try findings(expected.block)
    #expect(findings.map(\.path) == ["README.md"])
    #expect(findings.map(\.line) == [3])
    #expect(findings.first?.message == expected.says)
  }

  @Test(arguments: [
    "Packages/SQLiteCore/README.md", "Docs/Guides/GRDB.md", "Tools/Examples/Atlas/README.md",
    "Packages/SQLiteCore/Sources/SQLiteCore/SQLiteCore.docc/Connections.md",
  ])
  func `checks every page`(_ page: String) throws {
    #expect(try findings("let nowhere = 1", page: page).map(\.path) == [page])
  }

  @Test func `ignores decisions`() throws {
    #expect(try findings("let nowhere = 1", page: "Docs/Decisions/0001-a.md") == [])
  }

  @Test(arguments: [
    ("Packages/SPON/Tests/SPONTests/A.swift", true), ("Tests/Tests/SeedsTests/A.swift", true),
    ("Tests/Harness/Tests/SwiftUITests/A.swift", true), ("Tools/Examples/Atlas/A.swift", true),
    ("Tools/Holt/Tests/HoltToolTests/A.swift", true), ("Packages/SPON/Sources/SPON/A.swift", false),
    ("Packages/QueryGen/Tests/SwiftEmitterTests/Goldens/Empty/A.swift", false),
    ("Docs/A.swift", false), ("Tests/Tests/SeedsTests/A.txt", false),
  ])
  func `searches the sources of tests and examples`(_ path: String, _ counts: Bool) throws {
    let findings = try findings("let here = 1", others: [path: "func a() {\n  let here = 1\n}\n"])
    #expect(findings.isEmpty == counts)
  }

  @Test(arguments: [
    ("```` Swift\nlet nowhere = 1\n````", 1), ("~~~swift\nlet nowhere = 1\n~~~", 1),
    ("1. A list\n\n   ```swift\n   let nowhere = 1\n   ```", 3),
    ("> ```swift\n> let nowhere = 1\n> ```", 1),
    ("````markdown\n```swift\nlet inner = 1\n```\n````\n```swift\nlet nowhere = 1\n```", 6),
  ])
  func `finds blocks in any fence, in lists and in quotes`(_ page: String, _ line: Int) throws {
    let tree = try TemporaryTree(["README.md": page])
    let findings = try SamplesCheck().findings(in: tree.repository)
    #expect(findings.map(\.line) == [line])
    #expect(findings.first?.message.contains("let nowhere = 1") == true)
  }

  @Test func `rejects a block without a closing fence`() throws {
    let tree = try TemporaryTree(["README.md": "```sh\nls\n````x\n"])
    #expect(
      try SamplesCheck().findings(in: tree.repository)
        == [Finding(path: "README.md", line: 1, message: "the block has no closing fence")])
  }

  @Test(arguments: ["SELECT a\n  FROM b", "-- Queries/A.sql\nDELETE FROM b;"])
  func `accepts SQL in a test's string or file`(_ block: String) throws {
    let file = ["Tests/Tests/SeedsTests/Queries/A.sql": "a:\nDELETE FROM b;\n"]
    #expect(try findings(block, language: "sql", others: file) == [])
    #expect(try findings("SELECT x", language: "sql", others: file).count == 1)
    #expect(try findings(block, language: "sh", others: file) == [])
  }

  @Test func `accepts SQL and YAML on a page that a test generates`() throws {
    let page = "Docs/Diagnostics.md"
    let test = try #require(SamplesCheck.generated[page])
    for language in ["sql", "yaml"] {
      #expect(try findings("a: b", language: language, page: page).count == 1)
      let others = [test: "import Testing\n"]
      #expect(try findings("a: b", language: language, page: page, others: others) == [])
    }
    #expect(
      try findings("let a = 1", page: page, others: [test: "import Testing\n"]).count == 1)
  }

  @Test func `rejects a transcript that no test runs`() throws {
    #expect(try findings("$ ls", language: "console").count == 1)
    let runner = try #require(SamplesCheck.transcripts["Docs/holt.md"])
    #expect(try findings("$ ls", language: "console", page: "Docs/holt.md").count == 1)
    let others = [runner: "import Testing\n"]
    #expect(
      try findings("$ ls", language: "console", page: "Docs/holt.md", others: others) == [])
  }
}

@Suite struct `Manifests in documents` {
  private static func target(_ product: String, of package: String) -> String {
    "targets: [.target(name: \"a\", dependencies: [.product(name: \"\(product)\", package: \"\(package)\")])]"
  }

  static let url = ".package(url: \"https://example.com/holt.git\", from: \"0.1.0\")"

  private func messages(_ block: String) throws -> [String] {
    let tree = try TemporaryTree(
      Manifests.pair.merging([
        "README.md": "```swift\n\(block)\n```\n", "Package.swift": Manifests.library("Observe"),
      ]) { $1 })
    return try SamplesCheck().findings(in: tree.repository).map(\.message)
  }

  @Test(arguments: [
    "dependencies: [.package(path: \"../holt/Packages/SQLiteCore\")],\n"
      + target("SQLiteCore", of: "SQLiteCore"),
    "dependencies: [\(url)],\n" + target("Observe", of: "holt"),
    "dependencies: [.package(url: \"https://example.com/x.git\", from: \"1.0.0\")],\n"
      + target("Y", of: "x"),
  ])
  func `are loaded by SwiftPM`(_ part: String) throws {
    #expect(try messages("// Package.swift\n\(part)") == [])
    #expect(
      try messages(
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(name: "a", \(part))
        """) == [])
  }

  @Test(arguments: [
    ("dependencies: [.package(path: \"../Core\")]", "Holt has no package core"),
    (
      "dependencies: [\(url)], " + target("SQLiteCore", of: "holt"),
      "holt has no product SQLiteCore"
    ),
    (
      "dependencies: [.package(url: \"https://example.com/holt.git\", from: \"0.1.0\", traits: [\"All\"])]",
      "holt has no trait All"
    ),
  ])
  func `may only use products and traits of Holt`(_ part: String, _ says: String) throws {
    #expect(try messages("// Package.swift\n\(part)") == [says])
  }

  @Test(arguments: ["tragets: []", target("SQLiteCore", of: "SQLiteCore")])
  func `are rejected if SwiftPM can't load them`(_ part: String) throws {
    let messages = try messages("// Package.swift\n\(part)")
    #expect(messages.count == 1)
    #expect(messages.first?.hasPrefix("SwiftPM can't load it: ") == true)
  }
}
