internal import QueryModel
internal import SQLSyntax

/// The conditions that a table's rows must satisfy to affect a statement.
///
/// A row that does not satisfy the conditions of the `WHERE` and the joins of a select contributes to
/// no row of the select, whatever else the select or an enclosing one does. This holds for each
/// select of a statement: in subqueries, common tables, views and arms.
extension Resolver {
  /// Records the conditions on the tables of a `FROM` clause, and on the tables whose columns its
  /// subqueries and views return unchanged.
  mutating func recordRowConditions(_ from: ResolvedFrom, where condition: TypedExpression?) {
    for source in from.sources {
      let conditions = from.conditions(on: source) + (condition.map { [$0] } ?? [])
      let conjuncts = conditions.flatMap(\.conjuncts)
      guard !conjuncts.isEmpty else { continue }
      for leaf in source.leaves { recordRowConditions(leaf, conjuncts) }
    }
  }

  private mutating func recordRowConditions(_ source: Source, _ conjuncts: [TypedExpression]) {
    if let table = source.table, case .table = table.kind {
      let target = RowConditionTarget(
        source: source.id, columns: table.storedColumns, isStrict: table.isStrict,
        isOptional: source.isOptional)
      guard let condition = RowCondition(conjuncts, on: target) else { return }
      access.restrict(AccessLog.TableKey(table), in: source.id, to: condition)
    } else {
      for (table, path, columns) in passedColumns(of: source) {
        // The subquery itself may have an outer join.
        let target = RowConditionTarget(
          source: source.id, columns: columns, isStrict: table.isStrict, isOptional: true)
        guard let condition = RowCondition(conjuncts, on: target) else { continue }
        access.restrict(through: path, to: condition)
      }
    }
  }

  /// Returns the tables whose columns a subquery, view or common table returns unchanged, with the
  /// names of these columns by their indexes in the source.
  private func passedColumns(
    of source: Source
  ) -> [(table: Table, path: ScanPath, columns: [Int: String])] {
    var columns: [ScanPath: (table: AccessLog.TableKey, names: [Int: String])] = [:]
    for (index, column) in source.columns.enumerated() {
      guard let origin = column.origin, let path = column.path else { continue }
      let table = AccessLog.TableKey(database: origin.database, name: origin.table)
      columns[path, default: (table, [:])].names[index] = origin.column
    }
    return columns.compactMap { path, found in
      guard let table = catalog.storedTable(NameKey(found.table.name), in: found.table.database),
        case .table = table.kind
      else { return nil }
      let stored = Set(table.storedColumns.values)
      return (table, path, found.names.filter { stored.contains($0.value) })
    }
  }
}

extension Table {
  /// The names of the columns that are stored, by index. Generated columns are computed when they
  /// are read, and are missing from changed rows.
  fileprivate var storedColumns: [Int: String] {
    var names: [Int: String] = [:]
    for (index, column) in columns.enumerated() where !column.isGenerated {
      names[index] = column.name
    }
    return names
  }
}

/// A table in a `FROM` clause, and its comparable columns.
private struct RowConditionTarget {
  let source: SourceID
  /// The names of the table's columns by the index in the source.
  let columns: [Int: String]
  let isStrict: Bool
  /// Indicates whether an outer join may find no row of the table. A condition on it then must not be
  /// true for NULLs: the absence of a row would satisfy it.
  let isOptional: Bool

  func column(_ expression: TypedExpression) -> String? {
    guard case .column(let column) = expression.kind, column.source == source else { return nil }
    return columns[column.column]
  }
}

extension RowCondition {
  /// Creates the condition that all of a `WHERE` clause's terms imply; `nil` if they imply none.
  fileprivate init?(_ conjuncts: [TypedExpression], on target: RowConditionTarget) {
    let parts = conjuncts.compactMap { part in
      RowCondition(part, on: target).map {
        part.condition.isEmpty ? $0 : .ifPresent(part.condition, $0)
      }
    }
    self.init(allOf: parts)
  }

