internal import QueryModel
internal import SQLSyntax

/// Resolution of column names. As in SQLite, the scopes are searched from the inside out; in each
/// scope, the sources come first, then rows such as `NEW`, then the rowid, then result aliases.
extension Resolver {
  mutating func resolve(_ node: SQLSyntax.ColumnReference, in scope: Scope) -> TypedExpression {
    var wanted = ColumnName(node)
    // SQLite ignores the schema name in these definitions.
    if scope.rules.definition == .check || scope.rules.definition == .partialIndex {
      wanted.schema = nil
    }
    if let place = scope.rules.definition, place == .generatedColumn || place == .index,
      let table = node.table
    {
      report(
        .prohibitedHere, at: table.span, "the \".\" operator prohibited in \(place.rawValue)")
      return .unknown(node.span)
    }
    var level: Scope? = scope
    var rowIDCount = 0
    while let current = level {
      switch find(wanted, in: current, span: node.span, &rowIDCount) {
      case .found(let expression):
        record(expression, node)
        trace?.column(expression, node, in: current)
        return expression
      case .ambiguous:
        report(
          .ambiguousColumn, at: node.span, "ambiguous column name: `\(wanted.description)`")
        return .unknown(node.span)
      case .failed: return .unknown(node.span)
      case .none: break
      }
      level = current.parent
    }
    if let value = node.booleanValue {
      return TypedExpression(
        kind: .literal(.integer(value ? 1 : 0)), type: .boolean, span: node.span)
    }
    // An unresolved source may have contained the column.
    if !scope.hasUnknownSource(for: wanted) {
      reportUnknown(
        .unknownColumn, "column", wanted.description, at: node.span,
        candidates: scope.columnNames)
      suggestStringLiteral(node)
    }
    return .unknown(node.span)
  }

  /// Suggests the string literal `'name'` for `"name"` if no column has a similar name.
  private mutating func suggestStringLiteral(_ node: SQLSyntax.ColumnReference) {
    let last = diagnostics.count - 1
    guard node.table == nil, node.column.quoting == .double, last >= 0,
      diagnostics[last].fixIt == nil
    else { return }
    let text = node.column.text.replacing("'", with: "''")
    diagnostics[last].message += "; use single quotes for a string literal"
    diagnostics[last].fixIt = Diagnostic.FixIt(replace: node.span, with: "'\(text)'")
  }

  private mutating func record(_ expression: TypedExpression, _ node: SQLSyntax.ColumnReference) {
    switch expression.kind {
    case .column(let column):
      guard let origin = column.origin else { return }
      access.read(column, origin)
      guard column.isTableColumn else { return }
      references?.record(origin, column: node.column.span, table: node.table?.span)
    case .merged(let parts, _): for part in parts { record(part, node) }
    default: break
    }
  }

  private enum LookupResult {
    case found(TypedExpression)
    case ambiguous
    /// An error was already reported.
    case failed
    case none
  }

  /// - Parameter rowIDCount: The number of candidate sources for the rowid so far.
  private mutating func find(
    _ wanted: ColumnName, in scope: Scope, span: ByteSpan, _ rowIDCount: inout Int
  ) -> LookupResult {
    var search = ColumnSearch(wanted: wanted, scope: scope.id, span: span)
    search.visit(scope.sources)
    if search.count == 0, wanted.schema == nil { visit(&search, scope.pseudoSources) }
    // Indexes and generated columns cannot read the rowid.
    if search.count == 0, scope.rules.definition != .index,
      scope.rules.definition != .generatedColumn
    {
      search.visitRowIDs(scope, &rowIDCount)
    }
    if search.count > 0 { return search.result.map { .found($0) } ?? .ambiguous }
    return wanted.table == nil ? findAlias(wanted, in: scope, span: span) : .none
  }

  private func visit(_ search: inout ColumnSearch, _ pseudoSources: [Source]) {
    guard let table = search.wanted.table else { return }
    for source in pseudoSources where source.name == table {
      search.visitPseudo(source)
    }
  }

  private mutating func findAlias(
    _ wanted: ColumnName, in scope: Scope, span: ByteSpan
  ) -> LookupResult {
    guard let alias = scope.aliases.first(where: { $0.name == wanted.column }) else {
      return .none
    }
    var expression = alias.expression
    if !scope.rules.allowsAggregates || scope.rules.isBeforeGrouping,
      expression.aggregateScopes.contains(scope.id)
    {
      report(
        .aggregateMisuse, at: span, "misuse of aliased aggregate `\(wanted.column.folded)`")
      return .failed
    }
    if !scope.rules.allowsWindows, expression.hasWindow {
      report(
        .windowMisuse, at: span,
        "misuse of aliased window function `\(wanted.column.folded)`")
      return .failed
    }
    if expression.width != 1 {
      report(.rowValueMisuse, at: span, "row value misused")
      return .failed
    }
    expression.span = span
    trace?.alias(wanted.column, at: span, in: scope)
    return .found(expression)
  }
}

/// A column's name with its qualifiers, in the form used for comparison.
struct ColumnName {
  var schema: NameKey?
  let table: NameKey?
  let column: NameKey
  let description: String

  init(_ node: SQLSyntax.ColumnReference) {
    schema = node.schema.map { NameKey($0.text) }
    table = node.table.map { NameKey($0.text) }
    column = NameKey(node.column.text)
    description = [node.schema?.text, node.table?.text, node.column.text].compactMap(\.self)
      .joined(separator: ".")
  }

  init(column: NameKey) {
    self.init(schema: nil, table: nil, column: column, description: column.folded)
  }

  init(schema: NameKey?, table: NameKey?, column: NameKey, description: String) {
    self.schema = schema
    self.table = table
    self.column = column
    self.description = description
  }
}

extension Scope {
  /// Returns whether the column may belong to a source for which an error was already reported.
  func hasUnknownSource(for wanted: ColumnName) -> Bool {
    sources.flatMap(\.leaves).contains {
      $0.isUnknown && (wanted.table == nil || wanted.table == $0.name)
    } || parent?.hasUnknownSource(for: wanted) ?? false
  }
}
