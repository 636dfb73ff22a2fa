internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// Resolves one part of a key or index: a column, or an expression if expressions are allowed.
  mutating func keyPart(
    _ expression: Expression, of table: Table, allowsExpressions: Bool
  ) -> UniqueKey.Part? {
    var inner = expression
    var collation = ""
    while true {
      if case .collate(let node) = inner {
        checkCollation(node.collation)
        if collation.isEmpty { collation = node.collation.text }
        inner = node.operand
      } else if case .parenthesized(let node) = inner {
        inner = node.inner
      } else {
        break
      }
    }
    // An index may name its columns by string literals.
    if case .literal(let literal) = inner, case .string(let text) = literal.value {
      guard let column = table.index(of: NameKey(text)) else {
        reportUnknown(
          .unknownColumn, "column", text, at: inner.span, candidates: table.columns.map(\.name))
        return nil
      }
      return UniqueKey.Part(
        column: column, collation: collation.isEmpty ? table.columns[column].collation : collation)
    }
    let resolved = resolveScalar(
      inner, in: definitionScope(of: table, .index))
    if resolved.isUnknown { return nil }
    if case .column(let column) = resolved.kind, column.column >= 0 {
      return UniqueKey.Part(
        column: column.column,
        collation: collation.isEmpty ? table.columns[column.column].collation : collation)
    }
    if !allowsExpressions {
      report(
        .invalidDefinition, at: expression.span,
        "expressions prohibited in PRIMARY KEY and UNIQUE constraints")
      return nil
    }
    return UniqueKey.Part(column: nil, collation: collation, expression: expression)
  }

  /// Creates the scope of an expression in a definition, in which only the table is visible.
  mutating func definitionScope(
    of table: Table, _ place: Scope.Definition
  ) -> Scope {
    let id = makeSourceID()
    var target = Source(id: id, table: table, alias: nil)
    target.hasRowID = table.hasRowID
    return Scope(
      id: makeScopeID(), parent: nil, sources: [target], rules: .init(definition: place))
  }

  /// Checks a table's `CHECK` constraints and generated columns.
  ///
  /// - Returns: The generated columns' expressions, by column index.
  mutating func checkExpressions(
    of node: SQLSyntax.TableDefinition, _ table: Table
  ) -> [Int: TypedExpression] {
    var types: [Int: TypedExpression] = [:]
    // A scope contains all columns, so it is created once.
    let check = definitionScope(of: table, .check)
    let generatedColumn = definitionScope(of: table, .generatedColumn)
    for (index, column) in node.columns.prefix(table.columns.count).enumerated() {
      for constraint in column.constraints {
        switch constraint.kind {
        case .check(let expression): _ = resolveScalar(expression, in: check)
        case .generated(let expression, _):
          types[index] = resolveScalar(expression, in: generatedColumn)
        default: break
        }
      }
    }
    for constraint in node.constraints where table.columns.count == node.columns.count {
      if case .check(let expression, _) = constraint.kind {
        _ = resolveScalar(expression, in: check)
      }
    }
    return types
  }

  /// Reports a generated column with two generation clauses or a default.
  mutating func checkGenerated(_ node: SQLSyntax.ColumnDefinition) {
    let generators = node.constraints.filter {
      if case .generated = $0.kind { true } else { false }
    }
    guard !generators.isEmpty else { return }
    if generators.count > 1 {
      report(
        .generatedColumn, at: generators[1].span,
        "error in generated column `\(node.name.text)`")
    }
    for constraint in node.constraints {
      if case .default = constraint.kind {
        report(
          .generatedColumn, at: constraint.span, "cannot use DEFAULT on a generated column")
      }
    }
  }
}

/// `CREATE TABLE`, with the checks that SQLite makes when a table is defined.
extension Resolver {
  /// Creates the table that a definition describes. Errors are reported; the table contains
  /// everything that is valid.
  mutating func makeTable(
    _ node: CreateTable, database: NameKey, documentation: [String]
  ) -> Table {
    var table: Table
    switch node.body {
    case .select(let select):
      let rows = resolveSelect(select, parent: nil, commonTables: nil)
      table = Table(
        name: node.name.name.text, database: database,
        kind: .table(StoredStatement(node: node, source: source)),
        columns: rows.sourceColumns(isStored: true).map(Column.init(selected:)))
    case .definition(let definition):
      var builder = TableBuilder(
        Table(
          name: node.name.name.text, database: database,
          kind: .table(StoredStatement(node: node, source: source)), columns: []))
      builder.build(definition, &self)
      table = builder.table
      table.recordAllowedValues(definition)
      applyColumnComments(
        on: &table, definition.columns.prefix(table.columns.count).map(\.span),
        in: definition.span)
      for (index, column) in definition.columns.prefix(table.columns.count).enumerated() {
        warnOfDefault(of: column, SourceColumn(table, index))
      }
    }
    table.documentation = documentation.isEmpty ? nil : documentation.joined(separator: "\n")
    return table
  }
}

extension Resolver {
  /// Applies the annotations and documentation in the comments within `span` to a table's last
  /// columns, whose definitions are at `columns`.
  mutating func applyColumnComments(on table: inout Table, _ columns: [ByteSpan], in span: ByteSpan)
  {
    let first = table.columns.count - columns.count
    for (index, notes) in ColumnComments.read(source, in: span, columns: columns).enumerated() {
      table.columns[first + index].annotation = notes.annotation
      table.columns[first + index].documentation =
        notes.documentation.isEmpty ? nil : notes.documentation.joined(separator: "\n")
      if let (names, place) = notes.caseNames {
        let count = table.columns[first + index].allowed?.count
        if count == names.count {
          table.columns[first + index].allowed?.names = names
        } else {
          warn(
            .malformedAnnotation, at: place,
            count.map { "`AS ENUM` has \(names.count) names for the \($0) values of the CHECK" }
              ?? "`AS ENUM` requires a CHECK that lists the column's text or integer values")
        }
      }
      for place in notes.malformed {
        warn(
          .malformedAnnotation, at: place,
          "malformed annotation: expected a Swift type after `AS`, optionally followed by "
            + "`USING` and a format, or `ENUM` and distinct names")
      }
    }
  }
}

extension Column {
  /// Creates a column of `CREATE TABLE … AS SELECT`, which preserves only the affinity.
  fileprivate init(selected column: SourceColumn) {
    let declared =
      switch column.affinity {
      case .integer: "INT"
      case .real: "REAL"
      case .text: "TEXT"
      case .numeric: "NUM"
      case .some(.none), nil: ""
      }
    self.init(column.name, declaredType: declared)
  }

  /// Creates a column from its declaration, without its constraints.
  init(_ node: SQLSyntax.ColumnDefinition) {
    self.init(node.name.text, declaredType: node.type?.name ?? "")
  }
}
