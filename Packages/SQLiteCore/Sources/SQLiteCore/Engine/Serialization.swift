internal import CSQLite

extension ConnectionHandle {
  /// Returns the bytes of a database; an empty array if it was never written.
  func serialize(_ schema: String) throws(SQLiteError) -> [UInt8] {
    let db = unsafe try pointer()
    try requireSchema(schema)
    var count: Int64 = 0
    // A deserialized database is contiguous in memory, and is copied from there.
    if let bytes = unsafe sqlite3_serialize(db, schema, &count, UInt32(SQLITE_SERIALIZE_NOCOPY)) {
      // The memory does not yet contain all changes of the open transaction.
      guard try transactionState(of: schema) != .write else {
        throw SQLiteError(
          code: .databaseInUse,
          message: "an in-memory database can't be serialized inside a write transaction")
      }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    count = 0
    let bytes = unsafe sqlite3_serialize(db, schema, &count, 0)
    defer { unsafe sqlite3_free(bytes) }
    if let bytes = unsafe bytes {
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    // SQLite reports a temporary database that was not used yet as missing.
    if count == 0 || schema.isEqualIgnoringASCIICase("temp") { return [] }
    let rc = unsafe sqlite3_errcode(db)
    throw rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE
      ? SQLiteError(
        engineCode: count > 0 ? SQLITE_NOMEM : SQLITE_ERROR, operation: "serializing \(schema)")
      : error(rc, sql: nil)
  }

  /// Replaces a database by an in-memory database with the content `bytes`.
  func deserialize(
    _ bytes: [UInt8], into schema: String, isReadOnly: Bool, maximumSize: Int?
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    try requireSchema(schema)
    try checkCanBeReplaced()
    guard let copy = unsafe sqlite3_malloc64(UInt64(max(bytes.count, 1))) else {
      throw SQLiteError(engineCode: SQLITE_NOMEM, operation: "deserializing \(schema)")
    }
    unsafe UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
    unsafe Self.clearWALFormat(copy, count: bytes.count)
    if let failure = unsafe Self.fault(ofImage: copy, count: Int64(bytes.count)) {
      unsafe sqlite3_free(copy)
      throw failure
    }
    if schema.isEqualIgnoringASCIICase("main") {
      let tables: [String]
      do throws(SQLiteError) {
        tables = try dropEponymousTables()
      } catch {
        unsafe sqlite3_free(copy)
        throw error
      }
      guard tables.isEmpty else {
        defer { unsafe sqlite3_free(copy) }
        return unsafe try overwriteMain(
          with: UnsafeRawBufferPointer(start: copy, count: bytes.count),
          isPlain: !isReadOnly && maximumSize == nil, keeping: tables)
      }
    }
    var flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE)
    flags |= UInt32(isReadOnly ? SQLITE_DESERIALIZE_READONLY : SQLITE_DESERIALIZE_RESIZEABLE)
    // SQLite owns the memory after this call, even if the call fails.
    let rc = unsafe sqlite3_deserialize(
      db, schema, copy.assumingMemoryBound(to: UInt8.self), Int64(bytes.count),
      Int64(bytes.count), flags)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    // Compiled statements contain page numbers of the replaced database. SQLite detects this by a
    // schema cookie, which may be equal in both databases.
    unsafe hooks.expireStatements(of: db)
    defer { hooks.databaseWasReplaced() }
    try reloadSchemas()
    if let maximumSize {
      var limit = Int64(maximumSize)
      let rc = unsafe sqlite3_file_control(db, schema, SQLITE_FCNTL_SIZE_LIMIT, &limit)
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }
  }

  /// Copies an image's pages into `main` without replacing the database itself, because eponymous
  /// tables refer to its schema.
  private func overwriteMain(
    with image: UnsafeRawBufferPointer, isPlain: Bool, keeping tables: [String]
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    let refusal = SQLiteError(
      code: .databaseInUse,
      message: "the database can't be replaced: the connection has used "
        + "\(tables.joined(separator: ", ")), which SQLite \(SQLiteLibrary.version) ties to it")
    guard isPlain, try isMainPrivate(), unsafe sqlite3_db_readonly(db, "main") == 0 else {
      throw refusal
    }
    var scratch: OpaquePointer?
    defer { unsafe sqlite3_close_v2(scratch) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    var rc = unsafe sqlite3_open_v2(":memory:", &scratch, flags, nil)
    if rc == SQLITE_OK {
      // The database is only read, and only while the image exists.
      let bytes = unsafe UnsafeMutablePointer(
        mutating: image.baseAddress?.assumingMemoryBound(to: UInt8.self))
      rc = unsafe sqlite3_deserialize(
        scratch, "main", bytes, Int64(image.count), Int64(image.count),
        UInt32(SQLITE_DESERIALIZE_READONLY))
    }
    guard rc == SQLITE_OK else {
      throw SQLiteError(engineCode: rc, operation: "deserializing main")
    }
    // Sets the default size limit. A smaller limit would not apply to an existing in-memory
    // database.
    var (defaultLimit, oldLimit): (Int64, Int64) = (-1, -1)
    unsafe sqlite3_file_control(scratch, "main", SQLITE_FCNTL_SIZE_LIMIT, &defaultLimit)
    unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &oldLimit)
    unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &defaultLimit)
    guard let backup = unsafe sqlite3_backup_init(db, "main", scratch, "main") else {
      throw error(unsafe sqlite3_errcode(db), sql: nil)
    }
    let last = unsafe sqlite3_backup_step(backup, -1)
    rc = unsafe sqlite3_backup_finish(backup)
    guard last == SQLITE_DONE, rc == SQLITE_OK else {
      unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &oldLimit)
      // The page size of an in-memory database can't change.
      if last & 0xff == SQLITE_READONLY { throw refusal }
      throw SQLiteError(engineCode: rc == SQLITE_OK ? last : rc, operation: "deserializing main")
    }
    unsafe hooks.expireStatements(of: db)
    hooks.databaseWasReplaced()
  }

  /// Returns whether no other connection can use the content of `main`.
  private func isMainPrivate() throws(SQLiteError) -> Bool {
    let db = unsafe try pointer()
    guard let name = unsafe sqlite3_db_filename(db, "main"), unsafe name.pointee != 0 else {
      return isUnnamed
    }
    // A deserialized database has a name that is not a path, and only such a database has a size
    // limit.
    var limit: Int64 = -1
    return unsafe name.pointee != UInt8(ascii: "/")
      && sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit) == SQLITE_OK
  }

  /// Throws if the database is in use, which SQLite itself does not check.
  private func checkCanBeReplaced() throws(SQLiteError) {
    let db = unsafe try pointer()
    if let running = unsafe Self.runningStatement(of: db) {
      throw SQLiteError(
        code: .databaseInUse, message: "a statement is running, or a blob is open",
        sql: unsafe sqlite3_sql(running).map { unsafe String(cString: $0) })
    }
    guard !isInTransaction, dependentCount == 0 else {
      throw SQLiteError(
        code: .databaseInUse,
        message: isInTransaction
          ? "a database can't be replaced inside a transaction"
          : "the connection has a session, or a backup that is not finished")
    }
  }
}

