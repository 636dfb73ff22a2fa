@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

/// A failure of the engine, or of a use of it that this package refuses.
///
/// Branch on ``code``, show ``message`` to a person. An error holds no bound value unless
/// ``Configuration/showsValuesInErrors`` asks for them.
public struct SQLiteError: Error, Hashable, Sendable {
  /// The properties, in one object: an error is then one word, which a function that throws it returns
  /// in a register instead of through memory.
  private let storage: Storage

  private final class Storage: Sendable {
    let fields: Fields

    init(_ fields: Fields) { self.fields = fields }
  }

  private struct Fields: Hashable, Sendable {
    let code: Code
    let message: String
    let sql: String?
    let offset: ByteOffset?
    let expandedSQL: String?
    let column: ColumnName?
  }

  /// What failed, as the engine classifies it.
  public var code: Code { storage.fields.code }
  /// The engine's message, copied at the moment of failure.
  public var message: String { storage.fields.message }
  /// The statement that failed, as it was given; `nil` if no statement did.
  public var sql: String? { storage.fields.sql }
  /// The position of the fault in ``sql``, in bytes of UTF-8 from its start, if SQLite reports one. If it does not and ``sql``
  /// holds several statements, the position of the one that failed.
  public var offset: ByteOffset? { storage.fields.offset }
  /// The statement with its values written in, if the configuration shows values.
  public var expandedSQL: String? { storage.fields.expandedSQL }
  /// The result column that could not be read; `nil` if the error is of another kind.
  public var column: ColumnName? { storage.fields.column }

  /// An error of your own: for a function, an observer's veto, or a type that reads columns.
  public init(
    code: Code, message: String, sql: String? = nil, offset: ByteOffset? = nil,
    expandedSQL: String? = nil, column: ColumnName? = nil
  ) {
    storage = Storage(
      Fields(
        code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
        column: column))
  }

  public static func == (a: SQLiteError, b: SQLiteError) -> Bool {
    a.storage === b.storage || a.storage.fields == b.storage.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }

  /// A column of a result: its name there, and the table column that it shows.
  public struct ColumnName: Hashable, Sendable {
    /// Its name in the result.
    public let name: String
    /// The table that the value comes from; `nil` where an expression makes it.
    public let table: String?
    /// The column of ``table``, which an alias may hide.
    public let origin: String?

    public init(name: String, table: String?, origin: String?) {
      self.name = name
      self.table = table
      self.origin = origin
    }
  }
}

extension SQLiteError {
  /// A distance in bytes of UTF-8 from the start of a text.
  public struct ByteOffset: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static func < (a: ByteOffset, b: ByteOffset) -> Bool { a.rawValue < b.rawValue }
  }
}

extension SQLiteError: CustomStringConvertible {
  public var description: String {
    var text = "\(code): \(message)"
    if let column {
      text += " (column \(column.name)"
      if let table = column.table { text += " of table \(table)" }
      text += ")"
    }
    if let sql = expandedSQL ?? sql {
      text += ", while running: \(sql)"
      if let offset, expandedSQL == nil { text += " (at byte \(offset.rawValue))" }
    }
    return text
  }
}

extension SQLiteError {
  /// The same error, its message preceded by what was being done.
  ///
  /// ```swift
  /// throw error.during("reading \(path)")  // error: reading towns.json: too many columns on towns
  /// ```
  public func during(_ deed: String) -> SQLiteError { replacingMessage("\(deed): \(message)") }

  static func parameterCountMessage(expected: Int, given: Int) -> String {
    "the statement takes \(expected) values, and \(given) were given"
  }

  /// The same error, with the statement that it is about if it names none.
  @usableFromInline
  func inStatement(_ sql: String) -> SQLiteError {
    if self.sql != nil { return self }
    return SQLiteError(
      code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
      column: column)
  }

  func replacingMessage(_ message: String) -> SQLiteError {
    SQLiteError(
      code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
      column: column)
  }
}

extension SQLiteError {
  /// The error that ends a fetch in place of an error that a type's own initializer throws.
  @usableFromInline
  static var rowNotDecoded: SQLiteError {
    SQLiteError(code: .internalError, message: "a row was not decoded")
  }
}

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
