extension Connection {
  /// The bytes of a database, as a file of it would have them.
  ///
  /// What this connection has written in a transaction that is open is among them, and what a write-ahead
  /// log holds. A database that was never written to has none up to release 3.42 of SQLite, and one page since.
  /// One that was deserialized can't be serialized inside a transaction that writes.
  ///
  /// ```swift
  /// let bytes = try connection.serialized()
  /// let copy = try Connection(deserializing: bytes)
  /// ```
  ///
  /// - Parameter schema: `main`, `temp`, or the name of an attached database.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema`` where there is no such database,
  ///   with ``SQLiteError/Code/databaseInUse`` where one that was deserialized is in a
  ///   transaction that writes; as reading does.
  /// - Complexity: O(*n*) in the size of the database, which is in memory twice for a moment.
  public func serialized(_ schema: String = "main") throws(SQLiteError) -> [UInt8] {
    try handle.serialize(schema)
  }

  /// Replaces a database by one in memory that `bytes` are the content of.
  ///
  /// What was there is let go: a file stays as it is, and is no longer this connection's. The bytes are copied;
  /// an image of a database with a write-ahead log, which memory can't have, is taken as one without. What
  /// a log beside the file held is not part of the file's bytes. No bytes are an empty database.
  /// Observers are told that everything has changed. Temporary triggers stay, and belong to the new tables of
  /// the same names.
  ///
  /// SQLite ties a table that is there without being created, `json_each` say, to the database that is `main`
  /// when the connection first names it. The `pragma_` functions and `holt_array` are made anew for the new
  /// one. Where another was named, a `main` in memory is written over with the new content instead; one that
  /// can't be, and a new one that is to be read only or limited, is refused: deserialize before such a table
  /// is named, into a connection of its own, or into an attached database.
  ///
  /// - Parameters:
  ///   - bytes: A database file's, or what ``serialized(_:)`` gave.
  ///   - schema: `main`, or the name of an attached database.
  ///   - isReadOnly: Whether it may not be written.
  ///   - maximumSize: How many bytes it may grow to; beyond them, writing is
  ///     ``SQLiteError/Code/full``. `nil` for SQLite's own limit, one gigabyte.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/notADatabase`` or
  ///   ``SQLiteError/Code/corrupt`` where the bytes are no database, with
  ///   ``SQLiteError/Code/databaseInUse`` inside a transaction, while a statement stands at a row, and
  ///   while a blob, a session or a backup is open, and where a table in use ties the connection to what it has.
  ///   The database is as it was then. Damage that only shows further inside of it is found when that is
  ///   read.
  public func deserialize(
    _ bytes: [UInt8], into schema: String = "main", isReadOnly: Bool = false,
    maximumSize: Int? = nil
  ) throws(SQLiteError) {
    contentGeneration = .random(in: 1 ... .max)
    cache.removeAll()
    try handle.deserialize(bytes, into: schema, isReadOnly: isReadOnly, maximumSize: maximumSize)
  }

  /// Opens a database in memory that begins with the content that `bytes` are.
  ///
  /// - Parameters:
  ///   - bytes: A database file's, or what ``serialized(_:)`` gave.
  ///   - configuration: How it is opened. What prepares the connection runs before, on an empty database.
  ///   - isReadOnly: Whether it may not be written, as with ``Configuration/isReadOnly``.
  ///   - maximumSize: How many bytes it may grow to.
  /// - Throws: As ``deserialize(_:into:isReadOnly:maximumSize:)``.
  public convenience init(
    deserializing bytes: [UInt8], configuration: Configuration = Configuration(),
    isReadOnly: Bool = false, maximumSize: Int? = nil
  ) throws {
    try self.init(path: ":memory:", configuration: configuration)
    try deserialize(
      bytes, isReadOnly: isReadOnly || configuration.isReadOnly, maximumSize: maximumSize)
  }
}
