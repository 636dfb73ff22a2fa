public import SQLiteCore

extension RelationError: DataError {
  public var kind: DataErrorKind {
    switch code {
    case .missingRow, .noTarget: .notFound
    case .notLoaded, .noOwner, .invalidKey, .foreignModel, .invalidQuery, .foreignKeysOff:
      .invalidRequest
    case .schemaMismatch: .schemaMismatch
    case .lossyChange: .wouldLoseData
    case .conflict: .conflict
    case .noFolder: .unavailable
    case .readOnlyRelation: .readOnly
    default: .other
    }
  }

  public var place: DataErrorPlace {
    DataErrorPlace(table: table, columns: column.map { [$0] } ?? [])
  }
}