  /// Creates a condition that can be evaluated without SQLite; `nil` for any other expression.
  private init?(_ expression: TypedExpression, on target: RowConditionTarget) {
    switch expression.kind {
    case .comparison(let op, let left, let right):
      guard let comparison = Comparison(rawValue: op) else { return nil }
      if let column = target.column(left), let value = Value(right) {
        self = .comparison(column: column, comparison, value)
      } else if let column = target.column(right), let value = Value(left) {
        self = .comparison(column: column, comparison.mirrored, value)
      } else {
        return nil
      }
    case .between(let value, let low, let high, negated: false):
      guard let column = target.column(value), let low = Value(low), let high = Value(high) else {
        return nil
      }
      self = .all([
        .comparison(column: column, .greaterOrEqual, low),
        .comparison(column: column, .lessOrEqual, high),
      ])
    case .inList(let value, let list, negated: false):
      let values = list.compactMap(Value.init)
      guard let column = target.column(value), !list.isEmpty, values.count == list.count else {
        return nil
      }
      self = .isIn(column: column, values)
    case .inParameter(let value, let number, negated: false):
      guard let column = target.column(value) else { return nil }
      self = .isInList(column: column, parameter: number)
    case .isNull(let value, let isNegated):
      guard let column = target.column(value), isNegated || !target.isOptional else { return nil }
      self = isNegated ? .isNotNull(column: column) : .isNull(column: column)
    case .identity(let value, let other, let isNegated):
      guard let column = target.column(value), case .null = other.kind,
        isNegated || !target.isOptional
      else { return nil }
      self = isNegated ? .isNotNull(column: column) : .isNull(column: column)
    case .function(let function, let arguments) where arguments.count == 2:
      guard case .literal(.text(let pattern)) = arguments[0].kind,
        let column = target.column(arguments[1]),
        let condition = RowCondition(
          pattern, of: function, matching: arguments[1], named: column, on: target)
      else { return nil }
      self = condition
    case .and:
      // Each side is also a necessary condition by itself.
      self.init(allOf: expression.chain.compactMap { RowCondition($0, on: target) })
    case .or:
      let sides = expression.chain
      let parts = sides.compactMap { RowCondition($0, on: target) }
      guard parts.count == sides.count else { return nil }
      self = .any(parts)
    default: return nil
    }
  }

  private init?(allOf parts: [RowCondition]) {
    guard let first = parts.first else { return nil }
    self = parts.count == 1 ? first : .all(parts)
  }

  /// Creates the range of the texts that begin with the fixed part of a pattern, in any letter case.
  private init?(
    _ pattern: String, of function: FunctionSignature, matching operand: TypedExpression,
    named column: String, on target: RowConditionTarget
  ) {
    let wildcards: Set<Character>
    switch function.name {
    case "like": wildcards = ["%", "_"]
    case "glob": wildcards = ["*", "?", "["]
    default: return nil
    }
    // Any other affinity stores numbers, and any other collation has another order.
    guard function.declaration == nil, operand.affinity == .text,
      case .column(let found) = operand.kind,
      [NameKey("BINARY"), NameKey("NOCASE")].contains(NameKey(found.collation))
    else { return nil }
    let prefix = pattern.prefix { !wildcards.contains($0) }
    guard !prefix.isEmpty, !prefix.utf8.contains(0), let end = prefix.end else { return nil }
    // Upper-case letters come first in both collations.
    let range = RowCondition.all([
      .comparison(column: column, .greaterOrEqual, .text(prefix.asciiUppercased)),
      .comparison(column: column, .less, .text(end)),
    ])
    // A pattern also matches the bytes of a blob.
    self =
      target.isStrict
      ? range : .any([range, .comparison(column: column, .greaterOrEqual, .blob([]))])
  }

  /// The condition without the parts that depend on the presence of an argument; `nil` if there are
  /// no others.
  fileprivate var unconditional: RowCondition? {
    switch self {
    case .ifPresent: nil
    case .all(let parts): RowCondition(allOf: parts.compactMap(\.unconditional))
    default: self
    }
  }

  /// The parts of which all must hold.
  private var conjuncts: [RowCondition] { if case .all(let parts) = self { parts } else { [self] } }

  /// Returns a condition that holds if both conditions do.
  static func && (a: RowCondition, b: RowCondition) -> RowCondition {
    let more = b.conjuncts.filter { !a.conjuncts.contains($0) }
    return more.isEmpty ? a : .all(a.conjuncts + more)
  }

  /// Returns a condition that holds if any of the conditions does; `nil` if there is none for one of
  /// them.
  static func any(of conditions: [RowCondition?]) -> RowCondition? {
    guard conditions.count > 1 else { return conditions.first ?? nil }
    var parts: [RowCondition] = []
    for condition in conditions {
      guard let part = condition?.unconditional else { return nil }
      if !parts.contains(part) { parts.append(part) }
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }
}

extension Substring {
  fileprivate var asciiUppercased: String {
    String(decoding: utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }

  /// The first text after all texts that begin with this one, in any letter case; `nil` if there is
  /// none.
  fileprivate var end: String? {
    var scalars = String.UnicodeScalarView(
      unicodeScalars.map {
        (65...90).contains($0.value) ? Unicode.Scalar(UInt8($0.value) + 32) : $0
      })
    guard let last = scalars.popLast() else { return nil }
    let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
    guard let scalar = Unicode.Scalar(next) else { return nil }
    scalars.append(scalar)
    return String(scalars)
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
  /// The comparison with its sides exchanged.
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