extension ConnectionHandle {
  /// Returns the error with which SQLite opens an image; `nil` if it can be opened.
  ///
  /// The image is opened on a temporary connection, so that an invalid image replaces nothing.
  fileprivate static func fault(
    ofImage image: UnsafeMutableRawPointer, count: Int64
  ) -> SQLiteError? {
    guard count > 0 else { return nil }
    var scratch: OpaquePointer?
    defer { unsafe sqlite3_close_v2(scratch) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    var rc = unsafe sqlite3_open_v2(":memory:", &scratch, flags, nil)
    if rc == SQLITE_OK {
      rc = unsafe sqlite3_deserialize(
        scratch, "main", image.assumingMemoryBound(to: UInt8.self), count, count,
        UInt32(SQLITE_DESERIALIZE_READONLY))
    }
    if rc == SQLITE_OK {
      rc = unsafe sqlite3_exec(scratch, "SELECT count(*) FROM sqlite_master", nil, nil, nil)
    }
    return rc == SQLITE_OK
      ? nil : SQLiteError(engineCode: rc, operation: "the bytes can't be opened as a database")
  }

  /// Changes an image's header to rollback journal mode, because an in-memory database can't use
  /// WAL: bytes 18 and 19. https://sqlite.org/fileformat2.html#file_format_version_numbers
  fileprivate static func clearWALFormat(_ image: UnsafeMutableRawPointer, count: Int) {
    guard count >= 100 else { return }
    for offset in 18...19 where unsafe image.load(fromByteOffset: offset, as: UInt8.self) == 2 {
      unsafe image.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
  }
}
