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
  public static let error = Self(rawValue: 1)
  public static let internalError = Self(rawValue: 2)
  public static let permission = Self(rawValue: 3)
  public static let abort = Self(rawValue: 4)
  public static let busy = Self(rawValue: 5)
  public static let locked = Self(rawValue: 6)
  public static let outOfMemory = Self(rawValue: 7)
  public static let readOnly = Self(rawValue: 8)
  public static let interrupt = Self(rawValue: 9)
  public static let ioError = Self(rawValue: 10)
  public static let corrupt = Self(rawValue: 11)
  public static let notFound = Self(rawValue: 12)
  public static let full = Self(rawValue: 13)
  public static let cannotOpen = Self(rawValue: 14)
  public static let schema = Self(rawValue: 17)
  public static let tooBig = Self(rawValue: 18)
  public static let constraint = Self(rawValue: 19)
  public static let mismatch = Self(rawValue: 20)
  public static let misuse = Self(rawValue: 21)
  public static let authorization = Self(rawValue: 23)
  public static let range = Self(rawValue: 25)
  public static let notADatabase = Self(rawValue: 26)
}

/// Extended codes that callers branch on.
extension SQLiteError.Code {
  public static let constraintCheck = Self(19, extended: 1)
  public static let constraintCommitHook = Self(19, extended: 2)
  public static let constraintForeignKey = Self(19, extended: 3)
  public static let constraintFunction = Self(19, extended: 4)
  public static let constraintNotNull = Self(19, extended: 5)
  public static let constraintPrimaryKey = Self(19, extended: 6)
  public static let constraintTrigger = Self(19, extended: 7)
  public static let constraintUnique = Self(19, extended: 8)
  public static let constraintVirtualTable = Self(19, extended: 9)
  public static let constraintRowID = Self(19, extended: 10)
  public static let constraintPinned = Self(19, extended: 11)
  /// A value does not suit a column of a STRICT table.
  public static let constraintDataType = Self(19, extended: 12)
  public static let busyRecovery = Self(5, extended: 1)
  public static let busySnapshot = Self(5, extended: 2)
  public static let busyTimeout = Self(5, extended: 3)
}

/// This package's own codes.
extension SQLiteError.Code {
  /// Text follows the one statement that was asked for.
  public static let trailingSQL = Self(1, extended: 200)
  /// The text holds no statement: it is empty, or only a comment.
  public static let emptyStatement = Self(1, extended: 201)
  /// This build of SQLite lacks what was asked for.
  public static let unsupported = Self(1, extended: 202)
  /// Something is interpolated inside quotes or a comment of an ``SQL``, where nothing can be bound.
  public static let misplacedInterpolation = Self(1, extended: 210)
  /// The text of an ``SQL`` has a parameter of its own, which has no value.
  public static let parameterInText = Self(1, extended: 211)
  /// The database knows migrations that this program does not: a newer version made it.
  public static let databaseIsNewer = Self(17, extended: 200)
  /// The database's schema is not the one that a change of it begins with.
  public static let schemaMismatch = Self(17, extended: 260)
  /// A change of the schema would leave a view, a trigger or a full-text table that can't work.
  public static let brokenSchema = Self(17, extended: 261)
  /// A migration that the database has gone through reads otherwise now.
  public static let migrationChanged = Self(17, extended: 262)
  /// A change of the schema would lose data, and was not allowed to.
  public static let wouldLoseData = Self(1, extended: 260)
  /// A table can't be dropped or rebuilt inside a transaction that enforces references to it.
  public static let referencesEnforced = Self(21, extended: 260)
  /// The value is of another storage class than the type that was asked for.
  public static let columnTypeMismatch = Self(20, extended: 200)
  /// The value is NULL, and the type that was asked for is not optional.
  public static let unexpectedNull = Self(20, extended: 201)
  /// The value does not fit the type that was asked for, or SQLite's integers.
  public static let valueOutOfRange = Self(20, extended: 202)
  /// The text is not valid UTF-8, or is not what its type writes: a UUID, say.
  public static let invalidText = Self(20, extended: 203)
  /// The connection or the database is closed.
  public static let closed = Self(21, extended: 200)
  /// An access was begun inside another one of the same database, which would wait for itself.
  public static let nestedAccess = Self(21, extended: 201)
  /// A script ended the transaction that it was to run in.
  public static let transactionEnded = Self(21, extended: 202)
  /// There is no row to read: the statement has not been stepped, or is at its end.
  public static let noRow = Self(21, extended: 203)
  /// The number of values differs from the number of parameters.
  public static let parameterCount = Self(25, extended: 200)
  /// The statement has no parameter of this name.
  public static let unknownParameter = Self(25, extended: 201)
  /// The result has no column of this name or number.
  public static let unknownColumn = Self(25, extended: 202)
  /// The connection has a database of this name already.
  public static let schemaNameTaken = Self(1, extended: 240)
  /// The connection has no database of this name.
  public static let unknownSchema = Self(1, extended: 241)
  /// A statement or a transaction uses the database that was to be detached.
  public static let schemaInUse = Self(6, extended: 240)
  /// The connection is suspended, and takes no locks until it is resumed.
  public static let suspended = Self(9, extended: 240)
  /// SQLite has no `PRAGMA` of this name.
  public static let unknownPragma = Self(12, extended: 240)
  /// What was asked for can't be done inside a transaction.
  public static let insideTransaction = Self(21, extended: 240)
  /// SQLite is at work already, and can no longer be configured.
  public static let alreadyInitialized = Self(21, extended: 241)
  /// The value is not JSON, or not JSON of the type that was asked for.
  public static let invalidJSON = Self(20, extended: 220)
  /// A value to be written as a row has no names for its columns: it is a single value, or a list.
  public static let unnamedColumns = Self(20, extended: 221)
  /// A decoder was kept, and used after its row was decoded.
  public static let decoderExpired = Self(21, extended: 220)
  /// The row of an open blob was changed or deleted, or its transaction was undone.
  public static let blobExpired = Self(4, extended: 230)
  /// The database that is to be replaced, or is to be copied, is in the middle of something else.
  public static let databaseInUse = Self(5, extended: 230)
  /// A copy into this database would change its page size, which it can't.
  public static let pageSizeMismatch = Self(8, extended: 230)
  /// The bytes are no changeset.
  public static let invalidChangeset = Self(11, extended: 230)
  /// The bytes to read or write lie beyond the end of the blob.
  public static let outsideBlob = Self(25, extended: 230)
}

