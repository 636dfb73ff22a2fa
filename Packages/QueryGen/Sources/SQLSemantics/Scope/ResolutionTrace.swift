public import QueryModel
public import SQLSyntax

/// A name in a statement, and the object that it refers to.
public struct NameReference: Hashable, Sendable {
  /// The object that a name refers to. Two names with equal targets refer to the same object.
  public enum Target: Hashable, Sendable {
    /// A table, view or table-valued function, in its original spelling.
    case table(String)
    case column(table: String, column: String)
    /// A name that the statement itself declares at a span: an alias, a common table, a window, or
    /// a column of one of them.
    case local(ByteSpan)
    /// `NEW`, `OLD` or `excluded`, in lowercase.
    case row(String)
    case function(String)
    case collation(String)
  }

  public enum Role: Hashable, Sendable {
    case table, view, column, alias, commonTable, resultAlias, row, function, collation, window
  }

  public var span: ByteSpan
  public var target: Target
  public var role: Role
  public var isDeclaration = false
  /// Indicates whether the statement writes to the object.
  public var isWrite = false
  /// The type of a column; `nil` if it is unknown, or for other objects.
  public var type: ValueType?
  /// Indicates whether the value can be `NULL`.
  public var isNullable = false
  /// The source for which an outer join may find no row, if the column can be `NULL` for that
  /// reason.
  public var outerJoined: String?
  /// The name that can qualify a column, if there is one.
  public var qualifier: String?
}

/// A collector of the names that a resolver resolves.
///
/// A class, so that copies of a resolver that resolve an expression on trial add to it too. A name
/// that is resolved several times is kept once.
final class ResolutionTrace {
  /// The declaration of a source: its qualifier, and its columns if it is a select.
  struct Declaration {
    var qualifier: NameReference.Target?
    var role: NameReference.Role
    var columns: ColumnDeclarations?
  }

  /// The declarations of a select's columns.
  struct ColumnDeclarations {
    /// The names in the column list of a common table or view.
    var names: [Identifier]
    /// The result columns of the first arm.
    var results: [ResultColumn]
  }

  private(set) var references: [ByteOffset: NameReference] = [:]
  /// The scopes of the statement's selects and of its other parts, by span.
  private(set) var scopes: [ByteSpan: Scope] = [:]
  private var sources: [SourceID: Declaration] = [:]
  private var aliases: [ScopeID: [NameKey: ByteSpan]] = [:]
  /// The common tables and windows, which are declared once each.
  private(set) var commonTables: [CommonTable] = []

  func add(_ reference: NameReference) {
    guard !reference.span.isEmpty else { return }
    references[reference.span.start] = reference
  }

  func scope(_ span: ByteSpan, _ scope: Scope) { scopes[span] = scope }

  // MARK: Sources

  /// Records a table of the schema as a source.
  func source(_ id: SourceID, _ table: Table, alias: Identifier?) {
    if let alias {
      declare(alias, .alias)
      sources[id] = Declaration(qualifier: .local(alias.span), role: .alias)
    } else {
      sources[id] = Declaration(
        qualifier: .table(table.modelName), role: table.isView ? .view : .table)
    }
  }

  /// Records a common table as a source.
  func source(_ id: SourceID, _ table: CommonTable, name: Identifier, alias: Identifier?) {
    add(
      NameReference(
        span: name.span, target: .local(table.name.span), role: .commonTable))
    if let alias { declare(alias, .alias) }
    sources[id] = Declaration(
      qualifier: .local(alias?.span ?? table.name.span), role: alias == nil ? .commonTable : .alias,
      columns: ColumnDeclarations(names: table.columns, results: table.select.resultColumns))
  }

  /// Records a subquery as a source.
  func source(_ id: SourceID, _ select: Select, alias: Identifier?) {
    if let alias { declare(alias, .alias) }
    sources[id] = Declaration(
      qualifier: alias.map { .local($0.span) }, role: .alias,
      columns: ColumnDeclarations(names: [], results: select.resultColumns))
  }

  private func declare(_ name: Identifier, _ role: NameReference.Role) {
    add(
      NameReference(
        span: name.span, target: .local(name.span), role: role, isDeclaration: true))
  }

