internal import QueryModel
internal import SQLSyntax

/// An item of a result list after expansion of stars.
struct ResultItem {
  let expression: TypedExpression
  /// The explicit alias, if any.
  let alias: Identifier?
  /// The column's name, if a star was expanded.
  let starName: String?
  /// The name as written, if the item is a column.
  var writtenName: String?
  /// The item's span in the source text.
  let span: ByteSpan
  /// The `table.*` that the item is part of, if any.
  var star: StarExpansion?
}

/// Result lists, and the names of their columns.
extension Resolver {
  mutating func resolveColumns(_ columns: [ResultColumn], in scope: Scope) -> [ResultItem] {
    var items: [ResultItem] = []
    var stars: [(span: ByteSpan, columns: Range<Int>)] = []
    for (position, column) in columns.enumerated() {
      switch column.kind {
      case .expression(let expression, let alias):
        let value = resolveScalar(expression, in: scope)
        if let alias { hint(value, type: nil, name: alias.text) }
        items.append(
          ResultItem(
            expression: value, alias: alias, starName: nil, writtenName: expression.columnName,
            span: expression.span))
        if alias == nil { keepName(of: expression) }
      case .star:
        if scope.sources.isEmpty {
          report(.unknownTable, at: column.span, "no tables specified")
        }
        let before = items.count
        items.append(contentsOf: expand(scope.sources, of: nil, column.span, in: scope))
        stars.append((column.span, before..<items.count))
      case .tableStar(let name):
        let table = NameKey(name.text)
        let before = items.count
        items.append(contentsOf: expand(scope.sources, of: table, column.span, in: scope))
        stars.append((column.span, before..<items.count))
        var expansions: [SourceID: StarExpansion?] = [:]
        for index in before..<items.count {
          guard case .column(let column) = items[index].expression.kind else { continue }
          let star =
            expansions[column.source] ?? starExpansion(of: column, table, position, in: scope)
          expansions[column.source] = star
          items[index].star = star
        }
        let isUnknown = scope.sources.flatMap(\.leaves).contains { $0.isUnknown }
        if items.count == before, !isUnknown {
          reportUnknown(
            .unknownTable, "table", name.text, at: name.span,
            candidates: scope.sources.flatMap(\.leaves).map(\.label))
        }
      }
      guard items.count <= Self.columnLimit else {
        report(.tooComplex, at: column.span, "too many columns in result set")
        return []
      }
    }
    recordExpansions(of: stars, among: items, in: scope)
    return items
  }

  /// Returns the `table.*` that a column is part of, if the source is a table of the schema.
  private func starExpansion(
    of column: ResolvedColumn, _ name: NameKey, _ position: Int, in scope: Scope
  ) -> StarExpansion? {
    guard
      let source = scope.sources.lazy.flatMap(\.leaves).first(where: { $0.id == column.source }),
      source.name == name,
      let table = source.table, table.isInSchema
    else { return nil }
    return StarExpansion(
      item: position, name: source.label, hasAlias: NameKey(source.label) != NameKey(table.name),
      table: table.modelName,
      columnCount: source.columns.count { !$0.isHidden }, isOptional: column.isOptional)
  }

  /// The maximum number of columns in a result or table. See https://www.sqlite.org/limits.html.
  private static let columnLimit = 2_000

  /// Returns the columns to which `*` or `table.*` expands.
  mutating func expand(
    _ sources: [Source], of table: NameKey?, _ span: ByteSpan, in scope: Scope
  ) -> [ResultItem] {
    var items: [ResultItem] = []
    for (position, source) in sources.enumerated() {
      if let table, !source.isGroup, source.name != table { continue }
      for (index, column) in source.columns.enumerated() where !column.isHidden {
        if source.isGroup {
          let detail = source.groupColumns[index]
          guard table.map({ detail.qualifier?.table == $0 }) ?? detail.isInStar else { continue }
        }
        if table == nil, position > 0, source.joins(column.key) { continue }
        // A column merged by `USING` in a right or full join is looked up by its unqualified name,
        // as are the columns of a single source.
        let isUnqualified = sources.count == 1 || sources.isMerged(column.key, after: position)
        guard
          let expression = isUnqualified
            ? find(ColumnName(column: column.key), among: sources, in: scope.id, span)
            : qualified(source, index, among: sources, in: scope.id, span)
        else { return items }
        for column in expression.columns {
          if let origin = column.origin { access.read(origin) }
        }
        items.append(
          ResultItem(expression: expression, alias: nil, starName: column.name, span: span))
      }
    }
    return items
  }
}

extension [Source] {
  /// Returns whether a source after the one at `position` joins this column by `USING`, and a right
  /// or full join follows.
  fileprivate func isMerged(_ name: NameKey, after position: Int) -> Bool {
    let later = dropFirst(position + 1)
    return later.contains(where: \.preservesOwnRows) && later.contains { $0.joins(name) }
  }
}

extension SelectColumn {
  init(_ value: TypedExpression, name: String, nullability: Nullability) {
    self.init(
      name: name, innerName: name, storedName: name, type: value.type, affinity: value.affinity,
      isNullable: nullability.isNullable(value), collation: value.collation?.name ?? "BINARY",
      origin: nil, expression: value, exponentBound: value.exponentBound)
    switch value.kind {
    case .column(let column): origin = column.origin
    case .subquery(_, _, let inner): origin = inner
    default: break
    }
    innerOrigin = origin
    provenance = value.provenance
    hasFraction = value.hasFraction
  }

  /// Creates a result column, named according to SQLite's rules.
  init(_ item: ResultItem, nullability: Nullability, source: SourceText) {
    let given = item.alias?.text ?? item.starName
    let text = source.columnText(item.span)
    self.init(
      item.expression, name: given ?? item.expression.columnResultName ?? text,
      nullability: nullability)
    innerName = given ?? item.writtenName ?? text
    storedName = given ?? item.expression.stripped.columnResultName ?? text
    // As in SQLite, the names of expanded stars count as aliases.
    hasAlias = item.alias != nil || item.starName != nil
    star = item.star
  }
}

extension TypedExpression {
  /// The name that SQLite gives a result column without an alias; `nil` for an expression that is
  /// not a column of a source.
  fileprivate var columnResultName: String? {
    switch kind {
    case .column(let column): column.groupName ?? column.name
    case .merged(_, let name): name
    default: nil
    }
  }
}

extension Expression {
  /// The name of the column that the expression is, as written and without a collation; `nil` for
  /// any other expression.
  fileprivate var columnName: String? {
    switch self {
    case .column(let node): node.column.text
    case .collate(let node): node.operand.columnName
    case .parenthesized(let node): node.inner.columnName
    default: nil
    }
  }
}

extension SourceText {
  /// Returns the text after which SQLite names a column without an alias: from its first token up
  /// to the next token, including comments but not trailing spaces.
  func columnText(_ span: ByteSpan) -> String {
    var end = span.end.value
    scan: while end < bytes.count {
      switch bytes[end] {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D: end += 1
      case 0x2D where end + 1 < bytes.count && bytes[end + 1] == 0x2D:
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      case 0x2F where end + 1 < bytes.count && bytes[end + 1] == 0x2A:
        end += 2
        while end < bytes.count,
          !(bytes[end] == 0x2F && bytes[end - 1] == 0x2A && end - span.end.value > 2)
        {
          end += 1
        }
        end = min(end + 1, bytes.count)
      default: break scan
      }
    }
    while end > span.end.value, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[end - 1]) {
      end -= 1
    }
    return self[ByteSpan(span.start, ByteOffset(end))]
  }
}
