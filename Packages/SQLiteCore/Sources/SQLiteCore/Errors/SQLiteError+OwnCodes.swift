/// This package's own codes, by topic. Each extends the primary code that fits it.
///
/// An extended number is given once for a primary code, and never to another code later on.
extension SQLiteError.Code {
  // MARK: Statements and their parameters

  /// Text follows the one statement that was asked for.
  public static let trailingSQL = Self(1, extended: 200)
  /// The text holds no statement: it is empty, or only a comment.
  public static let emptyStatement = Self(1, extended: 201)
  /// Something is interpolated inside quotes or a comment of an ``SQL``, where nothing can be bound.
  public static let misplacedInterpolation = Self(1, extended: 210)
  /// The text of an ``SQL`` has a parameter of its own, which has no value.
  public static let parameterInText = Self(1, extended: 211)
  /// The number of values differs from the number of parameters.
  public static let parameterCount = Self(25, extended: 200)
  /// The statement has no parameter of this name.
  public static let unknownParameter = Self(25, extended: 201)
  /// The result has no column of this name or number.
  public static let unknownColumn = Self(25, extended: 202)
  /// There is no row to read: the statement has not been stepped, or is at its end.
  public static let noRow = Self(21, extended: 203)
  /// A column's bytes are lent, and what was asked for would take them away.
  public static let columnLent = Self(21, extended: 290)

  // MARK: Values

  /// The value is of another storage class than the type that was asked for.
  public static let columnTypeMismatch = Self(20, extended: 200)
  /// The value is NULL, and the type that was asked for is not optional.
  public static let unexpectedNull = Self(20, extended: 201)
  /// The value does not fit the type that was asked for, or SQLite's integers.
  public static let valueOutOfRange = Self(20, extended: 202)
  /// The text is not valid UTF-8, or is not what its type writes: a UUID, say.
  public static let invalidText = Self(20, extended: 203)
  /// The value is not JSON, or not JSON of the type that was asked for.
  public static let invalidJSON = Self(20, extended: 220)
  /// A value to be written as a row has no names for its columns: it is a single value, or a list.
  public static let unnamedColumns = Self(20, extended: 221)
  /// A decoder was kept, and used after its row was decoded.
  public static let decoderExpired = Self(21, extended: 220)

  // MARK: Connections, databases and transactions

  /// The connection or the database is closed.
  public static let closed = Self(21, extended: 200)
  /// The connection is suspended, and takes no locks until it is resumed.
  public static let suspended = Self(9, extended: 240)
  /// An access was begun inside another one of the same database, which would wait for itself.
  public static let nestedAccess = Self(21, extended: 201)
  /// A script ended the transaction that it was to run in.
  public static let transactionEnded = Self(21, extended: 202)
  /// A transaction that stayed open from one call to the next has been committed or rolled back.
  public static let transactionClosed = Self(21, extended: 204)
  /// A connection, or what belongs to it, was used after the access that it was lent to, or on another
  /// thread than the access's.
  public static let accessEnded = Self(21, extended: 205)
  /// The file at the database's path is no longer the one that the database was opened with.
  public static let fileReplaced = Self(14, extended: 250)
  /// The key is not the one that the database is encrypted with.
  public static let wrongKey = Self(26, extended: 200)
  /// What was asked for can't be done inside a transaction.
  public static let insideTransaction = Self(21, extended: 240)

  // MARK: Attached databases, pragmas and the library

  /// The connection has a database of this name already.
  public static let schemaNameTaken = Self(1, extended: 240)
  /// The connection has no database of this name.
  public static let unknownSchema = Self(1, extended: 241)
  /// A statement or a transaction uses the database that was to be detached.
  public static let schemaInUse = Self(6, extended: 240)
  /// SQLite has no `PRAGMA` of this name.
  public static let unknownPragma = Self(12, extended: 240)
  /// This build of SQLite lacks what was asked for.
  public static let unsupported = Self(1, extended: 202)
  /// SQLite is at work already, and can no longer be configured.
  public static let alreadyInitialized = Self(21, extended: 241)

  // MARK: Blobs, backups and changesets

  /// The row of an open blob was changed or deleted, or its transaction was undone.
  public static let blobExpired = Self(4, extended: 230)
  /// The bytes to read or write lie beyond the end of the blob.
  public static let outsideBlob = Self(25, extended: 230)
  /// The database that is to be replaced, or is to be copied, is in the middle of something else.
  public static let databaseInUse = Self(5, extended: 230)
  /// A copy into this database would change its page size, which it can't.
  public static let pageSizeMismatch = Self(8, extended: 230)
  /// The bytes are no changeset.
  public static let invalidChangeset = Self(11, extended: 230)

  // MARK: Schemas and migrations

  /// The database knows migrations that this program does not: a newer version made it.
  public static let databaseIsNewer = Self(17, extended: 200)
  /// A migration that the database has gone through reads otherwise now.
  public static let migrationChanged = Self(17, extended: 262)
  /// The database's schema is not the one that a change of it begins with.
  public static let schemaMismatch = Self(17, extended: 260)
  /// A change of the schema would leave a view, a trigger or a full-text table that can't work.
  public static let brokenSchema = Self(17, extended: 261)
  /// A change of the schema would lose data, and was not allowed to.
  public static let wouldLoseData = Self(1, extended: 260)
  /// A table can't be dropped or rebuilt inside a transaction that enforces references to it.
  public static let referencesEnforced = Self(21, extended: 260)
}

extension SQLiteError.Code {
  /// The name of each of this package's own codes.
  static let ownNames: [(code: Self, name: String)] = [
    (.trailingSQL, "trailing SQL"),
    (.emptyStatement, "empty statement"),
    (.misplacedInterpolation, "misplaced interpolation"),
    (.parameterInText, "parameter in text"),
    (.parameterCount, "parameter count"),
    (.unknownParameter, "unknown parameter"),
    (.unknownColumn, "unknown column"),
    (.noRow, "no row"),
    (.columnLent, "lent column"),
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
