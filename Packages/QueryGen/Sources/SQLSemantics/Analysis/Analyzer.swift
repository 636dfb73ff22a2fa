public import QueryModel
public import SQLSyntax

/// Resolves and types statements against a schema.
///
/// ```swift
/// let analyzer = Analyzer(catalog: catalog)
/// for query in file.queries {
///   if let definition = analyzer.analyze(query, source: source, diagnostics: &diagnostics) {
///     definitions.append(definition)
///   }
/// }
/// ```
public struct Analyzer: Sendable {
  private let catalog: Catalog
  /// The same schema, for statements that are prepared and not run.
  private let prepared: Catalog

  /// An analyzer for one schema.
  public init(catalog: Catalog) {
    self.catalog = catalog
    var prepared = catalog
    prepared.checksRunTime = false
    self.prepared = prepared
  }

  /// Analyzes a named query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: The text that it was parsed from.
  ///   - diagnostics: Where errors are added.
  /// - Returns: What the emitter needs, or `nil` where the query has an error.
  public func analyze(
    _ query: NamedQuery, source: SourceText, diagnostics: inout DiagnosticList
  ) -> QueryDefinition? {
    var resolver = Resolver(catalog: catalog, source: source)
    let outcome = resolver.resolve(query.statement)
    for diagnostic in resolver.diagnostics { diagnostics.append(diagnostic) }
    guard !resolver.diagnostics.contains(where: { $0.severity == .error }) else { return nil }
    let span = query.statement.span
    var cardinality = outcome.cardinality
    switch query.cardinality {
    case .one where cardinality == .many: cardinality = .optional
    case .many: cardinality = outcome.columns.isEmpty ? .none : .many
    case .exec, .execrows, .execlastid, .execresult: cardinality = .none
    case .one, nil: break
    }
    var comment = QueryComment(query.documentation)
    let parameters = resolver.parameters.definitions(from: span.start)
    let result =
      cardinality == .none
      ? .none : resultShape(outcome, hasOwnTypes: !comment.columnTypes.isEmpty)
    comment.check(result, parameters)
    for problem in comment.problems {
      diagnostics.append(Diagnostic(.malformedAnnotation, at: query.name.span, problem))
    }
    guard comment.problems.isEmpty else { return nil }
    return QueryDefinition(
      name: query.name.text, documentation: comment.documentation,
      sql: source[span], parameters: parameters, result: result, cardinality: cardinality,
      isReadOnly: outcome.isReadOnly, reads: resolver.access.tableAccesses(outcome.rowConditions),
      writes: Set(resolver.access.writes.map(\.name)).sorted(),
      change: query.cardinality == .execlastid ? .lastRowID : .rowCount, lists: comment.lists,
      columnTypes: comment.columnTypes, parameterTypes: comment.parameterTypes)
  }

  /// - Parameter hasOwnTypes: Whether some of the columns are not what they are in their table.
  private func resultShape(_ outcome: StatementOutcome, hasOwnTypes: Bool) -> ResultShape {
    if outcome.columns.isEmpty { return .none }
    if let table = outcome.wholeTable, !hasOwnTypes { return .table(table) }
    return ResultShape(outcome.columns)
  }

  /// Analyzes one statement of any kind, as `sqlite3_prepare` does: what only fails when it runs
  /// is not an error here.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text that it was parsed from.
  ///   - diagnostics: Where errors are added; the statement is refused where there is one.
  public func analyze(
    _ statement: Statement, source: SourceText, diagnostics: inout DiagnosticList
  ) -> StatementAnalysis {
    var resolver = Resolver(catalog: prepared, source: source)
    let outcome = resolver.resolve(statement)
    for diagnostic in resolver.diagnostics { diagnostics.append(diagnostic) }
    return StatementAnalysis(
      columns: outcome.columns.map { column in
        StatementAnalysis.Column(
          name: column.name, type: column.type ?? .any, isNullable: column.isNullable,
          table: column.origin?.table, column: column.origin?.column)
      },
      parameters: resolver.parameters.entries.sorted { $0.key < $1.key }.map { index, entry in
        StatementAnalysis.Parameter(
          index: index, name: entry.spelling, type: entry.type, isNullable: entry.isNullable)
      }, parameterCount: resolver.parameters.count, cardinality: outcome.cardinality,
      isReadOnly: outcome.isReadOnly)
  }
}
