internal import QueryModel

/// The columns of the schema from which an expression's values are taken unchanged.
///
/// A value that is not computed has the same meaning as its column's values.
enum Provenance: Hashable, Sendable {
  /// Some values are computed or are literals.
  case computed
  /// All values come from these columns. The set is empty for `NULL` and for a parameter, whose
  /// meaning depends on its use.
  case columns(Set<ColumnOrigin>)

  static let empty = Provenance.columns([])

  func union(_ other: Provenance) -> Provenance {
    guard case .columns(let left) = self, case .columns(let right) = other else {
      return .computed
    }
    return .columns(left.union(right))
  }
}

extension TypedExpression {
  /// The origin of the expression's values.
  var provenance: Provenance {
    switch kind {
    case .null, .parameter: return .empty
    case .column(let column): return column.provenance
    case .collate(let inner, _): return inner.provenance
    case .merged(let parts, _): return .union(parts)
    case .subquery: return subqueryProvenance
    case .cases(_, let branches, let otherwise):
      return .union(branches.map(\.then) + (otherwise.map { [$0] } ?? []))
    case .function(let function, let arguments), .aggregate(let function, let arguments, _, _),
      .window(let function, let arguments, _):
      switch function.type {
      case .argument(let index) where arguments.indices.contains(index):
        return arguments[index].provenance
      case .union(let first) where first < arguments.count:
        return .union(Array(arguments[first...]))
      default:
        guard let result = function.declaration?.result.origins.first else { return .computed }
        return .columns([ColumnOrigin(result)])
      }
    default: return .computed
    }
  }
}

extension ColumnOrigin {
  /// Creates the origin of the values that a declared function returns or receives.
  init(_ origin: TableColumn) {
    self.init(database: "main", table: origin.table, column: origin.column)
  }
}

extension Provenance {
  fileprivate static func union(_ parts: [TypedExpression]) -> Provenance {
    parts.reduce(.empty) { $0.union($1.provenance) }
  }
}

extension Provenance {
  /// The columns in the model's form.
  var references: [TableColumn] {
    guard case .columns(let origins) = self else { return [] }
    return origins.map {
      TableColumn(table: $0.database.qualifying($0.table), column: $0.column)
    }.sorted()
  }
}
