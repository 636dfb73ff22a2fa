internal import QueryModel
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

/// Values that may violate a `NOT NULL` constraint.
extension Resolver {
  /// Returns the columns in which an inserted `NULL` fails the statement.
  func requiredColumns(of table: Table, _ insert: Insert) -> Set<NameKey> {
    guard !insert.isReplace, !catalog.skipsInserts(into: table) else { return [] }
    return requiredColumns(of: table, insert.conflict)
  }

  /// Returns the columns in which a `NULL` fails the statement. `OR IGNORE` skips the row, and `OR
  /// REPLACE` stores the default. The rows that a trigger writes may depend on its condition.
  func requiredColumns(of table: Table, _ conflict: ConflictResolution?) -> Set<NameKey> {
    guard catalog.reportsRuntimeErrors, !isInTrigger, case .table = table.kind,
      !table.ignoresConflicts, conflict != .ignore, conflict != .replace
    else { return [] }
    return Set(
      table.columns.enumerated().filter { index, column in
        column.isNotNull && !column.isGenerated && index != table.rowIDAlias
      }.map(\.element.key))
  }

  /// Warns about assigned values that may be `NULL`, and about their arguments.
  mutating func checkAssignments(
    _ assignments: [Assignment], _ written: [NameKey: SelectColumn], required: Set<NameKey>,
    _ nullability: Nullability
  ) {
    for name in assignments.flatMap(\.columns) {
      guard let value = written[NameKey(name.text)]?.expression else { continue }
      checkNullValue(value, inColumn: name.text, required: required, nullability)
      checkNullArguments([value], nullability)
    }
  }

  /// Warns about a value that may be `NULL` in a row for which a `NULL` fails the statement.
  mutating func checkNullValue(
    _ value: TypedExpression, inColumn name: String, required: Set<NameKey>,
    _ nullability: Nullability
  ) {
    guard required.contains(NameKey(name)) else { return }
    if let number = value.parameter {
      parameters.require(number, inColumn: name, at: value.span)
    } else if nullability.hasMissingValue(value) {
      warn(
        .nullArgument, at: value.span,
        "`\(name)` is declared NOT NULL, but this may be NULL, which fails the statement")
    }
  }

  /// Warns about parameters that are stored in a column that is `NOT NULL`, but may be `NULL` because
  /// of another use.
  mutating func checkNullParameters() {
    for (_, entry) in parameters.entries.sorted(by: { $0.key < $1.key }) {
      guard let column = entry.requiredColumn, entry.isNullable else { continue }
      warn(
        .nullArgument, at: column.span,
        "`\(column.name)` is declared NOT NULL, but \(source[column.span]) may be NULL because of its "
          + "other use, which fails the statement; use a second parameter")
    }
  }
}

extension Nullability {
  /// Returns whether an expression is `NULL` if a column has no value, a group has no rows or no branch
  /// of a `CASE` applies. Values that can't be computed, such as a division by zero, don't count, nor
  /// do subqueries and parameters.
  fileprivate func hasMissingValue(_ expression: TypedExpression) -> Bool {
    var open = [expression]
    while let next = open.popLast() {
      guard isNullable(next) else { continue }
      switch next.kind {
      case .null, .column, .merged: return true
      case .cases(_, _, let otherwise):
        guard let otherwise else { return true }
        open.append(otherwise)
      case .aggregate(let function, let arguments, _, _):
        switch function.null {
        case .group, .textOfGroup, .sumOfGroup: if !isGrouped { return true }
        default: break
        }
        open += arguments
      case .function(let function, let arguments):
        switch function.null {
        case .anyArgument: open += arguments
        case .allArguments: if arguments.allSatisfy(hasMissingValue) { return true }
        case .firstArgument: open += arguments.prefix(1)
        default: break
        }
      case .negation, .not, .cast, .collate, .arithmetic, .division, .comparison, .and, .or:
        open += next.parts
      default: break
      }
    }
    return false
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
