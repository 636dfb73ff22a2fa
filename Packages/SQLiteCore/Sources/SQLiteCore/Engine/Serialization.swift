internal import CSQLite

extension ConnectionHandle {
  /// The bytes of a database; none for one that has never been written to.
  func serialize(_ schema: String) throws(SQLiteError) -> [UInt8] {
    let db = unsafe try pointer()
    try requireSchema(schema)
    var count: Int64 = 0
    // A database that lies in memory as one piece is copied from there.
    if let bytes = unsafe sqlite3_serialize(db, schema, &count, UInt32(SQLITE_SERIALIZE_NOCOPY)) {
      // What a transaction writes does not lie there yet, or not all of it.
      guard try transactionState(of: schema) != .write else {
        throw SQLiteError(
          code: .databaseInUse,
          message: "the database in memory is in a transaction that writes")
      }
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    count = 0
    let bytes = unsafe sqlite3_serialize(db, schema, &count, 0)
    defer { unsafe sqlite3_free(bytes) }
    if let bytes = unsafe bytes {
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
    // A temporary database that was not needed yet is said to be missing.
    if count == 0 || schema.isEqualIgnoringASCIICase("temp") { return [] }
    let rc = unsafe sqlite3_errcode(db)
    throw rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE
      ? Engine.error(count > 0 ? SQLITE_NOMEM : SQLITE_ERROR, "serializing \(schema)")
      : error(rc, sql: nil)
  }

  /// Replaces a database by the one that `bytes` are, and has it in memory.
  func deserialize(
    _ bytes: [UInt8], into schema: String, isReadOnly: Bool, maximumSize: Int?
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    try requireSchema(schema)
    try refuseReplacing()
    guard let copy = unsafe sqlite3_malloc64(UInt64(max(bytes.count, 1))) else {
      throw Engine.error(SQLITE_NOMEM, "deserializing \(schema)")
    }
    unsafe UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyBytes(from: bytes)
    unsafe Engine.forgetLog(copy, count: bytes.count)
    if let failure = unsafe Engine.fault(ofImage: copy, count: Int64(bytes.count)) {
      unsafe sqlite3_free(copy)
      throw failure
    }
    if schema.isEqualIgnoringASCIICase("main") {
      let tables: [String]
      do throws(SQLiteError) {
        tables = try releaseModuleTables()
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
    // From here on the memory is SQLite's, whatever becomes of the call.
    let rc = unsafe sqlite3_deserialize(
      db, schema, copy.assumingMemoryBound(to: UInt8.self), Int64(bytes.count),
      Int64(bytes.count), flags)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    // Compiled statements hold page numbers of the database that was there, and SQLite knows them by a
    // counter that may be the same in both.
    unsafe hooks.expireStatements(of: db)
    defer { hooks.databaseWasReplaced() }
    try forgetSchemas()
    if let maximumSize {
      var limit = Int64(maximumSize)
      let rc = unsafe sqlite3_file_control(db, schema, SQLITE_FCNTL_SIZE_LIMIT, &limit)
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }
  }

  /// Copies an image's pages over those of `main`, which stays the database that it is: for tables that
  /// are tied to it.
  private func overwriteMain(
    with image: UnsafeRawBufferPointer, isPlain: Bool, keeping tables: [String]
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    let refusal = SQLiteError(
      code: .databaseInUse,
      message: "the connection has used \(tables.joined(separator: ", ")), "
        + "which SQLite \(Engine.version) ties to the database that is to be replaced")
    guard isPlain, try isMainOurs(), unsafe sqlite3_db_readonly(db, "main") == 0 else {
      throw refusal
    }
    var scratch: OpaquePointer?
    defer { unsafe sqlite3_close_v2(scratch) }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    var rc = unsafe sqlite3_open_v2(":memory:", &scratch, flags, nil)
    if rc == SQLITE_OK {
      // It is read only, and for as long as the image is there.
      let bytes = unsafe UnsafeMutablePointer(
        mutating: image.baseAddress?.assumingMemoryBound(to: UInt8.self))
      rc = unsafe sqlite3_deserialize(
        scratch, "main", bytes, Int64(image.count), Int64(image.count),
        UInt32(SQLITE_DESERIALIZE_READONLY))
    }
    guard rc == SQLITE_OK else { throw Engine.error(rc, "deserializing main") }
    // The usual limit, on what has one. A smaller one would not hold in memory that is there already.
    var (usual, before): (Int64, Int64) = (-1, -1)
    unsafe sqlite3_file_control(scratch, "main", SQLITE_FCNTL_SIZE_LIMIT, &usual)
    unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &before)
    unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &usual)
    guard let backup = unsafe sqlite3_backup_init(db, "main", scratch, "main") else {
      throw error(unsafe sqlite3_errcode(db), sql: nil)
    }
    let last = unsafe sqlite3_backup_step(backup, -1)
    rc = unsafe sqlite3_backup_finish(backup)
    guard last == SQLITE_DONE, rc == SQLITE_OK else {
      unsafe sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &before)
      // Pages in memory keep their size.
      if last & 0xff == SQLITE_READONLY { throw refusal }
      throw Engine.error(rc == SQLITE_OK ? last : rc, "deserializing main")
    }
    unsafe hooks.expireStatements(of: db)
    hooks.databaseWasReplaced()
  }

  /// Whether nobody else can see what is in `main`.
  private func isMainOurs() throws(SQLiteError) -> Bool {
    let db = unsafe try pointer()
    guard let name = unsafe sqlite3_db_filename(db, "main"), unsafe name.pointee != 0 else {
      return isUnnamed
    }
    // What was deserialized has a name that is not a file's, and alone has a limit.
    var limit: Int64 = -1
    return unsafe name.pointee != UInt8(ascii: "/")
      && sqlite3_file_control(db, "main", SQLITE_FCNTL_SIZE_LIMIT, &limit) == SQLITE_OK
  }

  /// A database can't be taken away from what is using it. SQLite itself does not look.
  private func refuseReplacing() throws(SQLiteError) {
    let db = unsafe try pointer()
    if let running = unsafe Self.runningStatement(of: db) {
      throw SQLiteError(
        code: .databaseInUse, message: "a statement stands at a row, or a blob is open",
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

extension Engine {
  /// Why SQLite can't open an image as a database; `nil` where it can.
  ///
  /// It is tried on a database of its own, so that an image with a fault replaces nothing.
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
    return rc == SQLITE_OK ? nil : error(rc, "the bytes can't be opened as a database")
  }

  /// Marks an image as one of a database without a write-ahead log, which memory can't have: bytes 18
  /// and 19 of the header. https://sqlite.org/fileformat2.html#file_format_version_numbers
  fileprivate static func forgetLog(_ image: UnsafeMutableRawPointer, count: Int) {
    guard count >= 100 else { return }
    for offset in 18...19 where unsafe image.load(fromByteOffset: offset, as: UInt8.self) == 2 {
      unsafe image.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
    }
  }
}
