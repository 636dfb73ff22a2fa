/// An error of reading, writing or converting data, whichever package, engine or format reports it.
///
/// Handle an error by its ``kind``, and the code stays the same when the engine changes.
///
/// ```swift
/// do {
///   try save()
/// } catch let error as any DataError where error.kind == .uniqueViolation {
///   print("taken: \(error.place.columns)")  // taken: ["email"]
/// }
/// ```
///
/// The concrete types tell more, by codes of their own. `CancellationError`, and what a user's own
/// functions throw, are passed on as they are: they don't conform.
public protocol DataError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  var kind: DataErrorKind { get }
  /// A description of the failure, for developers and logs.
  var message: String { get }
  /// The place of the failure, as far as it is known.
  var place: DataErrorPlace { get }
  /// The error that led to this one; `nil`, as by default, where there is none.
  var underlying: (any Error)? { get }
}

extension DataError {
  public var place: DataErrorPlace { DataErrorPlace() }
  public var underlying: (any Error)? { nil }
}

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

/// The place of a failure, as far as it is known.
public struct DataErrorPlace: Hashable, Sendable {
  /// The path of the file.
  public var file: String?
  /// The place in the text of the file, or in ``sql``.
  public var position: Position?
  /// The SQL that was run.
  public var sql: String?
  /// The table.
  public var table: String?
  /// The columns of ``table``, or of the result: those of a constraint that is not satisfied, or the one
  /// that can't be read.
  public var columns: [String]
  /// The keys and indexes that lead to the value in a document, as text: `players[3].name`.
  public var path: String?

  public init(
    file: String? = nil, position: Position? = nil, sql: String? = nil, table: String? = nil,
    columns: [String] = [], path: String? = nil
  ) {
    self.file = file
    self.position = position
    self.sql = sql
    self.table = table
    self.columns = columns
    self.path = path
  }

  /// A place in a text.
  public struct Position: Hashable, Sendable {
    /// The bytes of UTF-8 before it.
    public var byteOffset: Int?
    /// The line, from 1.
    public var line: Int?
    /// The column in the line, from 1.
    public var column: Int?

    public init(byteOffset: Int? = nil, line: Int? = nil, column: Int? = nil) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }
  }
}
