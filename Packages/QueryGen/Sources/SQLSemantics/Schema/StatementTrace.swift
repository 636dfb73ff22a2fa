public import QueryModel
public import SQLSyntax

/// A statement with the names in it resolved, for editors.
public struct StatementTrace: Sendable {
  /// A column that is visible at a place.
  public struct VisibleColumn: Hashable, Sendable {
    public var name: String
    public var type: ValueType?
    public var isNullable: Bool
    /// The table whose column it is, if any.
    public var table: String?
    /// Indicates whether `USING` or `NATURAL` joins the column to an earlier one, so that `*`
    /// contains it only once.
    public var isJoined = false
  }

  /// An entry of `FROM`, or a row such as `NEW`.
  public struct VisibleSource: Hashable, Sendable {
    /// The name that qualifies its columns; empty if there is none.
    public var label: String
    public var table: String?
    /// Indicates whether the columns must be qualified.
    public var isRow: Bool
    public var columns: [VisibleColumn]
  }

  /// The names that are visible in a part of the statement.
  public struct VisibleScope: Sendable {
    public var span: ByteSpan
    /// The sources, followed by the sources of enclosing statements.
    public var sources: [VisibleSource]
    /// The number of sources of the select itself, rather than of enclosing statements.
    public var ownSourceCount: Int
    public var aliases: [String]
    public var windows: [String]
  }

  /// A parameter.
  public struct Parameter: Hashable, Sendable {
    public var index: Int
    /// The name with its first character; `nil` for `?`.
    public var name: String?
    public var type: ValueType
    public var isNullable: Bool
    public var isList: Bool
    /// The columns of row values; empty for any other parameter.
    public var columns: [ResultColumn]
    public var spans: [ByteSpan]
    /// The columns with which the parameter is compared, or in which it is stored.
    public var origins: [TableColumn]
  }

  /// A column of the result.
  public struct ResultColumn: Hashable, Sendable {
    public var name: String
    public var type: ValueType
    public var isNullable: Bool
    public var origins: [TableColumn]
    /// The span of the expression; `nil` for a column of a star.
    public var span: ByteSpan?
  }

  public var statement: Statement
  /// The names, in order.
  public var references: [NameReference] = []
  public var scopes: [VisibleScope] = []
  public var parameters: [Parameter] = []
  public var columns: [ResultColumn] = []
  public var commonTables: [CommonTable] = []

  /// Returns the reference that contains or ends at an offset.
  public func reference(at offset: ByteOffset) -> NameReference? {
    references.first { $0.span.contains(offset) }
      ?? references.first { $0.span.end == offset }
  }

  public func parameter(at offset: ByteOffset) -> Parameter? {
    parameters.first { parameter in
      parameter.spans.contains { $0.start <= offset && offset <= $0.end }
    }
  }
}

extension Catalog {
  /// Resolves the names in a statement. The names in views and triggers are resolved too, although
  /// SQLite resolves them only when they are used. Errors are ignored.
  public func trace(_ statement: Statement, source: SourceText) -> StatementTrace {
    trace([statement], source: source)[0]
  }

  /// Resolves the names in the statements of a query, which share parameters. The trace of each
  /// contains all parameters.
  public func trace(_ statements: [Statement], source: SourceText) -> [StatementTrace] {
    var parameters = ParameterTable()
    var traces = statements.map { trace($0, source: source, &parameters) }
    let all = parameters.entries.sorted { $0.key < $1.key }.map {
      StatementTrace.Parameter(
        index: $0, name: $1.name, type: $1.type, isNullable: $1.isNullable,
        isList: !$1.listSpans.isEmpty || $1.insertions.contains(where: \.isList),
        columns: $1.columns.map(StatementTrace.ResultColumn.init), spans: $1.spans,
        origins: $1.provenance.references)
    }
    for index in traces.indices { traces[index].parameters = all }
    return traces
  }

