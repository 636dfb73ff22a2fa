extension SQLiteError {
  /// A result code: one of SQLite's, with its extended part, or one of this package.
  ///
  /// SQLite may add codes, so this is an open set: match the codes that you handle. The low eight
  /// bits are the ``primary`` code. This package's codes extend the matching primary code with
  /// numbers from 200 on, which SQLite does not use.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    init(_ primary: Int32, extended: Int32) { rawValue = primary | extended << 8 }

    /// The code without its extended part.
    public var primary: Code { Code(rawValue: rawValue & 0xff) }
  }
}

/// Primary codes.
extension SQLiteError.Code {
  /// The statement is invalid, or an error has no specific code.
  public static let error = Self(rawValue: 1)
  /// SQLite has detected an internal error.
  public static let internalError = Self(rawValue: 2)
  /// The requested access mode is not permitted for the file.
  public static let permission = Self(rawValue: 3)
  /// A callback or a rollback aborted the operation.
  public static let abort = Self(rawValue: 4)
  /// A conflicting lock is held by another connection.
  public static let busy = Self(rawValue: 5)
  /// This connection, or one that shares its cache, holds a conflicting lock.
  public static let locked = Self(rawValue: 6)
  /// Out of memory, or a memory limit was exceeded.
  public static let outOfMemory = Self(rawValue: 7)
  /// The database or the access is read-only.
  public static let readOnly = Self(rawValue: 8)
  /// The statement was interrupted.
  public static let interrupt = Self(rawValue: 9)
  /// A file system operation failed.
  public static let ioError = Self(rawValue: 10)
  /// The file is corrupt.
  public static let corrupt = Self(rawValue: 11)
  /// An object of this name does not exist.
  public static let notFound = Self(rawValue: 12)
  /// The disk is full, or the database has reached its maximum size.
  public static let full = Self(rawValue: 13)
  /// The file can't be opened.
  public static let cannotOpen = Self(rawValue: 14)
  /// The schema has changed, or differs from the expected one.
  public static let schema = Self(rawValue: 17)
  /// A text or blob exceeds SQLite's limit.
  public static let tooBig = Self(rawValue: 18)
  /// A constraint was violated; the extended code identifies its kind.
  public static let constraint = Self(rawValue: 19)
  /// The value's type is not allowed here.
  public static let mismatch = Self(rawValue: 20)
  /// The API was used incorrectly.
  public static let misuse = Self(rawValue: 21)
  /// An authorizer denied the action: see ``Hooks/authorize(_:)``.
  public static let authorization = Self(rawValue: 23)
  /// No parameter or column has this number.
  public static let range = Self(rawValue: 25)
  /// The file is not a database, or is encrypted.
  public static let notADatabase = Self(rawValue: 26)
}

/// Extended codes that callers branch on.
extension SQLiteError.Code {
  /// A `CHECK` constraint was violated.
  public static let constraintCheck = Self(19, extended: 1)
  /// A commit was vetoed: see ``TransactionObserver/willCommit()``.
  public static let constraintCommitHook = Self(19, extended: 2)
  /// A foreign key refers to a row that does not exist.
  public static let constraintForeignKey = Self(19, extended: 3)
  /// A function reported a constraint violation.
  public static let constraintFunction = Self(19, extended: 4)
  /// A `NOT NULL` column would be NULL.
  public static let constraintNotNull = Self(19, extended: 5)
  /// A row with the same primary key exists.
  public static let constraintPrimaryKey = Self(19, extended: 6)
  /// A trigger rejected the change with `RAISE`.
  public static let constraintTrigger = Self(19, extended: 7)
  /// A row with the same values of a `UNIQUE` constraint exists.
  public static let constraintUnique = Self(19, extended: 8)
  /// A virtual table rejected the change.
  public static let constraintVirtualTable = Self(19, extended: 9)
  /// A row with the same rowid exists.
  public static let constraintRowID = Self(19, extended: 10)
  /// A trigger would delete the row that is being updated.
  public static let constraintPinned = Self(19, extended: 11)
  /// A value has the wrong type for a column of a STRICT table.
  public static let constraintDataType = Self(19, extended: 12)
  /// The write-ahead log is being recovered by another process.
  public static let busyRecovery = Self(5, extended: 1)
  /// A read transaction can't become a write transaction, because another connection has written
  /// since it began.
  public static let busySnapshot = Self(5, extended: 2)
  /// A file lock was not acquired in time.
  public static let busyTimeout = Self(5, extended: 3)
}

