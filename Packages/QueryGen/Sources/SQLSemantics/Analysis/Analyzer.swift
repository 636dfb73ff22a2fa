public import QueryModel
public import SQLSyntax

/// An analyzer that resolves and types statements against a schema.
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
  let catalog: Catalog
  /// The same schema, for statements that are prepared but not run.
  private let prepared: Catalog

  /// Creates an analyzer for one schema.
  public init(catalog: Catalog) {
    self.catalog = catalog
    var prepared = catalog
    prepared.reportsRuntimeErrors = false
    self.prepared = prepared
  }

  /// Analyzes a named query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - source: The text from which it was parsed.
  ///   - diagnostics: The list to which errors are appended.
  /// - Returns: The query's definition for the emitter, or `nil` if the query has an error.
  public func analyze(
    _ query: NamedQuery, source: SourceText, diagnostics: inout DiagnosticList
  ) -> QueryDefinition? {
    var resolver = Resolver(catalog: catalog, source: source)
    resolver.dynamicParts = DynamicParts(query.annotations)
    let outcomes = query.statements.map { resolver.resolve($0) }
    guard let outcome = outcomes.last else { return nil }
    resolver.checkForms()
    resolver.checkNullParameters()
    resolver.warnOfUnusedResults(query.statements, outcomes)
    let span = query.statements[0].span.union(query.statement.span)
    let text = ExpandedText(span, of: source, replacing: resolver.starTexts)
    let parameters = resolver.parameterDefinitions(query.annotations, in: text)
    for diagnostic in resolver.diagnostics { diagnostics.append(diagnostic) }
    guard !resolver.diagnostics.contains(where: { $0.severity == .error }) else { return nil }
    for warning in resolver.warnings { diagnostics.append(warning) }
    var cardinality = outcome.cardinality
    switch query.cardinality {
    case .one where cardinality == .many: cardinality = .optional
    case .many: cardinality = outcome.columns.isEmpty ? .none : .many
    case .exec, .execrows, .execlastid, .execresult: cardinality = .none
    case .one, nil: break
    }
    var comment = QueryComment(query.documentation)
    // Rows with lists are formed from several rows of the statement.
    let lastRange = text.range(of: query.statement.span)
    let insertedList = parameters.first { parameter in
      parameter.isList && parameter.rowRanges.contains { lastRange.overlaps($0) }
    }
    if query.cardinality == .one, outcome.cardinality == .many, comment.lists.isEmpty,
      insertedList == nil
    {
      diagnostics.append(.severalRows(query))
    }
    let result =
      cardinality == .none
      ? .none : resultShape(outcome, hasTypeOverrides: !comment.columnTypes.isEmpty)
    if let parameter = insertedList,
      query.cardinality == .one || query.cardinality == .execlastid
    {
      let command = ":" + (query.cardinality?.rawValue ?? "")
      comment.problems.append(
        "`\(command)` needs a single row, but `\(parameter.name)` is a list of rows; write "
          + "`VALUES (:\(parameter.name).*)`")
    }
    comment.check(result, parameters)
    for problem in comment.problems {
      diagnostics.append(Diagnostic(.malformedAnnotation, at: query.name.span, problem))
    }
    guard comment.problems.isEmpty else { return nil }
    let definition = QueryDefinition(
      name: query.name.text, documentation: comment.documentation,
      sql: text.text, statementRanges: query.statements.map { text.range(of: $0.span) },
      parameters: parameters, result: result, cardinality: cardinality,
      isReadOnly: outcomes.allSatisfy(\.isReadOnly),
      reads: resolver.access.tableAccesses(isRestricted: outcomes.allSatisfy(\.isReadOnly)),
      writes: Set(resolver.access.writes.map { $0.database.qualifying($0.name) }).sorted(),
      change: query.cardinality == .execlastid ? .lastRowID : .rowCount, lists: comment.lists,
      columnTypes: comment.columnTypes, parameterTypes: comment.parameterTypes,
      dynamicClauses: resolver.dynamicClauses(query.annotations, in: text))
    return checkCombinations(of: definition, at: query.name.span, &diagnostics) ? definition : nil
  }

  /// - Parameter hasTypeOverrides: Whether an annotation overrides the type of a column.
  private func resultShape(_ outcome: ResolvedStatement, hasTypeOverrides: Bool) -> ResultLayout {
    if outcome.columns.isEmpty { return .none }
    if let table = outcome.wholeTable, !hasTypeOverrides { return .table(table) }
    return ResultLayout(outcome.columns)
  }

  /// Analyzes one statement of any kind, as `sqlite3_prepare` does. Errors that only occur when the
  /// statement runs are not reported.
  ///
  /// - Parameters:
  ///   - statement: The statement.
  ///   - source: The text from which it was parsed.
  ///   - diagnostics: The list to which errors are appended. The statement is invalid if any error
  ///     is appended.
  public func analyze(
    _ statement: Statement, source: SourceText, diagnostics: inout DiagnosticList
  ) -> StatementAnalysis {
    var resolver = Resolver(catalog: prepared, source: source)
    let outcome = resolver.resolve(statement)
    resolver.checkForms()
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

/// The properties of a prepared statement that SQLite's C API reports, and the types, which it does
/// not.
public struct StatementAnalysis: Hashable, Sendable {
  /// A column of the result.
  public struct Column: Hashable, Sendable {
    /// The name that `sqlite3_column_name` returns.
    public var name: String
    public var type: ValueType
    public var isNullable: Bool
    /// The table and column whose value is returned unchanged, if any.
    public var table: String?
    public var column: String?
  }

  /// A parameter.
  public struct Parameter: Hashable, Sendable {
    /// The 1-based parameter number.
    public var index: Int
    /// The name with its first character, or the number as `?5`; `nil` for a bare `?`.
    public var name: String?
    public var type: ValueType
    public var isNullable: Bool
  }

  public var columns: [Column]
  /// The parameters in use, ordered by number.
  public var parameters: [Parameter]
  /// The largest parameter number, as returned by `sqlite3_bind_parameter_count`.
  public var parameterCount: Int
  /// The number of rows that the statement returns.
  public var cardinality: Cardinality
  public var isReadOnly: Bool

  public init(
    columns: [Column], parameters: [Parameter], parameterCount: Int, cardinality: Cardinality,
    isReadOnly: Bool
  ) {
    self.columns = columns
    self.parameters = parameters
    self.parameterCount = parameterCount
    self.cardinality = cardinality
    self.isReadOnly = isReadOnly
  }
}

/// The results of `PRAGMA` statements, and whether SQLite reports them as read-only.
///
/// See <https://www.sqlite.org/pragma.html>. SQLite ignores unknown pragmas.
enum PragmaResult {
  /// Pragmas that return a row even when they set a value.
  private static let returnsRowsWhenSet: Set<String> = [
    "journal_mode", "locking_mode", "busy_timeout", "wal_autocheckpoint", "journal_size_limit",
    "mmap_size", "max_page_count", "secure_delete", "soft_heap_limit", "hard_heap_limit",
    "threads", "analysis_limit", "table_info", "table_xinfo", "index_info", "index_xinfo",
    "index_list", "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
    "wal_checkpoint", "table_list", "optimize", "data_version", "database_list",
    "collation_list", "compile_options", "freelist_count", "function_list", "module_list",
    "page_count", "pragma_list",
  ]

  static func columns(of name: String, hasValue: Bool) -> [String] {
    switch name {
    case "wal_checkpoint": return ["busy", "log", "checkpointed"]
    case "wal_autocheckpoint": return ["wal_autocheckpoint"]
    case "mmap_size": return ["mmap_size"]
    default: break
    }
    guard let columns = TableFunctions.pragmaColumns(name) else { return [] }
    return hasValue && !returnsRowsWhenSet.contains(name) ? [] : columns
  }

  /// Returns whether a value enables a setting: `ON`, `yes`, `true`, or a number that is not zero.
  static func isOn(_ value: Pragma.Value) -> Bool {
    switch value {
    case .number(let text): (Double(text) ?? 0) != 0
    case .name(let name): ["on", "yes", "true"].contains(name.folded)
    }
  }

  static func isReadOnly(_ name: String, _ value: Pragma.Value?) -> Bool {
    let changesFile: Set<String> = [
      "application_id", "user_version", "schema_version", "default_cache_size",
    ]
    switch name {
    case "journal_mode", "incremental_vacuum", "wal_checkpoint": return false
    default: return value == nil || !changesFile.contains(name)
    }
  }
}