  private func trace(
    _ statement: Statement, source: SourceText, _ parameters: inout ParameterTable
  ) -> StatementTrace {
    let trace = ResolutionTrace()
    var resolver = Resolver(catalog: self, source: source)
    resolver.parameters = parameters
    resolver.trace = trace
    resolver.references = ReferenceLog()
    // Other triggers are not part of the statement.
    for database in databases {
      for trigger in database.triggers.values {
        resolver.visitedTriggers.insert(NameKey("\(trigger.database).\(trigger.name)"))
      }
    }
    let outcome = resolver.resolve(statement)
    var result = StatementTrace(statement: statement)
    resolver.traceDefinition(statement)
    var references = trace.references
    for entry in resolver.references?.entries ?? [] where references[entry.span.start] == nil {
      guard let reference = reference(entry) else { continue }
      references[entry.span.start] = reference
    }
    result.references = references.values.sorted { $0.span.start < $1.span.start }
    for name in statement.writtenNames {
      for index in result.references.indices where result.references[index].span == name.span {
        result.references[index].isWrite = true
      }
    }
    result.commonTables = trace.commonTables
    result.scopes = trace.scopes.map { StatementTrace.VisibleScope($0, $1) }
      .sorted { $0.span.count < $1.span.count }
    result.columns = outcome.columns.map { column in
      StatementTrace.ResultColumn(
        name: column.name, type: column.type ?? .any, isNullable: column.isNullable,
        origins: column.provenance.references,
        span: column.expression.flatMap { source.endsInStar($0.span) ? nil : $0.span })
    }
    parameters = resolver.parameters
    return result
  }

  private func reference(_ entry: ReferenceLog.Entry) -> NameReference? {
    guard let table = table(entry.table, in: entry.database) else { return nil }
    guard let column = entry.column else {
      return NameReference(
        span: entry.span, target: .table(table.modelName), role: table.isView ? .view : .table)
    }
    let found = table.columns.first { $0.key == column }
    return NameReference(
      span: entry.span,
      target: .column(table: table.modelName, column: found?.name ?? column.folded), role: .column,
      type: found?.type, isNullable: !(found?.isNotNull ?? false))
  }
}

extension Resolver {
  /// Records the names that a schema statement declares and refers to.
  fileprivate mutating func traceDefinition(_ statement: Statement) {
    switch statement {
    case .createTable(let node): traceTable(node)
    case .createView(let node):
      let name = node.name.inModel(isTemporary: node.isTemporary)
      declare(node.name.name, .table(name), .view)
      for column in node.columns {
        declare(column, .column(table: name, column: column.text), .column)
      }
      _ = resolveSelect(node.select, parent: nil, commonTables: nil)
    case .createVirtualTable(let node):
      declare(node.name.name, .table(node.name.inModel(isTemporary: false)), .table)
    case .createIndex(let node): refer(to: node.table)
    case .createTrigger(let node):
      guard let table = refer(to: node.table.name) else { return }
      if case .update(let columns) = node.event {
        for column in columns { refer(to: column, of: table) }
      }
      resolveBody(node, of: table, home: table.database)
    case .alterTable(let node):
      guard let table = refer(to: node.table.name) else { return }
      switch node.action {
      case .rename(let name): declare(name, .table(name.text), .table)
      case .renameColumn(let old, let new):
        refer(to: old, of: table)
        declare(new, .column(table: table.modelName, column: new.text), .column)
      case .addColumn(let column):
        declare(column.name, .column(table: table.modelName, column: column.name.text), .column)
        for constraint in column.constraints {
          if case .references(let reference) = constraint.kind { trace(reference) }
        }
      case .dropColumn(let name), .setNotNull(let name, _), .dropNotNull(let name):
        refer(to: name, of: table)
      case .addConstraint, .dropConstraint: break
      }
    case .drop(let node):
      if node.object == .table || node.object == .view { refer(to: node.name.name) }
    default: break
    }
  }

  private func traceTable(_ node: CreateTable) {
    let name = node.name.name
    let table = node.name.inModel(isTemporary: node.isTemporary)
    declare(name, .table(table), .table)
    guard case .definition(let definition) = node.body else { return }
    for column in definition.columns {
      declare(column.name, .column(table: table, column: column.name.text), .column)
      for constraint in column.constraints {
        if case .references(let reference) = constraint.kind {
          trace(reference, from: name, named: table)
        }
      }
    }
    for constraint in definition.constraints {
      guard case .foreignKey(let columns, let reference) = constraint.kind else { continue }
      for column in columns {
        trace?.add(
          NameReference(
            span: column.span, target: .column(table: table, column: column.text),
            role: .column))
      }
      trace(reference, from: name, named: table)
    }
  }

