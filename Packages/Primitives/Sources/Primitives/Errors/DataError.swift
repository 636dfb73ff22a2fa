/// An error of reading, writing or converting data, from any package, engine or format.
///
/// Code that handles errors by their ``kind`` does not depend on the engine.
///
/// ```swift
/// do {
///   try save()
/// } catch let error as any DataError where error.kind == .uniqueViolation {
///   print("taken: \(error.place.columns)")  // taken: ["email"]
/// }
/// ```
///
/// The concrete types provide more details, such as their own codes. `CancellationError`, and errors that user code
/// throws, are rethrown unchanged and do not conform.
public protocol DataError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  var kind: DataErrorKind { get }
  /// A description of the failure, for developers and logs.
  var message: String { get }
  /// The place of the failure, if known.
  var place: DataErrorPlace { get }
  /// The error that caused this one; `nil`, the default, if there is none.
  var underlying: (any Error)? { get }
}

extension DataError {
  public var place: DataErrorPlace { DataErrorPlace() }
  public var underlying: (any Error)? { nil }
}

/// The kind of a ``DataError``, independent of engine and format.
///
/// Later versions can add kinds: a `switch` needs a `default` case.
public enum DataErrorKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// A row, value or file does not exist.
  case notFound
  /// A single row was requested, but there are several.
  case tooManyRows
  /// A table, file or name already exists.
  case alreadyExists

  /// A `UNIQUE` or primary key constraint is violated: another row has the same values.
  case uniqueViolation
  /// A foreign key is violated: the referenced row does not exist, or a referenced row can't be deleted.
  case foreignKeyViolation
  /// A `NOT NULL` constraint is violated.
  case notNullViolation
  /// A `CHECK` constraint is violated.
  case checkViolation
  /// A constraint of another kind is violated, such as a trigger's, a virtual table's, or a strict column's type.
  case constraintViolation

  /// The row or the file was changed concurrently.
  case conflict
  /// A lock was not acquired in time. A retry can succeed.
  case busy
  /// The database, file or access is read-only.
  case readOnly
  /// The operation was cancelled or interrupted.
  case cancelled
  /// A policy, an authorizer or file permissions forbid the operation.
  case denied
  /// The database is closed, not open yet, or can't be opened.
  case unavailable

  /// A text, file or byte sequence has an invalid format.
  case invalidInput
  /// A value can't be represented in the requested type or the output format.
  case typeMismatch
  /// The request is invalid: SQL that does not compile, an unknown table or column, arguments that do not fit, or a
  /// call that is not allowed in the current state.
  case invalidRequest
  /// The schema is not the one that the program expects.
  case schemaMismatch
  /// A change that would lose data was refused.
  case wouldLoseData

  /// A limit of rows, bytes, nesting or memory is exceeded.
  case limitExceeded
  /// The disk is full.
  case storageFull
  /// The file system failed.
  case storageFailed
  /// The file is damaged, or is not a database.
  case corrupt
  /// The engine or format does not support the operation.
  case unsupported
  /// Anything else.
  case other

  /// Indicates whether a database constraint is violated.
  public var isConstraintViolation: Bool {
    switch self {
    case .uniqueViolation, .foreignKeyViolation, .notNullViolation, .checkViolation,
      .constraintViolation:
      true
    default: false
    }
  }
}

/// The place of a failure, if known.
public struct DataErrorPlace: Hashable, Sendable {
  /// The path of the file.
  public var file: String?
  /// The position in the file's text, or in ``sql``.
  public var position: Position?
  /// The SQL of the statement.
  public var sql: String?
  /// The table.
  public var table: String?
  /// The columns of ``table`` or of the result: the columns of a violated constraint, or the column that can't be read.
  public var columns: [String]
  /// The path of keys and indexes to the value in a document, as text: `players[3].name`.
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

  /// A position in a text.
  public struct Position: Hashable, Sendable {
    /// The offset in UTF-8 bytes.
    public var byteOffset: Int?
    /// The line, counted from 1.
    public var line: Int?
    /// The column in the line, counted from 1.
    public var column: Int?

    public init(byteOffset: Int? = nil, line: Int? = nil, column: Int? = nil) {
      self.byteOffset = byteOffset
      self.line = line
      self.column = column
    }
  }
}
