import Foundation
import QueryGenTestSupport
import QueryModel
import SQLSemantics
import SQLSyntax
import Testing

@testable import QueryGenDatabase
@testable import QueryGenDriver

/// Statements of the open corpora, if they exist next to the repository.
@Suite struct `The plans of the open corpora` {
  private struct Entry: Decodable {
    var schema_sql: String?
    var schema_id: String?
    var query_sql: String?
  }

  private struct Schema: Decodable {
    var schema_id: String
    var sql: String
  }

  @Test(
    arguments: [
      ("probes.jsonl", nil), ("sqlc-sqlite.jsonl", nil),
      ("real-world.jsonl", "real-world.schemas.jsonl.gz"),
      ("sqlite-upstream.jsonl.gz", "sqlite-upstream.schemas.jsonl"),
    ] as [(String, String?)])
  func `are determined for every statement that is accepted`(
    _ file: String, _ schemaFile: String?
  ) throws {
    let isLarge = schemaFile != nil
    guard
      let lines = try OpenCorpora.lines(file, every: isLarge && !OpenCorpora.isWhole ? 40 : 1)
    else { return }
    var schemas: [String: String] = [:]
    for line in try schemaFile.flatMap({ try OpenCorpora.lines($0, every: 1) }) ?? [] {
      let schema = try JSONDecoder().decode(Schema.self, from: Data(line))
      schemas[schema.schema_id] = schema.sql
    }
    var queries: [String: [String]] = [:]
    for line in lines {
      let entry = try JSONDecoder().decode(Entry.self, from: Data(line))
      let schema = entry.schema_sql ?? entry.schema_id.flatMap { schemas[$0] } ?? ""
      if let sql = entry.query_sql { queries[schema, default: []].append(sql) }
    }
    var counts = (queries: 0, failures: 0, findings: 0, indexes: 0)
    for (schema, texts) in queries.sorted(by: { $0.key < $1.key }) {
      guard let session = session(schema) else { continue }
      for text in texts {
        guard let query = query(text, session.catalog) else { continue }
        let planned = session.session.plan(query)
        counts.queries += 1
        counts.findings += planned.findings.count
        counts.indexes += planned.findings.count { $0.index != nil }
        if let failure = planned.failure {
          counts.failures += 1
          print("\(file): \(failure): \(text)")
        }
        for plan in planned.plans { #expect(PlanTree(line: plan.tree.line) == plan.tree) }
      }
      _ = session.session.checkSchema(usedIndexes: [], firedTriggers: [])
    }
    print("\(file): \(counts)")
    // SQLite rejects writes to shadow tables, and to tables whose parent table is missing.
    #expect(counts.failures * 20 <= counts.queries)
  }

  private func session(_ schema: String) -> (session: DatabasePlanSession, catalog: Catalog)? {
    var catalog = Catalog()
    var list = DiagnosticList()
    let source = SourceText(schema)
    let script = Parser.parseScript(source, diagnostics: &list)
    for entry in script.statements {
      catalog.apply(entry.statement, source: source, diagnostics: &list)
    }
    guard !list.hasErrors else { return nil }
    let session = DatabasePlanSession(
      PlanSchema(
        migrations: [MigrationDefinition(name: "1", sql: schema)], catalog: catalog, rows: [:],
        statistics: nil))
    do {
      while try session.prepare() {}
    } catch {
      return nil
    }
    return (session, catalog)
  }

  private func query(_ text: String, _ catalog: Catalog) -> PlanQuery? {
    var list = DiagnosticList()
    let source = SourceText("q: \(text)")
    let file = Parser.parseQueryFile(
      source, options: ParserOptions(allowsListParameters: true), diagnostics: &list)
    guard let query = file.queries.first,
      let definition = Analyzer(catalog: catalog).analyze(
        query, source: source, diagnostics: &list)
    else { return nil }
    switch query.statement {
    case .select, .insert, .update, .delete: break
    default: return nil
    }
    return PlanQuery(path: "Q.sql", source: source, query: query, definition: definition)
  }
}
