@_exported public import protocol SQLiteCore.DataError
@_exported public import enum SQLiteCore.DataErrorKind
@_exported public import struct SQLiteCore.DataErrorPlace

extension ProviderError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .malformed, .truncated, .invalidEncoding, .conflictingCopies: .invalidInput
    case .limitExceeded: .limitExceeded
    case .forbidden, .accessDenied: .denied
    case .unrepresentable, .cyclicReference: .typeMismatch
    case .notFound: .notFound
    case .fileSystem, .transferMismatch: .storageFailed
    case .notOpen: .unavailable
    case .readOnly: .readOnly
    case .unknownTable, .invalidName, .transactionOpen, .noTransaction, .wrongKeyType, .missingKey:
      .invalidRequest
    case .fileChanged: .conflict
    case .fileExists, .tableExists: .alreadyExists
    case .busy: .busy
    case .schemaMismatch: .schemaMismatch
    case .lossyChange: .wouldLoseData
    case .danglingReference: .foreignKeyViolation
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(
      file: file,
      position: position.map {
        DataErrorPlace.Position(byteOffset: $0.byteOffset, line: $0.line, column: $0.column)
      },
      table: table, columns: column.map { [$0] } ?? [])
  }
}