extension SQLiteError.Code: CustomStringConvertible {
  /// The code's name in SQLite or in this package, or its number if it has no name.
  public var description: String {
    if let name = Self.names[rawValue] { return name }
    if let name = Self.names[primary.rawValue] { return "\(name) (\(rawValue))" }
    return "SQLite code \(rawValue)"
  }

  // If a code has two names, the first is used: a description must not trap.
  private static let names = Dictionary(
    (engineNames + packageNames).map { ($0.code.rawValue, $0.name) },
    uniquingKeysWith: { first, _ in first })

  /// The names of SQLite's codes that are declared here, as SQLite spells them.
  static let engineNames: [(code: Self, name: String)] = [
    (.error, "SQLITE_ERROR"),
    (.internalError, "SQLITE_INTERNAL"),
    (.permission, "SQLITE_PERM"),
    (.abort, "SQLITE_ABORT"),
    (.busy, "SQLITE_BUSY"),
    (.locked, "SQLITE_LOCKED"),
    (.outOfMemory, "SQLITE_NOMEM"),
    (.readOnly, "SQLITE_READONLY"),
    (.interrupt, "SQLITE_INTERRUPT"),
    (.ioError, "SQLITE_IOERR"),
    (.corrupt, "SQLITE_CORRUPT"),
    (.notFound, "SQLITE_NOTFOUND"),
    (.full, "SQLITE_FULL"),
    (.cannotOpen, "SQLITE_CANTOPEN"),
    (.schema, "SQLITE_SCHEMA"),
    (.tooBig, "SQLITE_TOOBIG"),
    (.constraint, "SQLITE_CONSTRAINT"),
    (.mismatch, "SQLITE_MISMATCH"),
    (.misuse, "SQLITE_MISUSE"),
    (.authorization, "SQLITE_AUTH"),
    (.range, "SQLITE_RANGE"),
    (.notADatabase, "SQLITE_NOTADB"),
    (.constraintCheck, "SQLITE_CONSTRAINT_CHECK"),
    (.constraintCommitHook, "SQLITE_CONSTRAINT_COMMITHOOK"),
    (.constraintForeignKey, "SQLITE_CONSTRAINT_FOREIGNKEY"),
    (.constraintFunction, "SQLITE_CONSTRAINT_FUNCTION"),
    (.constraintNotNull, "SQLITE_CONSTRAINT_NOTNULL"),
    (.constraintPrimaryKey, "SQLITE_CONSTRAINT_PRIMARYKEY"),
    (.constraintTrigger, "SQLITE_CONSTRAINT_TRIGGER"),
    (.constraintUnique, "SQLITE_CONSTRAINT_UNIQUE"),
    (.constraintVirtualTable, "SQLITE_CONSTRAINT_VTAB"),
    (.constraintRowID, "SQLITE_CONSTRAINT_ROWID"),
    (.constraintPinned, "SQLITE_CONSTRAINT_PINNED"),
    (.constraintDataType, "SQLITE_CONSTRAINT_DATATYPE"),
    (.busyRecovery, "SQLITE_BUSY_RECOVERY"),
    (.busySnapshot, "SQLITE_BUSY_SNAPSHOT"),
    (.busyTimeout, "SQLITE_BUSY_TIMEOUT"),
  ]
}
