internal import SQLSyntax

/// Inserts that violate a `NOT NULL` constraint regardless of their values.
extension Resolver {
  /// Reports an insert without a value for a column that is `NOT NULL` and has no default.
  ///
  /// An upsert doesn't prevent the failure, because it only handles uniqueness constraints. Only a
  /// trigger that runs before the insert can skip the row.
  mutating func checkMissingValues(_ insert: Insert, _ table: Table) {
    guard catalog.reportsRuntimeErrors, case .table = table.kind, !table.ignoresConflicts,
      !catalog.skipsInserts(into: table)
    else { return }
    if insert.setsAllColumns { return }
    let given = Set(insert.columns.map { NameKey($0.text) })
    let missing = table.columns.enumerated().filter { index, column in
      column.isNotNull && !column.hasDefault && !column.isGenerated && index != table.rowIDAlias
        && !given.contains(column.key)
    }.map { "`\($0.element.name)`" }
    guard !missing.isEmpty else { return }
    let span = insert.columns.first.map { first in
      first.span.union(insert.columns.last?.span ?? first.span)
    }
    let place = span ?? insert.table.name.span
    let columns = missing.joined(separator: ", ")
    let reason =
      missing.count == 1
      ? "\(columns) of `\(table.name)` is missing, which is NOT NULL and has no default"
      : "\(columns) of `\(table.name)` are missing, which are NOT NULL and have no default"
    if insert.conflict == .ignore {
      warn(.missingValue, at: place, "this INSERT skips every row: \(reason)")
    } else if isInTrigger || !insert.hasOneOrMoreRows {
      warn(.missingValue, at: place, "this INSERT fails for every row: \(reason)")
    } else {
      report(.missingValue, at: place, "this INSERT always fails: \(reason)")
    }
  }
}

extension Insert {
  /// Indicates whether the statement has a value for every column that can be inserted.
  var setsAllColumns: Bool { source != .defaultValues && columns.isEmpty }

  /// Indicates whether the statement inserts at least one row in any database, except for an empty
  /// list of rows.
  fileprivate var hasOneOrMoreRows: Bool {
    switch source {
    case .defaultValues, .rows: true
    case .select(let select):
      if case .values = select.first { select.rest.isEmpty } else { false }
    }
  }
}

extension Catalog {
  /// Returns whether a trigger may skip an inserted row with `RAISE(IGNORE)` before its constraints
  /// are checked.
  fileprivate func skipsInserts(into table: Table) -> Bool {
    triggers(of: table).contains { trigger in
      let node = trigger.definition.node
      guard case .insert = node.event, node.timing != .after else { return false }
      let text = SourceText(trigger.definition.source[node.span])
      let kinds = Lexer.tokenize(text).tokens.map(\.kind)
      return kinds.indices.contains { index in
        kinds[index...].starts(with: [.raise, .leftParenthesis, .ignore])
      }
    }
  }
}
