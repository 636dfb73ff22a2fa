internal import QueryModel
internal import SQLSyntax

extension Resolver {
  /// One part of a key or an index: a column, or an expression where that is allowed.
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
    // An index may name its columns by strings.
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
      inner, in: definitionScope(of: table, .index, span: expression.span))
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

  /// The scope of an expression in a definition, which sees the table alone.
  mutating func definitionScope(
    of table: Table, _ place: Scope.Definition, span: ByteSpan
  ) -> Scope {
    let id = makeSourceID()
    var target = Source(id: id, table: table, alias: nil)
    target.hasRowID = table.hasRowID
    return Scope(
      id: makeScopeID(), parent: nil, sources: [target], rules: .init(definition: place))
  }

  /// Checks the `CHECK` constraints and generated columns of a table.
  ///
  /// - Returns: What the generated columns compute, by their positions.
  mutating func checkExpressions(
    of node: SQLSyntax.TableDefinition, _ table: Table
  ) -> [Int: TypedExpression] {
    var types: [Int: TypedExpression] = [:]
    for (index, column) in node.columns.enumerated() {
      for constraint in column.constraints {
        switch constraint.kind {
        case .check(let expression):
          _ = resolveScalar(
            expression, in: definitionScope(of: table, .check, span: expression.span))
        case .generated(let expression, _):
          types[index] =
            resolveScalar(
              expression,
              in: definitionScope(of: table, .generatedColumn, span: expression.span))
        default: break
        }
      }
    }
    for constraint in node.constraints {
      if case .check(let expression, _) = constraint.kind {
        _ = resolveScalar(
          expression, in: definitionScope(of: table, .check, span: expression.span))
      }
    }
    return types
  }

  /// Refuses a generated column that is generated twice, or has a default.
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