  /// Records the parent of a foreign key, which may be the table that is being created.
  ///
  /// - Parameter name: The name of that table in the model.
  private func trace(
    _ reference: ForeignKeyReference, from child: Identifier? = nil, named name: String = ""
  ) {
    if let child, reference.table.matches(child.text) {
      trace?.add(
        NameReference(span: reference.table.span, target: .table(name), role: .table))
      for column in reference.columns {
        trace?.add(
          NameReference(
            span: column.span, target: .column(table: name, column: column.text),
            role: .column))
      }
      return
    }
    guard let table = refer(to: reference.table) else { return }
    for column in reference.columns { refer(to: column, of: table) }
  }

  private func declare(
    _ name: Identifier, _ target: NameReference.Target, _ role: NameReference.Role
  ) {
    trace?.add(
      NameReference(span: name.span, target: target, role: role, isDeclaration: true))
  }

  @discardableResult
  private func refer(to name: Identifier) -> Table? {
    guard let table = catalog.table(NameKey(name.text), in: nil) else { return nil }
    trace?.add(
      NameReference(
        span: name.span, target: .table(table.modelName), role: table.isView ? .view : .table))
    return table
  }

  private func refer(to name: Identifier, of table: Table) {
    guard let column = table.columns.first(where: { $0.key == NameKey(name.text) }) else { return }
    trace?.add(
      NameReference(
        span: name.span, target: .column(table: table.modelName, column: column.name),
        role: .column,
        type: column.type, isNullable: !column.isNotNull))
  }
}

extension QualifiedName {
  /// The name in the model of the table that a `CREATE` statement with this name creates.
  fileprivate func inModel(isTemporary: Bool) -> String {
    let schema: NameKey = schema.map { NameKey($0.text) } ?? (isTemporary ? "temp" : "main")
    return schema.qualifying(name.text)
  }
}

extension StatementTrace.ResultColumn {
  /// Creates a column of a parameter's row values.
  fileprivate init(_ entry: ParameterTable.Entry) {
    self.init(
      name: entry.uses.lazy.compactMap(\.name).first ?? "?", type: entry.type,
      isNullable: entry.isNullable, origins: entry.provenance.references)
  }
}

extension SourceText {
  /// Returns whether a span is `*` or `table.*`.
  fileprivate func endsInStar(_ span: ByteSpan) -> Bool {
    span.end.value > 0 && span.end.value <= byteCount
      && bytes[span.end.value - 1] == UInt8(ascii: "*")
  }
}

extension Statement {
  /// The names of the table and of the columns that the statement writes.
  fileprivate var writtenNames: [Identifier] {
    switch self {
    case .insert(let node): [node.table.name.name] + node.columns
    case .update(let node): [node.table.name.name] + node.assignments.flatMap(\.columns)
    case .delete(let node): [node.table.name.name]
    default: []
    }
  }
}

extension StatementTrace.VisibleScope {
  fileprivate init(_ span: ByteSpan, _ scope: Scope) {
    var sources: [StatementTrace.VisibleSource] = []
    var level: Scope? = scope
    while let current = level {
      sources += current.sources.flatMap(\.leaves).map {
        StatementTrace.VisibleSource($0, isRow: false)
      }
      sources += current.pseudoSources.map { StatementTrace.VisibleSource($0, isRow: true) }
      level = current.parent
    }
    self.init(
      span: span, sources: sources,
      ownSourceCount: scope.sources.flatMap(\.leaves).count,
      aliases: scope.aliases.map(\.name.folded),
      windows: scope.windows.values.map(\.name.text).sorted())
  }
}

extension StatementTrace.VisibleSource {
  fileprivate init(_ source: Source, isRow: Bool) {
    self.init(
      label: source.label, table: source.table?.modelName, isRow: isRow,
      columns: source.columns.filter { !$0.isHidden }.map { column in
        StatementTrace.VisibleColumn(
          name: column.name, type: column.type, isNullable: column.isNullable || source.isOptional,
          table: source.table?.modelName
            ?? column.origin.map { $0.database.qualifying($0.table) },
          isJoined: source.joins(column.key))
      })
  }
}
