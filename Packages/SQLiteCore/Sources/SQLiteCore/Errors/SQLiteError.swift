@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

/// An error of SQLite, or a use of it that this package rejects.
///
/// Branch on ``code``, and show ``message`` to a person. An error contains bound values only if
/// ``Configuration/showsValuesInErrors`` is set.
public struct SQLiteError: Error, Hashable, Sendable {
  /// The properties, stored in one object, so that an error is one word: functions then return a thrown
  /// error in a register instead of through memory.
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
    let row: Int?
  }

  /// The kind of the error, as SQLite classifies it.
  public var code: Code { storage.fields.code }
  /// SQLite's message, copied when the error occurred.
  public var message: String { storage.fields.message }
  /// The text of the failed statement, if a statement failed.
  public var sql: String? { storage.fields.sql }
  /// The position of the error in ``sql``, as a UTF-8 offset, if SQLite reports one. Otherwise, if
  /// the text has several statements, the start of the failed statement.
  public var offset: ByteOffset? { storage.fields.offset }
  /// The statement with its bound values, if the configuration shows values.
  public var expandedSQL: String? { storage.fields.expandedSQL }
  /// The result column that could not be read, if reading a column failed.
  public var column: ColumnName? { storage.fields.column }
  /// The position of the row that could not be read among the rows that the statement returned,
  /// counting from 1; `nil` if it is not a statement's row.
  public var row: Int? { storage.fields.row }

  /// Creates an error, for use in functions, observers and types that read columns.
  public init(
    code: Code, message: String, sql: String? = nil, offset: ByteOffset? = nil,
    expandedSQL: String? = nil, column: ColumnName? = nil, row: Int? = nil
  ) {
    storage = Storage(
      Fields(
        code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
        column: column, row: row))
  }

  public static func == (a: SQLiteError, b: SQLiteError) -> Bool {
    a.storage === b.storage || a.storage.fields == b.storage.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }

  /// A result column: its name, and the table column that it comes from.
  public struct ColumnName: Hashable, Sendable {
    /// The column's name in the result.
    public let name: String
    /// The table that the value comes from; `nil` for an expression.
    public let table: String?
    /// The name of the column in ``table``, which differs from ``name`` if there is an alias.
    public let origin: String?

    public init(name: String, table: String?, origin: String?) {
      self.name = name
      self.table = table
      self.origin = origin
    }
  }
}

extension SQLiteError {
  /// A UTF-8 offset from the start of a text.
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
      if let row { text += ", row \(row)" }
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
  /// Returns the error with a description of the operation prepended to its message.
  ///
  /// ```swift
  /// throw error.addingContext("reading \(path)")  // error: reading towns.json: too many columns on towns
  /// ```
  public func addingContext(_ operation: String) -> SQLiteError {
    replacingMessage("\(operation): \(message)")
  }

  static func parameterCount(expected: Int, given: Int, sql: String? = nil) -> SQLiteError {
    SQLiteError(
      code: .parameterCount,
      message: "the statement has \(expected) parameters, but \(given) values were passed", sql: sql
    )
  }

  static func unknownParameter(
    _ name: String, sql: String? = nil, offset: Int? = nil
  ) -> SQLiteError {
    SQLiteError(
      code: .unknownParameter, message: "the statement has no parameter \(name)", sql: sql,
      offset: offset.map { ByteOffset(rawValue: $0) })
  }

  /// Returns the error with its offset relative to the start of a longer text.
  func shifted(by bytes: Int) -> SQLiteError {
    guard bytes > 0, let offset else { return self }
    return SQLiteError(
      code: code, message: message, sql: sql, offset: ByteOffset(rawValue: offset.rawValue + bytes),
      expandedSQL: expandedSQL, column: column)
  }

  /// Returns the error with a statement's text, unless it already has one.
  @usableFromInline
  func inStatement(_ sql: String) -> SQLiteError {
    if self.sql != nil { return self }
    return SQLiteError(
      code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
      column: column, row: row)
  }

  func replacingMessage(_ message: String) -> SQLiteError {
    SQLiteError(
      code: code, message: message, sql: sql, offset: offset, expandedSQL: expandedSQL,
      column: column, row: row)
  }
}

extension SQLiteError {
  /// The error that ends a fetch when the initializer of the row's type throws another error.
  @usableFromInline
  static var rowNotDecoded: SQLiteError {
    SQLiteError(code: .internalError, message: "a row was not decoded")
  }
}

extension SQLiteError: DataError {
  public var kind: DataErrorKind { code.kind }

  /// The SQL, and the table and columns of the violated constraint, if SQLite reports them, or of
  /// the column that can't be read.
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

  /// The columns that SQLite lists after `… constraint failed: `, such as
  /// `player.team, player.number`.
  ///
  /// The names are not quoted. `nil` if they contain dots or commas, or if SQLite reports an index
  /// instead.
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
  /// The kind of the extended code, if it has one, otherwise the kind of the primary code.
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
    .wouldLoseData: .wouldLoseData, .wrongKey: .denied, .columnCount: .schemaMismatch,
  ]
}
