/// This package's codes by topic. Each extends the matching primary code.
///
/// An extended number is used once for each primary code, and never reused for another code.
extension SQLiteError.Code {
  // MARK: Statements and their parameters

  /// The text contains more than the one statement that was expected.
  public static let trailingSQL = Self(1, extended: 200)
  /// The text contains no statement: it is empty, or only a comment.
  public static let emptyStatement = Self(1, extended: 201)
  /// A value or name is interpolated inside quotes or a comment of an ``SQL``. It can't be bound
  /// there.
  public static let misplacedInterpolation = Self(1, extended: 210)
  /// The text of an ``SQL`` mixes interpolated values with a named or numbered parameter, which has
  /// no value.
  public static let parameterInText = Self(1, extended: 211)
  /// The number of values differs from the number of parameters.
  public static let parameterCount = Self(25, extended: 200)
  /// The statement has no parameter of this name.
  public static let unknownParameter = Self(25, extended: 201)
  /// The result has no column of this name or number.
  public static let unknownColumn = Self(25, extended: 202)
  /// The number of columns of the result differs from the number that the SQL specifies.
  public static let columnCount = Self(25, extended: 203)
  /// There is no current row: the statement has not been stepped, or is at its end.
  public static let noRow = Self(21, extended: 203)
  /// A column's bytes are borrowed, and the operation would invalidate them.
  public static let columnBorrowed = Self(21, extended: 290)

  // MARK: Values

  /// The value's storage class does not match the requested type.
  public static let columnTypeMismatch = Self(20, extended: 200)
  /// The value is NULL, and the requested type is not optional.
  public static let unexpectedNull = Self(20, extended: 201)
  /// The value is out of range for the requested type, or for SQLite's integers.
  public static let valueOutOfRange = Self(20, extended: 202)
  /// The text is not valid UTF-8, or is not in the format of its type, for example a UUID.
  public static let invalidText = Self(20, extended: 203)
  /// The value is not JSON, or not JSON of the requested type.
  public static let invalidJSON = Self(20, extended: 220)
  /// A value can't be written as a row because it has no column names: it is a single value or a
  /// list.
  public static let unnamedColumns = Self(20, extended: 221)
  /// A decoder was used after its row was decoded.
  public static let decoderExpired = Self(21, extended: 220)

  // MARK: Connections, databases and transactions

  /// The connection or the database is closed.
  public static let closed = Self(21, extended: 200)
  /// The connection is suspended, and acquires no locks until it is resumed.
  public static let suspended = Self(9, extended: 240)
  /// An access began inside another access of the same database, which would deadlock.
  public static let nestedAccess = Self(21, extended: 201)
  /// A script ended the transaction that it should run in.
  public static let transactionEnded = Self(21, extended: 202)
  /// A transaction that spans several calls has already been committed or rolled back.
  public static let transactionClosed = Self(21, extended: 204)
  /// A connection, or one of its dependent objects, was used after the end of its access, or on
  /// another thread than the access's.
  public static let accessEnded = Self(21, extended: 205)
  /// The file at the database's path is not the file that the database was opened with.
  public static let fileReplaced = Self(14, extended: 250)
  /// The database is encrypted with another key.
  public static let wrongKey = Self(26, extended: 200)
  /// The operation is not allowed inside a transaction.
  public static let insideTransaction = Self(21, extended: 240)

  // MARK: Attached databases, pragmas and the library

  /// The connection already has a database of this name.
  public static let schemaNameTaken = Self(1, extended: 240)
  /// The connection has no database of this name.
  public static let unknownSchema = Self(1, extended: 241)
  /// The database can't be detached because a statement or transaction uses it.
  public static let schemaInUse = Self(6, extended: 240)
  /// SQLite has no `PRAGMA` of this name.
  public static let unknownPragma = Self(12, extended: 240)
  /// This build of SQLite does not support the operation.
  public static let unsupported = Self(1, extended: 202)
  /// SQLite is already initialized, and can no longer be configured.
  public static let alreadyInitialized = Self(21, extended: 241)

  // MARK: Blobs, backups and changesets

  /// The row of an open blob was changed or deleted, or its transaction was rolled back.
  public static let blobExpired = Self(4, extended: 230)
  /// The bytes to read or write are outside the blob.
  public static let outsideBlob = Self(25, extended: 230)
  /// The database to replace or copy is in use.
  public static let databaseInUse = Self(5, extended: 230)
  /// A backup into this database would have to change its page size, which is not possible.
  public static let pageSizeMismatch = Self(8, extended: 230)
  /// The bytes are not a changeset.
  public static let invalidChangeset = Self(11, extended: 230)

  // MARK: Schemas and migrations

  /// The database has migrations that this program does not contain: a newer version of the program
  /// created it.
  public static let databaseIsNewer = Self(17, extended: 200)
  /// A migration that was applied to the database has changed since.
  public static let migrationChanged = Self(17, extended: 262)
  /// The database's schema is not the one that the schema change expects.
  public static let schemaMismatch = Self(17, extended: 260)
  /// A schema change would leave a view, a trigger or a full-text table broken.
  public static let brokenSchema = Self(17, extended: 261)
  /// A schema change would lose data, which was not permitted.
  public static let wouldLoseData = Self(1, extended: 260)
  /// A table can't be dropped or rebuilt inside a transaction that enforces foreign keys.
  public static let referencesEnforced = Self(21, extended: 260)
}

extension SQLiteError.Code {
  /// The names of this package's codes.
  static let packageNames: [(code: Self, name: String)] = [
    (.trailingSQL, "trailing SQL"),
    (.emptyStatement, "empty statement"),
    (.misplacedInterpolation, "misplaced interpolation"),
    (.parameterInText, "parameter in text"),
    (.parameterCount, "parameter count"),
    (.unknownParameter, "unknown parameter"),
    (.unknownColumn, "unknown column"),
    (.columnCount, "column count"),
    (.noRow, "no row"),
    (.columnBorrowed, "borrowed column"),
    (.columnTypeMismatch, "type mismatch"),
    (.unexpectedNull, "unexpected NULL"),
    (.valueOutOfRange, "value out of range"),
    (.invalidText, "invalid text"),
    (.invalidJSON, "invalid JSON"),
    (.unnamedColumns, "unnamed columns"),
    (.decoderExpired, "expired decoder"),
    (.closed, "closed"),
    (.suspended, "suspended"),
    (.nestedAccess, "nested access"),
    (.transactionEnded, "transaction ended"),
    (.transactionClosed, "closed transaction"),
    (.accessEnded, "access ended"),
    (.fileReplaced, "file replaced"),
    (.wrongKey, "wrong key"),
    (.insideTransaction, "inside a transaction"),
    (.schemaNameTaken, "schema name taken"),
    (.unknownSchema, "unknown schema"),
    (.schemaInUse, "schema in use"),
    (.unknownPragma, "unknown pragma"),
    (.unsupported, "unsupported"),
    (.alreadyInitialized, "already initialized"),
    (.blobExpired, "expired blob"),
    (.outsideBlob, "outside of the blob"),
    (.databaseInUse, "database in use"),
    (.pageSizeMismatch, "page size mismatch"),
    (.invalidChangeset, "invalid changeset"),
    (.databaseIsNewer, "newer database"),
    (.migrationChanged, "migration changed"),
    (.schemaMismatch, "schema mismatch"),
    (.brokenSchema, "broken schema"),
    (.wouldLoseData, "would lose data"),
    (.referencesEnforced, "references enforced"),
  ]
}