extension SQLiteError.Code: CustomStringConvertible {
  /// The code's name as SQLite writes it, or this package's own; its number where it has none.
  public var description: String {
    if let name = Self.names[rawValue] { return name }
    if let name = Self.names[primary.rawValue] { return "\(name) (\(rawValue))" }
    return "SQLite code \(rawValue)"
  }

  private static let names: [Int32: String] = {
    let known: [(Self, String)] = [
      (.error, "SQLITE_ERROR"), (.internalError, "SQLITE_INTERNAL"),
      (.permission, "SQLITE_PERM"), (.abort, "SQLITE_ABORT"), (.busy, "SQLITE_BUSY"),
      (.locked, "SQLITE_LOCKED"), (.outOfMemory, "SQLITE_NOMEM"), (.readOnly, "SQLITE_READONLY"),
      (.interrupt, "SQLITE_INTERRUPT"), (.ioError, "SQLITE_IOERR"), (.corrupt, "SQLITE_CORRUPT"),
      (.notFound, "SQLITE_NOTFOUND"), (.full, "SQLITE_FULL"), (.cannotOpen, "SQLITE_CANTOPEN"),
      (.schema, "SQLITE_SCHEMA"), (.tooBig, "SQLITE_TOOBIG"), (.constraint, "SQLITE_CONSTRAINT"),
      (.mismatch, "SQLITE_MISMATCH"), (.misuse, "SQLITE_MISUSE"),
      (.authorization, "SQLITE_AUTH"), (.range, "SQLITE_RANGE"),
      (.notADatabase, "SQLITE_NOTADB"), (.constraintCheck, "SQLITE_CONSTRAINT_CHECK"),
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
      (.busyRecovery, "SQLITE_BUSY_RECOVERY"), (.busySnapshot, "SQLITE_BUSY_SNAPSHOT"),
      (.busyTimeout, "SQLITE_BUSY_TIMEOUT"), (.trailingSQL, "trailing SQL"),
      (.emptyStatement, "empty statement"), (.unsupported, "unsupported"),
      (.misplacedInterpolation, "misplaced interpolation"),
      (.parameterInText, "parameter in text"),
      (.databaseIsNewer, "newer database"), (.columnTypeMismatch, "type mismatch"),
      (.unexpectedNull, "unexpected NULL"), (.valueOutOfRange, "value out of range"),
      (.invalidText, "invalid text"), (.closed, "closed"), (.nestedAccess, "nested access"),
      (.transactionEnded, "transaction ended"), (.noRow, "no row"),
      (.parameterCount, "parameter count"), (.unknownParameter, "unknown parameter"),
      (.unknownColumn, "unknown column"),
      (.schemaNameTaken, "schema name taken"), (.unknownSchema, "unknown schema"),
      (.schemaInUse, "schema in use"), (.suspended, "suspended"),
      (.unknownPragma, "unknown pragma"), (.insideTransaction, "inside a transaction"),
      (.alreadyInitialized, "already initialized"),
      (.invalidJSON, "invalid JSON"),
      (.unnamedColumns, "unnamed columns"), (.decoderExpired, "expired decoder"),
      (.blobExpired, "expired blob"), (.databaseInUse, "database in use"),
      (.pageSizeMismatch, "page size mismatch"), (.invalidChangeset, "invalid changeset"),
      (.outsideBlob, "outside of the blob"),
      (.schemaMismatch, "schema mismatch"),
      (.brokenSchema, "broken schema"), (.migrationChanged, "migration changed"),
      (.wouldLoseData, "would lose data"), (.referencesEnforced, "references enforced"),
    ]
    return Dictionary(uniqueKeysWithValues: known.map { ($0.rawValue, $1) })
  }()
}
