internal import CSQLite

extension ConnectionHandle {
  /// Returns a limit, and sets it if `newValue` is not negative.
  ///
  /// - Returns: The limit before the call; -1 if there is no such limit.
  func limit(_ category: Int32, newValue: Int32 = -1) throws(SQLiteError) -> Int32 {
    unsafe sqlite3_limit(try pointer(), category, newValue)
  }

  /// A Boolean value that indicates whether the running statements have been interrupted.
  var isInterrupted: Bool {
    guard let db = unsafe try? pointer() else { return false }
    return unsafe interrupter.isCancelled || holt_is_interrupted(db) != 0
  }

  // MARK: Checkpoints

  func checkpoint(
    _ mode: Connection.CheckpointMode, schema: String?
  ) throws(SQLiteError) -> Connection.CheckpointResult {
    let code =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var (log, checkpointed): (Int32, Int32) = (-1, -1)
    let rc = unsafe sqlite3_wal_checkpoint_v2(try pointer(), schema, code, &log, &checkpointed)
    guard rc == SQLITE_OK || rc & 0xff == SQLITE_BUSY else { throw error(rc, sql: nil) }
    return Connection.CheckpointResult(
      isComplete: rc == SQLITE_OK, logPages: log < 0 ? nil : Int(log),
      checkpointedPages: checkpointed < 0 ? nil : Int(checkpointed))
  }

  func setAutomaticCheckpoint(pages: Int) throws(SQLiteError) {
    let db = unsafe try pointer()
    hooks.automaticCheckpointPages = max(0, pages)
    // Subscribers to WAL commits occupy SQLite's slot, and the hook then runs the checkpoints.
    if hooks.walCommits.isEmpty {
      unsafe sqlite3_wal_autocheckpoint(db, Int32(clamping: max(0, pages)))
    }
  }

  func automaticCheckpointPages() throws(SQLiteError) -> Int {
    let db = unsafe try pointer()
    return unsafe hooks.walCommits.isEmpty
      ? Hooks.checkpointPages(of: db) : hooks.automaticCheckpointPages
  }

  // MARK: Options

  func isOn(_ option: Connection.Option) throws(SQLiteError) -> Bool {
    try value(of: option, setting: -1)
  }

  func set(_ option: Connection.Option, to isOn: Bool) throws(SQLiteError) {
    guard try value(of: option, setting: isOn ? 1 : 0) == isOn else {
      throw SQLiteError(
        code: .unsupported,
        message: "SQLite \(SQLiteLibrary.version) can't turn \(option) \(isOn ? "on" : "off")")
    }
  }

  /// Sets an option, unless the release has no such option, and therefore not the behavior that the
  /// option controls.
  func setIfSupported(_ option: Connection.Option, to isOn: Bool) throws(SQLiteError) {
    let rc = unsafe holt_db_config(try pointer(), option.code, isOn ? 1 : 0)
    guard rc == SQLITE_OK || rc == SQLITE_ERROR else { throw error(rc, sql: nil) }
  }

  private func value(
    of option: Connection.Option, setting value: Int32
  ) throws(SQLiteError) -> Bool {
    var result: Int32 = 0
    let rc = unsafe holt_db_config_value(try pointer(), option.code, value, &result)
    guard rc != SQLITE_ERROR else {
      throw SQLiteError(
        code: .unsupported, message: "SQLite \(SQLiteLibrary.version) has no option \(option)")
    }
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    return result != 0
  }

  /// Deletes the database's content: https://sqlite.org/c3ref/c_dbconfig_defensive.html
  func resetDatabase() throws(SQLiteError) {
    let db = unsafe try pointer()
    let option = Int32(holt_dbconfig_reset_database)
    let rc = unsafe holt_db_config(db, option, 1)
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    defer { unsafe holt_db_config(db, option, 0) }
    try execute("VACUUM")
  }

  // MARK: Status

  func status(
    _ counter: Int32, resetting: Bool
  ) throws(SQLiteError) -> (current: Int, highest: Int)? {
    var (current, highest): (Int32, Int32) = (0, 0)
    let rc = unsafe sqlite3_db_status(
      try pointer(), counter, &current, &highest, resetting ? 1 : 0)
    return rc == SQLITE_OK ? (Int(current), Int(highest)) : nil
  }

  func releaseMemory() throws(SQLiteError) { unsafe sqlite3_db_release_memory(try pointer()) }

  func flushCache() throws(SQLiteError) {
    let rc = unsafe sqlite3_db_cacheflush(try pointer())
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
  }

  /// Returns whether a database is read-only; `nil` if no database has this name.
  func isReadOnly(_ schema: String) throws(SQLiteError) -> Bool? {
    switch unsafe sqlite3_db_readonly(try pointer(), schema) {
    case 0: false
    case 1: true
    default: nil
    }
  }
}

extension Hooks {
  /// The log length in pages at which SQLite checkpoints automatically; 0 for never.
  static func checkpointPages(of db: OpaquePointer) -> Int {
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    guard
      unsafe sqlite3_prepare_v2(db, "PRAGMA wal_autocheckpoint", -1, &statement, nil) == SQLITE_OK,
      unsafe sqlite3_step(statement) == SQLITE_ROW
    else { return 0 }
    return Int(unsafe sqlite3_column_int(statement, 0))
  }
}