  /// Records the tables of a `WITH` clause.
  func declare(_ with: WithClause) {
    for table in with.tables where !commonTables.contains(where: { $0.span == table.span }) {
      commonTables.append(table)
      declare(table.name, .commonTable)
      for column in table.columns { declare(column, .column) }
    }
  }

  func declare(_ windows: [WindowDefinition]) {
    for window in windows { declare(window.name, .window) }
  }

  /// Records the aliases of result columns.
  func declareAliases(_ columns: [ResultColumn], in scope: Scope) {
    for column in columns {
      guard case .expression(_, let alias?) = column.kind else { continue }
      declare(alias, .resultAlias)
      let key = NameKey(alias.text)
      if aliases[scope.id]?[key] == nil { aliases[scope.id, default: [:]][key] = alias.span }
    }
  }

  // MARK: Names

  /// Records a name that refers to the alias of a result column.
  func alias(_ name: NameKey, at span: ByteSpan, in scope: Scope) {
    guard let declaration = aliases[scope.id]?[name] else { return }
    add(NameReference(span: span, target: .local(declaration), role: .resultAlias))
  }

  /// Records a window's name after `OVER`.
  func window(_ name: Identifier, in scope: Scope) {
    guard let window = scope.windows[NameKey(name.text)] else { return }
    add(NameReference(span: name.span, target: .local(window.name.span), role: .window))
  }

  func function(_ name: Identifier) {
    add(NameReference(span: name.span, target: .function(name.folded), role: .function))
  }

  /// Records a reference to a column, and its qualifier.
  func column(
    _ expression: TypedExpression, _ node: SQLSyntax.ColumnReference, in scope: Scope
  ) {
    var column: ResolvedColumn?
    switch expression.kind {
    case .column(let found): column = found
    case .merged(let parts, _):
      if case .column(let found)? = parts.first?.kind { column = found }
    default: break
    }
    guard let column else { return }
    let all = scope.sources.flatMap(\.leaves) + scope.pseudoSources
    let source = all.first { $0.id == column.source }
    if let table = node.table { qualifier(table, column.source, source) }
    // An alias was recorded already, since it also has a column as its expression.
    if case .resultAlias = references[node.column.span.start]?.role { return }
    guard let target = target(of: column, source) else { return }
    add(
      NameReference(
        span: node.column.span, target: target, role: .column, type: expression.type,
        isNullable: column.isDeclaredNullable || column.isOptional,
        outerJoined: column.isOptional ? source?.label : nil, qualifier: source?.label))
  }

  private func qualifier(_ name: Identifier, _ id: SourceID, _ source: Source?) {
    if let declaration = sources[id], let target = declaration.qualifier {
      add(NameReference(span: name.span, target: target, role: declaration.role))
    } else if let source, source.isTriggerRow || source.table == nil {
      add(NameReference(span: name.span, target: .row(name.folded), role: .row))
    } else if let table = source?.table {
      add(
        NameReference(
          span: name.span,
          target: name.folded == "excluded" ? .row("excluded") : .table(table.modelName),
          role: name.folded == "excluded" ? .row : .table))
    }
  }

  private func target(of column: ResolvedColumn, _ source: Source?) -> NameReference.Target? {
    if let table = source?.table {
      return .column(table: table.modelName, column: column.name)
    }
    if let columns = sources[column.source]?.columns, column.column >= 0 {
      if column.column < columns.names.count {
        return .local(columns.names[column.column].span)
      }
      // A star shifts the columns after it.
      let isSimple = columns.results.prefix(column.column + 1).allSatisfy { !$0.isStar }
      if isSimple, column.column < columns.results.count,
        case .expression(let expression, let alias) = columns.results[column.column].kind
      {
        if let alias { return .local(alias.span) }
        if let name = expression.columnIdentifier, let inner = references[name.span.start] {
          return inner.target
        }
        return .local(expression.span)
      }
    }
    return column.origin.map {
      .column(table: $0.database.qualifying($0.table), column: $0.column)
    }
  }
}

extension Select {
  /// The result columns of the first arm; empty for `VALUES`.
  var resultColumns: [ResultColumn] {
    if case .query(let query) = first { query.columns } else { [] }
  }
}

extension Expression {
  /// The name of the column, if the expression is only a column.
  var columnIdentifier: Identifier? {
    switch self {
    case .column(let node): node.column
    case .parenthesized(let node): node.inner.columnIdentifier
    default: nil
    }
  }
}
