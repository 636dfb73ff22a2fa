@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

extension SQLiteError: DataError {
  public var kind: DataErrorKind { code.kind }

  /// The SQL, and the table and the columns: of the constraint that is not satisfied, where SQLite names
  /// them, or of the column that can't be read.
  public var place: DataErrorPlace {
    var place = DataErrorPlace(sql: sql)
    if let offset { place.position = DataErrorPlace.Position(byteOffset: offset.rawValue) }
    if let column {
      place.table = column.table
      place.columns = [column.origin ?? column.name]
    } else if let violated = constraintColumns {
      place.table = violated.table
      place.columns = violated.columns
    }
    return place
  }

  /// What SQLite names behind `… constraint failed: `, as `player.team, player.number`.
  ///
  /// Names are not quoted there. `nil` where they have dots or commas, or an index is named in their place.
  private var constraintColumns: (table: String, columns: [String])? {
    switch code {
    case .constraintUnique, .constraintPrimaryKey, .constraintRowID, .constraintNotNull: break
    default: return nil
    }
    let words = "constraint failed: ".utf8
    let bytes = Array(message.utf8)
    guard let start = bytes.indices.last(where: { bytes[$0...].starts(with: words) }) else {
      return nil
    }
    let list = String(decoding: bytes[(start + words.count)...], as: UTF8.self)
    var table: String?
    var columns: [String] = []
    for name in list.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = name.drop { $0 == " " }.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, table == nil || table == String(parts[0]) else { return nil }
      table = String(parts[0])
      columns.append(String(parts[1]))
    }
    return table.map { ($0, columns) }
  }
}

extension SQLiteError.Code {
  /// The kind of the extended code if it has one of its own, otherwise the kind of the primary code.
  var kind: DataErrorKind { Self.kinds[self] ?? Self.kinds[primary] ?? .other }

  private static let kinds: [Self: DataErrorKind] = [
    .error: .invalidRequest, .permission: .denied, .abort: .cancelled, .busy: .busy,
    .locked: .busy, .outOfMemory: .limitExceeded, .readOnly: .readOnly, .interrupt: .cancelled,
    .ioError: .storageFailed, .corrupt: .corrupt, .notFound: .notFound, .full: .storageFull,
    .cannotOpen: .unavailable, .schema: .schemaMismatch, .tooBig: .limitExceeded,
    .constraint: .constraintViolation, .mismatch: .typeMismatch, .misuse: .invalidRequest,
    .authorization: .denied, .range: .invalidRequest, .notADatabase: .corrupt,
    // Extended codes that differ from their primary one.
    .constraintCheck: .checkViolation, .constraintForeignKey: .foreignKeyViolation,
    .constraintNotNull: .notNullViolation, .constraintPrimaryKey: .uniqueViolation,
    .constraintUnique: .uniqueViolation, .constraintRowID: .uniqueViolation,
    .busySnapshot: .conflict, .closed: .unavailable, .suspended: .unavailable,
    .schemaNameTaken: .alreadyExists, .unsupported: .unsupported, .unknownPragma: .invalidRequest,
    .blobExpired: .conflict, .pageSizeMismatch: .unsupported, .invalidChangeset: .invalidInput,
    .wouldLoseData: .wouldLoseData, .wrongKey: .denied,
  ]
}