extension Connection.Option {
  fileprivate var code: Int32 {
    switch self {
    case .foreignKeys: Int32(holt_dbconfig_enable_fkey)
    case .triggers: Int32(holt_dbconfig_triggers)
    case .views: Int32(holt_dbconfig_views)
    case .defensive: Int32(holt_dbconfig_defensive)
    case .writableSchema: Int32(holt_dbconfig_writable_schema)
    case .trustedSchema: Int32(holt_dbconfig_trusted_schema)
    case .doubleQuotedStringsInQueries: Int32(holt_dbconfig_dqs_dml)
    case .doubleQuotedStringsInSchema: Int32(holt_dbconfig_dqs_ddl)
    case .legacyAlterTable: Int32(holt_dbconfig_legacy_alter_table)
    case .legacyFileFormat: Int32(holt_dbconfig_legacy_file_format)
    case .noCheckpointOnClose: Int32(holt_dbconfig_no_checkpoint_on_close)
    case .stableQueryPlans: Int32(holt_dbconfig_stable_query_plans)
    case .triggerQueryPlans: Int32(holt_dbconfig_trigger_query_plans)
    case .fts3Tokenizer: Int32(holt_dbconfig_fts3_tokenizer)
    case .reverseScanOrder: Int32(holt_dbconfig_reverse_scan_order)
    case .attachMayCreate: Int32(holt_dbconfig_attach_create)
    case .attachMayWrite: Int32(holt_dbconfig_attach_write)
    case .comments: Int32(holt_dbconfig_comments)
    }
  }
}

extension ConnectionHandle {
  /// Loads an extension. SQL is not allowed to load extensions before or after this call.
  ///
  /// - Throws: ``SQLiteError/Code/unsupported`` if this build of SQLite can't load extensions;
  ///   ``SQLiteError/Code/error`` with the loader's message if this one can't be loaded.
  func load(_ file: Configuration.LoadableExtension) throws(SQLiteError) {
    try SQLiteLibrary.require(.loadableExtensions)
    for text in [file.path, file.entryPoint ?? ""] where text.utf8.contains(0) || file.path.isEmpty
    {
      throw SQLiteError(
        code: .misuse, message: "not a valid path or entry point of an extension: \(text)")
    }
    let db = unsafe try pointer()
    let option = Int32(holt_dbconfig_enable_load_extension)
    unsafe holt_db_config(db, option, 1)
    defer { unsafe holt_db_config(db, option, 0) }
    var message: UnsafeMutablePointer<CChar>?
    let rc = unsafe holt_load_extension(db, file.path, file.entryPoint, &message)
    defer { unsafe sqlite3_free(message) }
    guard rc != SQLITE_OK else { return }
    let reason = unsafe message.map { unsafe String(cString: $0) } ?? "code \(rc)"
    throw SQLiteError(
      code: SQLiteError.Code(rawValue: rc), message: "the extension \(file.path): \(reason)")
  }
}

extension ConnectionHandle {
  /// Returns column metadata that no `PRAGMA` returns; `nil` for a column of a view, or if the
  /// column does not exist.
  func columnMetadata(
    ofColumn column: String, of table: String, in schema: String
  ) -> (collation: String, isAutoincrement: Bool)? {
    guard let db = unsafe try? pointer() else { return nil }
    var collation: UnsafePointer<CChar>?
    var isAutoincrement: Int32 = 0
    let rc = unsafe sqlite3_table_column_metadata(
      db, schema, table, column, nil, &collation, nil, nil, &isAutoincrement)
    guard rc == SQLITE_OK, let collation = unsafe collation else { return nil }
    return unsafe (String(cString: collation), isAutoincrement != 0)
  }
}

#if SQLCipher
  extension ConnectionHandle {
    /// Sets the key of the main database. Must be called before any of it is read.
    func apply(_ key: EncryptionKey) throws(SQLiteError) {
      try SQLiteLibrary.require(.encryption)
      let db = unsafe try pointer()
      let rc = unsafe key.bytes.withUnsafeBytes {
        unsafe sqlite3_key_v2(db, "main", $0.baseAddress, Int32(clamping: $0.count))
      }
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }

    /// Re-encrypts every page with another key. No other connection may use the file.
    ///
    /// SQLCipher does not report errors of the transaction that it uses for this.
    func rekey(to key: EncryptionKey) throws(SQLiteError) {
      let db = unsafe try pointer()
      let rc = unsafe key.bytes.withUnsafeBytes {
        unsafe sqlite3_rekey_v2(db, "main", $0.baseAddress, Int32(clamping: $0.count))
      }
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }

    /// Returns whether the file has the header of an unencrypted database. The file descriptor that
    /// SQLite has open is used: opening and closing the file again would release the process's
    /// locks on it.
    func hasPlainHeader() throws(SQLiteError) -> Bool {
      unsafe holt_has_plain_header(try pointer(), "main") != 0
    }
  }
#endif
