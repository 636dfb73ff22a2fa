internal import QueryModel

/// The conditions that every row of a table meets which a select depends on: what its `WHERE` says of
/// that table alone.
///
/// A row that does not meet them is in no row of the result, whatever it is joined with, as long as
/// no outer join can do without the table.
struct RowConditions: Sendable {
  private(set) var tables: [AccessLog.TableKey: RowCondition] = [:]

  /// A table in a `FROM` clause, and those of its columns that can be compared.
  fileprivate struct Target {
    let source: SourceID
    let columns: Set<Int>
  }

  init(_ condition: TypedExpression, of sources: [Source]) {
    for source in sources.flatMap(\.leaves) where !source.isOptional {
      guard let table = source.table, case .table = table.kind else { continue }
      // What is generated is computed when it is read, and no row that changes has it.
      let stored = Set(table.columns.indices.filter { !table.columns[$0].isGenerated })
      let target = Target(source: source.id, columns: stored)
      let parts = condition.conjuncts.compactMap { RowCondition($0, on: target) }
      guard !parts.isEmpty else { continue }
      tables[AccessLog.TableKey(database: table.database, name: table.name)] =
        parts.count == 1 ? parts[0] : .all(parts)
    }
  }
}

extension RowCondition {
  /// Reads what can be told without SQLite; `nil` for anything else.
  fileprivate init?(_ expression: TypedExpression, on target: RowConditions.Target) {
    func column(_ expression: TypedExpression) -> String? {
      guard case .column(let column) = expression.kind, column.source == target.source,
        target.columns.contains(column.column)
      else { return nil }
      return column.name
    }
    switch expression.kind {
    case .comparison(let op, let left, let right):
      guard let comparison = Comparison(rawValue: op) else { return nil }
      if let column = column(left), let value = Value(right) {
        self = .comparison(column: column, comparison, value)
      } else if let column = column(right), let value = Value(left) {
        self = .comparison(column: column, comparison.mirrored, value)
      } else {
        return nil
      }
    case .between(let value, let low, let high, negated: false):
      guard let column = column(value), let low = Value(low), let high = Value(high) else {
        return nil
      }
      self = .all([
        .comparison(column: column, .greaterOrEqual, low),
        .comparison(column: column, .lessOrEqual, high),
      ])
    case .inList(let value, let list, negated: false):
      let values = list.compactMap(Value.init)
      guard let column = column(value), !list.isEmpty, values.count == list.count else {
        return nil
      }
      self = .isIn(column: column, values)
    case .inParameter(let value, let number, negated: false):
      guard let column = column(value) else { return nil }
      self = .isInList(column: column, parameter: number)
    case .isNull(let value, let isNegated):
      guard let column = column(value) else { return nil }
      self = isNegated ? .isNotNull(column: column) : .isNull(column: column)
    case .identity(let value, let other, let isNegated):
      guard let column = column(value), case .null = other.kind else { return nil }
      self = isNegated ? .isNotNull(column: column) : .isNull(column: column)
    case .and(let left, let right):
      // Either alone holds too.
      let parts = [left, right].compactMap { RowCondition($0, on: target) }
      guard let first = parts.first else { return nil }
      self = parts.count == 1 ? first : .all(parts)
    case .or(let left, let right):
      guard let left = RowCondition(left, on: target), let right = RowCondition(right, on: target)
      else { return nil }
      self = .any([left, right])
    default: return nil
    }
  }
}

extension RowCondition.Value {
  fileprivate init?(_ expression: TypedExpression) {
    switch expression.kind {
    case .parameter(let number): self = .parameter(number)
    case .literal(.integer(let value)): self = .integer(value)
    case .literal(.real(let value)): self = .real(value)
    case .literal(.text(let value)): self = .text(value)
    case .literal(.blob(let value)): self = .blob(value)
    default: return nil
    }
  }
}

extension RowCondition.Comparison {
  /// The same with its sides exchanged.
  fileprivate var mirrored: Self {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}
