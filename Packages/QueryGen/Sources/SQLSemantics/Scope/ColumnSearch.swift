internal import QueryModel
internal import SQLSyntax

/// A search for a column among the sources of one scope.
struct ColumnSearch {
  let wanted: ColumnName
  let scope: ScopeID
  let span: ByteSpan
  /// The number of sources with the column, excluding columns that `USING` joins to another.
  private(set) var count = 0
  private(set) var match: TypedExpression?
  /// The first match.
  private var first: TypedExpression?
  /// The columns that a `FULL JOIN` merges.
  private(set) var mergedParts: [TypedExpression] = []

  init(wanted: ColumnName, scope: ScopeID, span: ByteSpan) {
    self.wanted = wanted
    self.scope = scope
    self.span = span
  }

  mutating func visit(_ sources: [Source]) {
    for source in sources {
      if source.members.isEmpty {
        guard matchesQualifier(source), let index = index(in: source) else { continue }
        add(expression(source, index), joining: source)
      } else {
        visitGroup(source)
      }
    }
  }

  /// Searches sources in parentheses. Their columns can be qualified by their own names or by the
  /// group's alias.
  private mutating func visitGroup(_ group: Source) {
    var inner = ColumnSearch(wanted: wanted, scope: scope, span: span)
    inner.visit(group.members)
    if inner.count == 0, let table = wanted.table, table == group.name, wanted.schema == nil {
      inner = ColumnSearch(wanted: ColumnName(column: wanted.column), scope: scope, span: span)
      inner.visit(group.members)
      if inner.count > 1, inner.mergedParts.count != inner.count, let first = inner.first {
        add(first, joining: group)
        return
      }
    }
    guard inner.count > 0 else { return }
    if inner.count > 1, inner.mergedParts.count != inner.count {
      count += inner.count
      mergedParts = []
      return
    }
    guard let found = inner.match else { return }
    add(found, joining: group)
    if inner.count > 1 { mergedParts = inner.mergedParts; count = inner.count }
  }

  /// Counts a match unless `USING` joins the column to an earlier match.
  private mutating func add(_ found: TypedExpression, joining source: Source) {
    if count > 0 {
      if !source.joined.contains(wanted.column) {
        mergedParts = []
      } else if !source.preservesOwnRows {
        // In an inner or left join, the column on the left has the value.
        return
      } else if !source.preservesLeftRows {
        // In a right join, the column on the right has the value.
        count = 0
        mergedParts = []
      } else {
        if mergedParts.isEmpty, let match { mergedParts = [match] }
        mergedParts.append(found)
      }
    }
    count += 1
    match = found
    if first == nil { first = found }
  }

  mutating func visitPseudo(_ source: Source) {
    if let index = index(in: source) {
      add(expression(source, index), joining: source)
    } else if wanted.column.isRowID, source.hasRowID {
      add(expression(source, source.rowIDAlias ?? -1), joining: source)
    }
  }

  /// Searches for the rowid, which is only visible if exactly one table has one.
  mutating func visitRowIDs(_ scope: Scope, _ seenCount: inout Int) {
    guard wanted.column.isRowID else { return }
    let tables = scope.sources.filter {
      $0.members.isEmpty && matchesQualifier($0) && ($0.hasRowID || $0.hasNullRowID)
    }
    seenCount += tables.count
    guard seenCount == 1, let table = tables.first, table.hasRowID else { return }
    add(expression(table, table.rowIDAlias ?? -1), joining: table)
  }

  private func matchesQualifier(_ source: Source) -> Bool {
    guard let table = wanted.table else { return true }
    if let schema = wanted.schema, source.database != schema { return false }
    // The schema table can only be qualified by its old name, `sqlite_master`.
    return source.name == table
  }

  private func index(in source: Source) -> Int? {
    source.columns.firstIndex { $0.key == wanted.column }
  }

  private func expression(_ source: Source, _ index: Int) -> TypedExpression {
    var result: TypedExpression
    if index >= 0 {
      let column = source.columns[index]
      result = TypedExpression(
        kind: .column(source.resolved(index)), type: column.type, affinity: column.affinity,
        span: span)
    } else {
      result = TypedExpression(
        kind: .column(source.resolved(index)), type: .integer, affinity: .integer, span: span)
    }
    result.scopes = [scope]
    return result
  }
}
