import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Declarations of a project` {
  private static func workspace(
    _ yaml: String = "", queries: String = "q: SELECT slug(name) AS s FROM user;\n"
  ) throws -> Workspace {
    try Workspace([
      "Migrations/1.sql": "CREATE TABLE user (name TEXT NOT NULL);\n", "Queries/A.sql": queries,
      "querygen.yaml": yaml,
    ])
  }

  private func report(_ workspace: Workspace) -> String {
    workspace.report(workspace.driver.check())
  }

  @Test(arguments: [
    "functions:\n  - slug(text TEXT NOT NULL) -> TEXT NOT NULL deterministic\n",
    "functions: [slug(text TEXT) -> TEXT]\n",
    "functions:\n  - 'slug(text TEXT AS [String: Int]) -> TEXT'\n",
    "aggregates:\n  - slug(text TEXT) -> TEXT\n", "windows:\n  - slug(text TEXT) -> TEXT\n",
  ])
  func `are read from the configuration`(_ yaml: String) throws {
    #expect(report(try Self.workspace(yaml)) == "")
  }

  @Test func `in comments and in the configuration generate equal code`() throws {
    let declaration = "slug(text TEXT NOT NULL, n INTEGER DEFAULT 3) -> TEXT NOT NULL deterministic"
    let inFile = try Self.workspace("functions:\n  - \(declaration)\ncollations: [german]\n")
    let inComment = try Self.workspace()
    try inComment.write("-- collation: german\n", to: "Queries/B.sql")
    try inComment.write(
      "-- function: \(declaration)\n" + inComment.read("Migrations/1.sql"), to: "Migrations/1.sql")
    #expect(inFile.driver.generate().report == "")
    #expect(inComment.driver.generate().report == "")
    let name = "Generated/A.queries.swift"
    #expect(try inFile.read(name) == inComment.read(name))
    let database = "Generated/DB.generated.swift"
    #expect(try inFile.read(database).contains("struct DBFunctions: DatabaseFunctions"))
    #expect(try inFile.read(database).functionsPart == inComment.read(database).functionsPart)
  }

  @Test(arguments: [
    (
      "functions:\n  - slug(text) -> TEXT determinstic\n",
      "querygen.yaml:2:24: error: unexpected \"determinstic\"; did you mean \"deterministic\"?"
    ),
    (
      "functions:\n  - 'slug(text) -> TEXT pure'\n",
      "querygen.yaml:2:5: error: unexpected \"pure\"; expected"
    ),
    (
      "functions:\n  - upper(text) -> TEXT\n",
      "querygen.yaml:2:5: error: `upper` is built into SQLite, so it can't be declared"
    ),
    ("functions: slug\n", "querygen.yaml:1:12: error: expected a list"),
    ("function:\n  - slug(x) -> TEXT\n", "did you mean \"functions\"?"),
  ])
  func `are checked in the configuration`(_ yaml: String, _ expected: String) throws {
    let report = report(try Self.workspace(yaml))
    #expect(report.contains(expected), "\(report)")
  }

  @Test func `must be unique in the project`() throws {
    let workspace = try Self.workspace("functions:\n  - slug(text TEXT) -> TEXT\n")
    try workspace.write("-- aggregate: Slug(x) -> TEXT\n", to: "Queries/B.sql")
    let report = report(workspace)
    #expect(report.contains("Queries/B.sql:1:15: error: `Slug` is already declared"))
    #expect(report.contains("first declared in querygen.yaml"))
  }

  @Test func `apply to all files, in any order`() throws {
    let workspace = try Self.workspace()
    try workspace.write("-- function: slug(text TEXT) -> TEXT\n", to: "Queries/Z.sql")
    try workspace.write(
      "CREATE VIEW v AS SELECT slug(name) AS s FROM user;\n", to: "Migrations/2.sql")
    let diagnostics = workspace.driver.check().diagnostics
    #expect(diagnostics.map(\.identity) == ["untrusted-function"])
  }

  @Test func `correct a misspelling when fixed`() throws {
    let workspace = try Self.workspace("functions:\n  - slug(text) -> TEXT determinstic\n")
    #expect(workspace.driver.fix().fixCount == 1)
    #expect(report(workspace) == "")
  }

  @Test func `are suggested for an unknown function`() throws {
    let report = report(try Self.workspace())
    #expect(report.contains("error: no such function: `slug`"))
    #expect(report.contains("declare it in a comment: `-- function: slug(argument TEXT) -> TEXT`"))
  }

  @Test func `do not change the lock of migrations`() throws {
    let workspace = try Self.workspace()
    try workspace.write("functions:\n  - slug(text TEXT) -> TEXT\n", to: "querygen.yaml")
    _ = workspace.driver.lockMigrations()
    try workspace.write("", to: "querygen.yaml")
    try workspace.write(
      "-- function: slug(text TEXT) -> TEXT\n" + workspace.read("Migrations/1.sql"),
      to: "Migrations/1.sql")
    #expect(report(workspace) == "")
  }
}

extension String {
  /// The generated types for functions.
  fileprivate var functionsPart: Substring? {
    firstRange(of: "struct DBFunctions").map { self[$0.lowerBound...] }
  }
}
