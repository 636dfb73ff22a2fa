extension SQLiteError {
  /// A result code: SQLite's, with its extended part, or one of this package's own.
  ///
  /// Releases of SQLite add codes, so this is an open set: match what you handle. The low eight bits
  /// are the ``primary`` code. This package's own codes extend the primary code that fits them,
  /// from 200 on, where SQLite has none.
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
  /// The statement is wrong, or something failed that has no code of its own.
  public static let error = Self(rawValue: 1)
  /// SQLite has found a fault in itself.
  public static let internalError = Self(rawValue: 2)
  /// The file can't be opened in the way that was asked for.
  public static let permission = Self(rawValue: 3)
  /// A callback ended what was being done, or a rollback did.
  public static let abort = Self(rawValue: 4)
  /// Another connection's lock is in the way.
  public static let busy = Self(rawValue: 5)
  /// A lock of this connection, or of one that shares its cache, is in the way.
  public static let locked = Self(rawValue: 6)
  /// There is no memory left, or a limit of it was met.
  public static let outOfMemory = Self(rawValue: 7)
  /// The database or the access is for reading alone.
  public static let readOnly = Self(rawValue: 8)
  /// The statement was interrupted.
  public static let interrupt = Self(rawValue: 9)
  /// The file system has failed.
  public static let ioError = Self(rawValue: 10)
  /// The file is damaged.
  public static let corrupt = Self(rawValue: 11)
  /// Something of that name does not exist.
  public static let notFound = Self(rawValue: 12)
  /// The disk is full, or the database has reached its limit.
  public static let full = Self(rawValue: 13)
  /// The file can't be opened.
  public static let cannotOpen = Self(rawValue: 14)
  /// The schema has changed, or is not the one that was expected.
  public static let schema = Self(rawValue: 17)
  /// A text or a blob is larger than SQLite takes.
  public static let tooBig = Self(rawValue: 18)
  /// A constraint was violated; the extended code tells which kind.
  public static let constraint = Self(rawValue: 19)
  /// The value has a type that can't stand there.
  public static let mismatch = Self(rawValue: 20)
  /// A rule of use was broken.
  public static let misuse = Self(rawValue: 21)
  /// An authorizer has denied it: see ``Hooks/authorize(_:)``.
  public static let authorization = Self(rawValue: 23)
  /// There is no parameter or column of that number.
  public static let range = Self(rawValue: 25)
  /// The file is no database, or is encrypted.
  public static let notADatabase = Self(rawValue: 26)
}

/// Extended codes that callers branch on.
extension SQLiteError.Code {
  /// A `CHECK` constraint was violated.
  public static let constraintCheck = Self(19, extended: 1)
  /// A commit was vetoed: see ``TransactionObserver/willCommit()``.
  public static let constraintCommitHook = Self(19, extended: 2)
  /// A row refers to one that does not exist.
  public static let constraintForeignKey = Self(19, extended: 3)
  /// A function has reported that a constraint was violated.
  public static let constraintFunction = Self(19, extended: 4)
  /// A `NOT NULL` column has no value.
  public static let constraintNotNull = Self(19, extended: 5)
  /// The primary key stands in another row.
  public static let constraintPrimaryKey = Self(19, extended: 6)
  /// A trigger has refused it, by `RAISE`.
  public static let constraintTrigger = Self(19, extended: 7)
  /// The key stands in another row.
  public static let constraintUnique = Self(19, extended: 8)
  /// A virtual table has refused it.
  public static let constraintVirtualTable = Self(19, extended: 9)
  /// The rowid stands in another row.
  public static let constraintRowID = Self(19, extended: 10)
  /// A trigger would delete the row that is being updated.
  public static let constraintPinned = Self(19, extended: 11)
  /// A value does not suit a column of a STRICT table.
  public static let constraintDataType = Self(19, extended: 12)
  /// Another process is restoring the write-ahead log.
  public static let busyRecovery = Self(5, extended: 1)
  /// A read transaction would write, and others have written since it began.
  public static let busySnapshot = Self(5, extended: 2)
  /// A lock of the file system took longer than it may.
  public static let busyTimeout = Self(5, extended: 3)
}

extension SQLiteError.Code: CustomStringConvertible {
  /// The code's name as SQLite writes it, or this package's own; its number where it has none.
  public var description: String {
    if let name = Self.names[rawValue] { return name }
    if let name = Self.names[primary.rawValue] { return "\(name) (\(rawValue))" }
    return "SQLite code \(rawValue)"
  }

  // The first of two names for one code holds: a description must not trap.
  private static let names = Dictionary(
    (engineNames + ownNames).map { ($0.code.rawValue, $0.name) },
    uniquingKeysWith: { first, _ in first })

  /// The name of each of SQLite's codes that stands here, as SQLite writes it.
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
