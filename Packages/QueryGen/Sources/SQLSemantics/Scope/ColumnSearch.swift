internal import QueryModel
internal import SQLSyntax

/// A search for a column among the sources of one scope.
struct ColumnSearch {
  let wanted: ColumnName
  let scope: ScopeID
  let span: ByteSpan
  /// The number of sources with the column, excluding columns that `USING` joins to another.
  private(set) var count = 0
  /// The last match.
  private var match: TypedExpression?
  /// The matches that `FULL JOIN` merges with the last one.
  private var mergedMatches: [TypedExpression] = []

  init(wanted: ColumnName, scope: ScopeID, span: ByteSpan) {
    self.wanted = wanted
    self.scope = scope
    self.span = span
  }

  /// The column that was found; `nil` if there is none or if the name is ambiguous.
  var result: TypedExpression? {
    guard count > 1 else { return match }
    guard let match, mergedMatches.count == count - 1 else { return nil }
    return .merged(mergedMatches + [match], span)
  }

  /// Searches the sources from left to right.
  ///
  /// A column of a join in parentheses has the qualifier of its own source. If no column matches,
  /// a qualifier can also be the alias of the parentheses.
  mutating func visit(_ sources: [Source]) {
    for source in sources {
      if source.isGroup {
        let isFound = visitColumns(of: source)
        if isFound || wanted.table == nil { continue }
      }
      guard matchesQualifier(source), let index = source.index(of: wanted.column) else { continue }
      add(source.expression(index, in: scope, span), joining: source)
    }
  }

  private mutating func visitColumns(of group: Source) -> Bool {
    var isFound = false
    for (index, column) in group.groupColumns.enumerated() where column.matches(wanted) {
      guard add(group.expression(index, in: scope, span), joining: group) else { continue }
      isFound = true
      if column.isMerged { break }
    }
    return isFound
  }

  /// Counts a match unless `USING` joins the column to an earlier match.
  @discardableResult
  private mutating func add(_ found: TypedExpression, joining source: Source) -> Bool {
    if count > 0 {
      if !source.joins(wanted.column) {
        mergedMatches = []
      } else if !source.preservesOwnRows {
        // In an inner or left join, the column on the left has the value.
        return false
      } else if !source.preservesLeftRows {
        // In a right join, the column on the right has the value.
        count = 0
        mergedMatches = []
      } else if let match {
        mergedMatches.append(match)
      }
    }
    count += 1
    match = found
    return true
  }

  mutating func visitPseudo(_ source: Source) {
    if let index = source.index(of: wanted.column) {
      add(source.expression(index, in: scope, span), joining: source)
    } else if wanted.column.isRowID, source.hasRowID {
      add(source.expression(source.rowIDAlias ?? -1, in: scope, span), joining: source)
    }
  }

  /// Searches for the rowid, which is only visible if exactly one table has one.
  mutating func visitRowIDs(_ scope: Scope, _ seenCount: inout Int) {
    guard wanted.column.isRowID else { return }
    let tables = scope.sources.filter {
      !$0.isGroup && matchesQualifier($0) && ($0.hasRowID || $0.hasNullRowID)
    }
    seenCount += tables.count
    guard seenCount == 1, let table = tables.first, table.hasRowID else { return }
    add(table.expression(table.rowIDAlias ?? -1, in: self.scope, span), joining: table)
  }

  private func matchesQualifier(_ source: Source) -> Bool {
    guard let table = wanted.table else { return true }
    if let schema = wanted.schema, source.schema != schema { return false }
    // The schema table can only be qualified by its old name, `sqlite_master`.
    return source.name == table
  }
}

extension Source {
  /// The schema with which SQLite qualifies the source's columns.
  var schema: NameKey { database ?? "*" }
}

extension TypedExpression {
  /// Creates the first value that is not `NULL`, as `coalesce()` does.
  static func merged(_ parts: [TypedExpression], _ span: ByteSpan) -> TypedExpression {
    var result = TypedExpression(
      kind: .merged(parts, name: nil), type: parts.reduce(nil) { union($0, $1.type) }, span: span)
    result.affinity = parts.first?.affinity
    for part in parts { result.absorb(part) }
    return result
  }
}
