import QueryGenDatabase
import QueryGenTestSupport
import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@testable import QueryGenDriver

@Suite struct `A plan session` {
  @Test func `checks the foreign keys of one table at a time`() throws {
    let schema = (1...5).map {
      "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY, parent REFERENCES t1 (id));"
    }.joined(separator: "\n")
    var catalog = Catalog()
    var list = DiagnosticList()
    let source = SourceText(schema)
    for entry in Parser.parseScript(source, diagnostics: &list).statements {
      catalog.apply(entry.statement, source: source, diagnostics: &list)
    }
    let session = DatabasePlanSession(
      PlanSchema(
        migrations: [MigrationDefinition(name: "1", sql: schema)], catalog: catalog, rows: [:],
        statistics: nil))
    var steps = 1
    while try session.prepare() { steps += 1 }
    // The migration, the statistics, and the tables.
    #expect(steps == 1 + 1 + 5)
    let findings = session.checkSchema(usedIndexes: nil, firedTriggers: [])
    #expect(findings.map(\.finding.rule) == Array(repeating: .unindexedForeignKey, count: 5))
    #expect(findings.allSatisfy { $0.finding.index != nil })
  }
}
