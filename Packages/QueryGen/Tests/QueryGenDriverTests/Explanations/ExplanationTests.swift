import Foundation
import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `Explanations` {
  /// The explanations with samples for the command. Only the language server shows the editors'
  /// diagnostics, and `QueryGenDatabaseTests` tests those of plans, which need SQLite.
  static let shown = DiagnosticExplanation.Family.allCases
    .filter { $0 != .editors && $0 != .plans }
    .flatMap(\.explanations).filter { $0.example != nil }.map(\.identity)

  @Test(arguments: shown)
  func `have an example with only this diagnostic`(_ identity: String) throws {
    let explanation = try #require(DiagnosticExplanation.find(identity))
    let workspace = try Workspace(SampleFiles(#require(explanation.example)))
    let outcome = workspace.driver.check()
    #expect(outcome.diagnostics.map(\.identity) == [identity], "\(outcome.report)")
    #expect(outcome.diagnostics.first?.severity == explanation.severity)
  }

  @Test(arguments: shown)
  func `have a correction without diagnostics`(_ identity: String) throws {
    let explanation = try #require(DiagnosticExplanation.find(identity))
    let example = try SampleFiles(#require(explanation.example))
    let correction = try SampleFiles(#require(explanation.correction))
    #expect(!correction.files.isEmpty)
    let workspace = try Workspace(example.replacing(correction))
    #expect(workspace.driver.check().report == "")
  }

  @Test func `exist for each identity that the sources declare, and for no other`() throws {
    let explained = DiagnosticExplanation.all.map(\.identity)
    #expect(Set(explained).count == explained.count)
    let declared = try DeclaredIdentities.all()
    #expect(declared.count > 100)
    let rules = Set(PlanRule.allCases.map(\.rawValue))
    #expect(declared.union(rules).subtracting(explained).sorted() == [])
    #expect(Set(explained).subtracting(declared).subtracting(rules).sorted() == [])
  }

  @Test(arguments: DiagnosticExplanation.Family.allCases)
  func `are sorted by identity`(_ family: DiagnosticExplanation.Family) {
    let identities = family.explanations.map(\.identity)
    #expect(!identities.isEmpty)
    #expect(identities == identities.sorted())
  }

  @Test func `have a summary of one sentence on one line`() {
    for explanation in DiagnosticExplanation.all {
      #expect(explanation.summary.count <= 80)
      #expect(explanation.summary.hasSuffix("."))
      #expect(!explanation.summary.contains("\n") && !explanation.summary.contains(". "))
      #expect(explanation.details.hasSuffix("."))
      #expect(!explanation.details.contains("\n"))
      #expect((explanation.example == nil) == (explanation.correction == nil))
    }
  }

  @Test func `are found by identity, in any letter case`() {
    #expect(DiagnosticExplanation.find("unknown-column")?.identity == "unknown-column")
    #expect(DiagnosticExplanation.find("Unknown-Column")?.identity == "unknown-column")
    #expect(DiagnosticExplanation.find("unknown") == nil)
    #expect(DiagnosticExplanation.nearest(to: "unknown_column") == "unknown-column")
    #expect(DiagnosticExplanation.nearest(to: "entirely-different") == nil)
  }

  @Test func `are listed by family, with their summaries`() {
    let lines = DiagnosticExplanation.list.split(separator: "\n")
    for family in DiagnosticExplanation.Family.allCases {
      #expect(lines.contains(Substring(family.title)))
    }
    for explanation in DiagnosticExplanation.all {
      #expect(
        lines.contains {
          $0.hasPrefix("  \(explanation.identity) ") && $0.hasSuffix("  \(explanation.summary)")
        })
    }
  }

  @Test func `are printed with short lines, and indented samples`() throws {
    let explanation = try #require(DiagnosticExplanation.find("null-comparison"))
    #expect(
      explanation.text.hasPrefix(
        "null-comparison: warning\n\nA comparison with `NULL` is never true. SQLite accepts"))
    #expect(
      explanation.text.hasSuffix(
        """

        Correction:

            -- Queries/Books.sql
            DEFINE QUERY undated AS SELECT title FROM book WHERE year IS NULL;

        """))
    for line in explanation.text.split(separator: "\n") where !line.hasPrefix("    ") {
      #expect(line.count <= 80)
    }
  }
}

/// Diagnostics whose causes are too long for an example, or are not a part of a file's text.
@Suite struct `Diagnostics without an example` {
  /// Identities that a test can't cause: a file of a billion bytes, a folder that even the
  /// administrator can't read, and a statement that a PostgreSQL server rejects.
  static let untested: Set = ["text-too-long", "unreadable-folder", "rejected-statement"]

  /// Texts of queries, by the identity of their diagnostic.
  static let queries = [
    "nesting-too-deep":
      "SELECT " + String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200),
    "expression-too-deep": "SELECT 1" + String(repeating: " + 1", count: 1_001),
    "too-many-arms": "SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 500),
    "too-many-sources":
      "SELECT 1 FROM (SELECT 1)" + String(repeating: " CROSS JOIN (SELECT 1)", count: 200),
    "too-many-arguments": "SELECT max(1" + String(repeating: ", 1", count: 127) + ")",
    "too-complex":
      "SELECT 1 FROM (SELECT 1)" + String(repeating: " CROSS JOIN (SELECT 1)", count: 64),
  ]

  /// Other causes, by identity.
  static let causes: [String: @Sendable (Workspace) throws -> Driver.Outcome] = [
    "too-many-errors": { workspace in
      try workspace.write(String(repeating: "CREATE TABLE;\n", count: 101), to: "Migrations/1.sql")
      return workspace.driver.check()
    },
    "stale-description": { workspace in
      try workspace.write("engine: postgresql\n", to: "querygen.yaml")
      try workspace.write("a: SELECT 1;\n", to: "Queries/A.sql")
      return workspace.driver.check()
    },
    "invalid-utf8": { workspace in
      try workspace.write([0x2D, 0x2D, 0xFF], to: "Queries/A.sql")
      return workspace.driver.check()
    },
    "unreadable-file": { workspace in
      try FileManager.default.createSymbolicLink(
        atPath: workspace.path + "/Queries/gone.sql", withDestinationPath: "/nowhere/at/all")
      return workspace.driver.check()
    },
    "unwritable-file": { workspace in
      try workspace.write("", to: "Generated")
      return workspace.driver.generate()
    },
    "invalid-migration-name": { workspace in
      workspace.driver.addMigration(named: "a/b")
    },
  ]

  @Test(arguments: queries.keys.sorted())
  func `have a query`(_ identity: String) throws {
    let query = try #require(Self.queries[identity])
    let workspace = try Workspace(["Queries/A.sql": "a: \(query);\n"])
    #expect(workspace.driver.check().diagnostics.map(\.identity) == [identity])
  }

  @Test(arguments: causes.keys.sorted())
  func `have a cause`(_ identity: String) throws {
    let cause = try #require(Self.causes[identity])
    #expect(try cause(Workspace()).diagnostics.last?.identity == identity)
  }

  @Test func `are all tested`() {
    let unshown = DiagnosticExplanation.Family.allCases
      .filter { $0 != .editors && $0 != .plans }.flatMap(\.explanations).filter {
        $0.example == nil
      }.map(\.identity)
    let tested = Self.untested.union(Self.queries.keys).union(Self.causes.keys)
    #expect(Set(unshown) == tested)
  }
}
