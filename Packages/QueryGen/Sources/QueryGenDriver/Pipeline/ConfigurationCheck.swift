internal import Primitives
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// Finds names in a configuration that do not exist in the project.
struct ConfigurationCheck {
  let project: Project
  /// Indicates whether all tables and all queries are known. If not, a missing table or query may
  /// have errors.
  var hasAllTables: Bool
  var hasAllQueries: Bool

  func diagnostics(of configuration: ProjectConfiguration) -> [Diagnostic] {
    let tables = Dictionary(
      project.tables.map { ($0.name.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
    let queries = Dictionary(
      project.files.flatMap(\.queries).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    return configuration.references.compactMap { reference in
      switch reference.subject {
      case .table(let name):
        guard hasAllTables, tables[name] == nil else { return nil }
        return unknown(.unknownTable, "table", name, reference.span, project.tables.map(\.name))
      case .column(let name, let table):
        guard let columns = tables[table]?.columns.map(\.name),
          !columns.contains(where: { $0.asciiLowercased == name })
        else { return nil }
        return unknown(.unknownColumn, "column", name, reference.span, columns)
      case .query(let name):
        guard hasAllQueries, queries[name] == nil else { return nil }
        return unknown(.unknownQuery, "query", name, reference.span, queries.keys.sorted())
      case .resultColumn(let name, let query):
        guard let query = queries[query], let columns = columns(of: query, tables),
          !columns.contains(where: { $0.asciiLowercased == name })
        else { return nil }
        return unknown(.unknownColumn, "column of the result", name, reference.span, columns)
      case .parameter(let name, let query):
        guard let parameters = queries[query]?.parameters.map(\.name),
          !parameters.contains(where: { $0.asciiLowercased == name })
        else { return nil }
        return unknown(.unknownParameter, "parameter", name, reference.span, parameters)
      }
    }
  }

  private func columns(
    of query: QueryDefinition, _ tables: [String: QueryModel.TableDefinition]
  ) -> [String]? {
    switch query.result {
    case .none: []
    case .columns(let columns): columns.map(\.name)
    case .fields(let fields): fields.map(\.name)
    case .table(let name): tables[name.asciiLowercased]?.columns.map(\.name)
    }
  }

  private func unknown(
    _ identity: Diagnostic.Identity, _ kind: String, _ name: String, _ span: ByteSpan,
    _ known: [String]
  ) -> Diagnostic {
    var diagnostic = Diagnostic(identity, at: span, "no such \(kind): `\(name)`")
    if let nearest = EditDistance.nearest(to: name, among: known) {
      diagnostic.message += "; did you mean `\(nearest)`?"
      diagnostic.fixIt = .init(replace: span, with: nearest)
    }
    return diagnostic
  }
}

extension Diagnostic.Identity {
  static let unknownQuery = Self(rawValue: "unknown-query")
  static let unknownParameter = Self(rawValue: "unknown-parameter")
}
