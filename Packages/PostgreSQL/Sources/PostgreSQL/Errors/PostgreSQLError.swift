@_exported public import protocol Primitives.DataError
@_exported public import enum Primitives.DataErrorKind
@_exported public import struct Primitives.DataErrorPlace

/// An error of PostgreSQL or of its connection, or a use of it that this package rejects.
///
/// Branch on ``code``, and show ``message`` to a person. An error contains values only if
/// ``PostgreSQLConfiguration/showsValuesInErrors`` is set: otherwise, messages that PostgreSQL composes from
/// data are replaced, and its details are omitted.
///
/// ```swift
/// do {
///   try await database.run("INSERT INTO player (name) VALUES ($1)", "Ada")
/// } catch let error as PostgreSQLError where error.code == .uniqueViolation {
///   print(error.table ?? "", error.constraint ?? "")  // player player_name_key
/// }
/// ```
public struct PostgreSQLError: Error, Hashable, Sendable {
  /// The properties, stored in one object, so that an error is one word: functions then return a thrown
  /// error in a register instead of through memory.
  private let storage: Storage

  private final class Storage: Sendable {
    let fields: Fields
    let underlying: (any Error)?

    init(_ fields: Fields, _ underlying: (any Error)?) {
      self.fields = fields
      self.underlying = underlying
    }
  }

  struct Fields: Hashable, Sendable {
    var code: Code
    var message: String
    var sql: String?
    /// The position that the server reports, in characters from 1.
    var position: Int?
    var schema: String?
    var table: String?
    var column: String?
    var constraint: String?
    var detail: String?
    var hint: String?
    var row: Int?
  }

  init(_ fields: Fields, underlying: (any Error)? = nil) { storage = Storage(fields, underlying) }

  /// Creates an error, for use in types that read and bind values.
  public init(code: Code, message: String, sql: String? = nil, underlying: (any Error)? = nil) {
    self.init(Fields(code: code, message: message, sql: sql), underlying: underlying)
  }

  var fields: Fields { storage.fields }

  /// The kind of the error: an SQLSTATE, or a code of this package.
  public var code: Code { storage.fields.code }
  /// The server's message, without values, or this package's message.
  public var message: String { storage.fields.message }
  /// The text of the failed statement, if a statement failed.
  public var sql: String? { storage.fields.sql }
  /// The schema of ``table``.
  public var schema: String? { storage.fields.schema }
  /// The table that the error refers to, if the server reports one.
  public var table: String? { storage.fields.table }
  /// The column that the error refers to: of ``table``, or of the result if a value can't be read.
  public var column: String? { storage.fields.column }
  /// The name of the violated constraint.
  public var constraint: String? { storage.fields.constraint }
  /// The server's detail, which contains values: `nil` unless the configuration shows values.
  public var detail: String? { storage.fields.detail }
  /// The server's hint.
  public var hint: String? { storage.fields.hint }
  /// The position of the row that could not be read in the result, counting from 1.
  public var row: Int? { storage.fields.row }
  /// The error that caused this one, if any.
  public var underlying: (any Error)? { storage.underlying }

  /// The server's error code of five characters, or `nil` if the error is this package's own.
  public var sqlstate: String? { code.isSQLState ? code.rawValue : nil }

  public static func == (a: PostgreSQLError, b: PostgreSQLError) -> Bool {
    a.storage === b.storage || a.storage.fields == b.storage.fields
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.fields) }

  /// Returns the error with other fields.
  func changed(_ change: (inout Fields) -> Void) -> PostgreSQLError {
    var fields = storage.fields
    change(&fields)
    return PostgreSQLError(fields, underlying: underlying)
  }

  /// Returns the error with a statement's text, unless it already has one.
  func inStatement(_ sql: String?) -> PostgreSQLError {
    storage.fields.sql == nil && sql != nil ? changed { $0.sql = sql } : self
  }
}

extension PostgreSQLError: CustomStringConvertible {
  public var description: String {
    var text = "\(code): \(message)"
    if let detail { text += " (\(detail))" }
    if let column {
      text += " (column \(column)"
      if let table { text += " of table \(table)" }
      if let row { text += ", row \(row)" }
      text += ")"
    }
    if let sql {
      text += ", while running: \(sql)"
      if let position = place.position, let line = position.line, let column = position.column {
        text += " (line \(line), column \(column))"
      }
    }
    return text
  }
}

extension PostgreSQLError: DataError {
  public var kind: DataErrorKind { code.kind }

  /// The SQL with the position of the error, and the table and column, if the server reports them.
  public var place: DataErrorPlace {
    var place = DataErrorPlace(sql: sql, table: table, columns: column.map { [$0] } ?? [])
    if let sql, let position = storage.fields.position, position > 0 {
      place.position = Self.position(ofCharacter: position - 1, in: sql)
    }
    return place
  }

  /// Returns the position of a Unicode scalar, which PostgreSQL calls a character.
  private static func position(ofCharacter offset: Int, in sql: String) -> DataErrorPlace.Position {
    var (bytes, line, column) = (0, 1, 1)
    for scalar in sql.unicodeScalars.prefix(offset) {
      bytes += UTF8.width(scalar)
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
    return DataErrorPlace.Position(byteOffset: bytes, line: line, column: column)
  }
}
