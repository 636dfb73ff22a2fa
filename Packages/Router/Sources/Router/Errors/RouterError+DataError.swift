public import SQLiteCore

extension RouterError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .unknownTable, .unknownSchema, .unknownColumn, .unknownRelation, .ambiguousRelation,
      .emptyFilter, .invalidRoute:
      .invalidRequest
    case .notFound: .notFound
    case .multipleRows: .tooManyRows
    case .tooManyRows: .limitExceeded
    case .unsupported: .unsupported
    case .refused: .denied
    case .readOnly: .readOnly
    case .unanswered: .unavailable
    case .mismatch: .typeMismatch
    case .constraintViolation: constraint?.kind.dataErrorKind ?? .constraintViolation
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(table: table, columns: constraint?.columns ?? column.map { [$0] } ?? [])
  }
}

extension RouterError.Constraint.Kind {
  fileprivate var dataErrorKind: DataErrorKind {
    switch self {
    case .unique, .primaryKey: .uniqueViolation
    case .foreignKey: .foreignKeyViolation
    case .notNull: .notNullViolation
    case .check: .checkViolation
    case .other: .constraintViolation
    }
  }
}
