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
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(table: table, columns: column.map { [$0] } ?? [])
  }
}

extension RecordedError: DataError {
  /// The kind of the error that was recorded is not known.
  public var kind: DataErrorKind { .other }
  public var message: String { description }
}
