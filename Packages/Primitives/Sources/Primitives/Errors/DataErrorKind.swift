/// The kind of a ``DataError``, the same for every engine and format.
///
/// Later versions may add kinds: give a `switch` a `default`.
public enum DataErrorKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The row, the value or the file does not exist.
  case notFound
  /// One row was asked for, and there are several.
  case tooManyRows
  /// The table, the file or the name exists already.
  case alreadyExists

  /// Another row has the same values in the columns of a `UNIQUE` constraint or a primary key.
  case uniqueViolation
  /// A row refers to one that does not exist, or is referred to and can't be deleted.
  case foreignKeyViolation
  /// A column that can't be `NULL` was given no value.
  case notNullViolation
  /// A `CHECK` constraint is not satisfied.
  case checkViolation
  /// Another rule of the database is not satisfied: a trigger's, a virtual table's, a strict column's type.
  case constraintViolation

  /// Someone else changed the row or the file in the meantime.
  case conflict
  /// A lock was not obtained in time. The same may succeed later.
  case busy
  /// The database, the file or the access can only be read.
  case readOnly
  /// The operation was cancelled or interrupted.
  case cancelled
  /// A policy, an authorizer or the permissions of a file forbid it.
  case denied
  /// The database is closed, not open yet, or can't be opened.
  case unavailable

  /// The text, the file or the bytes are not of their format.
  case invalidInput
  /// A value can't be represented in the type that is asked for, or in the format that is written.
  case typeMismatch
  /// The request is wrong: SQL that doesn't compile, an unknown table or column, arguments that don't fit, or
  /// a call at a time when it is not allowed.
  case invalidRequest
  /// The schema is not the one that the program was written for.
  case schemaMismatch
  /// The change would lose data, and was not made.
  case wouldLoseData

  /// More rows, bytes, levels or memory than is allowed or available.
  case limitExceeded
  /// The disk is full.
  case storageFull
  /// The file system failed.
  case storageFailed
  /// The file is damaged, or is not a database.
  case corrupt
  /// The engine or the format can't do it.
  case unsupported
  /// Anything else.
  case other

  /// Whether a constraint of the database was not satisfied.
  public var isConstraintViolation: Bool {
    switch self {
    case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation,
      .constraintViolation:
      true
    default: false
    }
  }
}
