internal import QueryModel
internal import SQLSyntax

/// An item of a result list after expansion of stars.
struct ResultItem {
  let expression: TypedExpression
  /// The explicit alias, if any.
  let alias: Identifier?
  /// The column's name, if a star was expanded.
  let starName: String?
  /// The item's span in the source text.
  let span: ByteSpan
  /// The `table.*` that the item is part of, if any.
  var star: StarExpansion?
}

/// Result lists, and the names of their columns.
extension Resolver {
  mutating func resolveColumns(_ columns: [ResultColumn], in scope: Scope) -> [ResultItem] {
    var items: [ResultItem] = []
    for (position, column) in columns.enumerated() {
      switch column.kind {
      case .expression(let expression, let alias):
        let value = resolveScalar(expression, in: scope)
        if let alias { hint(value, type: nil, name: alias.text) }
        items.append(
          ResultItem(expression: value, alias: alias, starName: nil, span: expression.span))
      case .star:
        if scope.sources.isEmpty {
          report(.unknownTable, at: column.span, "no tables specified")
        }
        items.append(contentsOf: expand(scope.sources, of: nil, column.span, in: scope))
      case .tableStar(let name):
        let table = NameKey(name.text)
        let before = items.count
        items.append(contentsOf: expand(scope.sources, of: table, column.span, in: scope))
        for index in before..<items.count {
          items[index].star = starExpansion(of: items[index], position, in: scope)
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
    return items
  }

  /// Returns the `table.*` that a column is part of, if the source is a table of the schema.
  private func starExpansion(of item: ResultItem, _ position: Int, in scope: Scope)
    -> StarExpansion?
  {
    guard case .column(let column) = item.expression.kind,
      let source = scope.sources.lazy.flatMap(\.leaves).first(where: { $0.id == column.source }),
      let table = source.table, table.isInSchema, table.database == "main"
    else { return nil }
    return StarExpansion(
      item: position, name: source.label, table: table.name,
      columnCount: source.starColumns.count, isOptional: column.isOptional)
  }

  /// The maximum number of columns in a result or table. See https://www.sqlite.org/limits.html.
  private static let columnLimit = 2_000

  /// Returns the columns to which `*` or `table.*` expands.
  mutating func expand(
    _ sources: [Source], of table: NameKey?, _ span: ByteSpan, in scope: Scope
  ) -> [ResultItem] {
    var items: [ResultItem] = []
    for source in sources {
      let entries: [(source: Source, index: Int)]
      let names = source.distinctNames
      if let table, source.name != table {
        guard !source.members.isEmpty else { continue }
        entries = source.members.flatMap(\.leaves).filter { $0.name == table }
          .flatMap(\.starColumns)
      } else {
        entries = source.starColumns
      }
      if let duplicate = source.duplicateColumnName {
        report(.ambiguousColumn, at: span, "ambiguous column name: `\(duplicate)`")
        return items
      }
      for entry in entries {
        let column = entry.source.columns[entry.index]
        if table == nil, source.joined.contains(column.key) { continue }
        var expression = TypedExpression(
          kind: .column(entry.source.resolved(entry.index)), type: column.type,
          affinity: column.affinity, span: span)
        expression.scopes = [scope.id]
        // A column merged by `USING` in a right or full join is looked up by its unqualified name.
        if sources.isMerged(column.key, after: source) {
          guard let merged = lookUp(column.key, span, in: scope) else {
            report(
              .ambiguousColumn, at: span, "ambiguous column name: `\(column.name)`")
            return items
          }
          expression = merged
        }
        if sources.hasDuplicateColumn(of: source, entry.source, column.key) {
          report(
            .ambiguousColumn, at: span, "ambiguous column name: `\(source.label).\(column.name)`")
          return items
        }
        if let origin = column.origin { access.read(origin) }
        items.append(
          ResultItem(
            expression: expression, alias: nil,
            starName: names[entry.source.resolved(entry.index)] ?? column.name, span: span))
      }
    }
    return items
  }

  private func lookUp(_ name: NameKey, _ span: ByteSpan, in scope: Scope) -> TypedExpression? {
    var search = ColumnSearch(wanted: ColumnName(column: name), scope: scope.id, span: span)
    search.visit(scope.sources)
    guard search.count > 1 else { return search.match }
    guard search.mergedParts.count == search.count else { return nil }
    var result = combine(
      .merged(search.mergedParts),
      search.mergedParts.reduce(nil) { union($0, $1.type) }, search.mergedParts, span)
    result.affinity = search.mergedParts.first?.affinity
    return result
  }
}

extension Source {
  /// The distinct names of the columns of sources in parentheses.
  fileprivate var distinctNames: [ResolvedColumn: String] {
    guard !members.isEmpty else { return [:] }
    let columns = starColumns
    let names = ResolvedSelect.distinct(columns.map { $0.source.columns[$0.index].name })
    return Dictionary(
      zip(columns.map { $0.source.resolved($0.index) }, names),
      uniquingKeysWith: { first, _ in first })
  }

  /// An ambiguous column name in a parenthesized join with an alias: one that two of its columns
  /// share.
  fileprivate var duplicateColumnName: String? {
    guard !members.isEmpty, name != nil else { return nil }
    var seen: Set<NameKey> = []
    return starColumns.map { $0.source.columns[$0.index] }.first {
      !seen.insert($0.key).inserted
    }?.name
  }
}

extension [Source] {
  /// Returns whether another source has the same name and the same column.
  fileprivate func hasDuplicateColumn(of source: Source, _ leaf: Source, _ column: NameKey) -> Bool
  {
    guard let name = leaf.name, source.members.isEmpty || source.name == nil,
      !source.joined.contains(column)
    else { return false }
    // Sources in parentheses without an alias keep their own names.
    let all = flatMap { $0.members.isEmpty ? [$0] : $0.name == nil ? $0.leaves : [] }
    return all.count > 1
      && all.contains {
        $0.id != leaf.id && $0.name == name && $0.database == leaf.database
          && !$0.joined.contains(column) && !leaf.joined.contains(column)
          && $0.columns.contains { $0.key == column }
      }
  }

  /// Returns whether a source after `source` joins this column by `USING`, and a right or full join
  /// follows.
  fileprivate func isMerged(_ name: NameKey, after source: Source) -> Bool {
    guard let index = firstIndex(where: { $0.id == source.id }) else { return false }
    let later = dropFirst(index + 1)
    return later.contains(where: \.preservesOwnRows) && later.contains { $0.joined.contains(name) }
  }
}

extension SelectColumn {
  init(_ value: TypedExpression, name: String, innerName: String, nullability: Nullability) {
    self.init(
      name: name, innerName: innerName, type: value.type, affinity: value.affinity,
      isNullable: nullability.isNullable(value), collation: value.collation?.name ?? "BINARY",
      origin: nil, expression: value, exponentBound: value.exponentBound)
    switch value.kind {
    case .column(let column): origin = column.origin
    case .subquery(_, _, let inner): origin = inner
    default: break
    }
    innerOrigin = origin
    provenance = value.provenance
  }

  /// Creates a result column, named according to SQLite's rules.
  init(_ item: ResultItem, nullability: Nullability, source: SourceText) {
    var name = item.alias?.text ?? item.starName
    var innerName = name
    if name == nil {
      if case .column(let column) = item.expression.kind {
        name = column.name
      } else if case .merged = item.expression.kind, let hint = item.expression.nameHint {
        name = hint
      }
      if case .column(let column) = item.expression.stripped.kind {
        innerName = column.name
      }
    }
    let text = name ?? source.columnText(item.span)
    self.init(
      item.expression, name: text, innerName: innerName ?? name ?? text, nullability: nullability)
    hasAlias = item.alias != nil
    star = item.star
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
