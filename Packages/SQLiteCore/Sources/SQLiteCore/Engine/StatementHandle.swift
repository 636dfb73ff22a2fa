internal import CSQLite

/// Owns one `sqlite3_stmt *`, and finalizes it when it is released.
@safe struct StatementHandle: ~Copyable {
  let cursor: StatementCursor
  private let connection: ConnectionHandle

  fileprivate init(_ statement: OpaquePointer, of connection: ConnectionHandle) {
    cursor = unsafe StatementCursor(statement)
    self.connection = connection
    unsafe connection.statements.insert(statement)
  }

  deinit {
    let cursor = cursor
    connection.whenAccessible { connection in
      if let statement = unsafe cursor.pointer { unsafe connection.statements.remove(statement) }
      cursor.finalize()
    }
  }
}

extension ConnectionHandle {
  /// The result of compiling the first statement of a text.
  struct Prepared: ~Copyable {
    /// `nil` if the text contains only whitespace and comments.
    var statement: StatementHandle?
    /// The number of bytes that the statement occupies in the text.
    var length: Int
    /// The tables and columns that the statement reads and writes.
    var access: Statement.Access
  }

  /// Compiles the first statement of `text`, from byte `start` on.
  func prepare(
    _ text: SQLText, from start: Int = 0, persistent: Bool
  ) throws(SQLiteError) -> Prepared {
    let db = unsafe try pointer()
    enablePreupdateHook()
    let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    var statement: OpaquePointer?
    var length = 0
    hooks.beginRecording()
    let rc: Int32 = unsafe text.bytes.withUnsafeBufferPointer { bytes in
      guard let rest = unsafe bytes.baseAddress?.advanced(by: start),
        let count = Int32(exactly: bytes.count - start)
      else { return SQLITE_TOOBIG }
      var tail: UnsafePointer<CChar>?
      var rc = SQLITE_OK
      var attempts = 0
      repeat {
        rc = unsafe sqlite3_prepare_v3(db, rest, count, flags, &statement, &tail)
        attempts += 1
      } while rc == SQLITE_SCHEMA && attempts < Self.maximumCompilations
      length = unsafe tail.map { unsafe $0 - rest } ?? text.count - start
      return rc
    }
    var access = hooks.endRecording()
    guard rc == SQLITE_OK else { throw error(rc, sql: text.sql).shifted(by: start) }
    access.resolveSchemas { unsafe Self.schema(ofTable: $0, in: db) }
    guard let statement = unsafe statement else {
      return Prepared(statement: nil, length: length, access: access)
    }
    return unsafe Prepared(
      statement: StatementHandle(statement, of: self), length: length,
      access: access)
  }

  /// The maximum number of compilations while other connections change the schema, which equals
  /// SQLite's limit for a running statement.
  static let maximumCompilations = 50

  /// Returns the first schema that has a table of this name, in SQLite's lookup order.
  private static func schema(ofTable table: String, in db: OpaquePointer) -> String? {
    func hasTable(_ schema: String) -> Bool {
      unsafe sqlite3_table_column_metadata(db, schema, table, nil, nil, nil, nil, nil, nil)
        == SQLITE_OK
    }
    if hasTable("temp") { return "temp" }
    if hasTable("main") { return "main" }
    var index: Int32 = 2
    while let name = unsafe holt_db_name(db, index) {
      let schema = unsafe String(cString: name)
      if hasTable(schema) { return schema }
      index += 1
    }
    return nil
  }
}

/// The unowned pointer of a prepared statement, through which ``Row`` reads.
@safe struct StatementCursor {
  /// For use in this folder only. `nil` if there is no statement, which SQLite treats as a
  /// statement without a row.
  let pointer: OpaquePointer?

  fileprivate init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }

  /// The cursor of rows in memory, which have no statement.
  static var none: StatementCursor { unsafe StatementCursor(nil) }

  fileprivate func finalize() { unsafe sqlite3_finalize(pointer) }

  /// The result of one step.
  enum Step { case row, done, failed(Int32) }

  @inline(__always)
  func step() -> Step {
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: .row
    case SQLITE_DONE: .done
    case let code: .failed(code)
    }
  }

  /// Resets the statement; the values stay bound. Returns the result code of the last step.
  @discardableResult func reset() -> Int32 { unsafe sqlite3_reset(pointer) }

  func clearBindings() { unsafe sqlite3_clear_bindings(pointer) }

  /// The number of times that SQLite has recompiled the statement because the schema had changed.
  var recompilationCount: Int {
    Int(unsafe sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0))
  }

  var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

  var expandedSQL: String? {
    guard let text = unsafe sqlite3_expanded_sql(pointer) else { return nil }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text)
  }

  // MARK: Parameters

  var parameterCount: Int { Int(unsafe sqlite3_bind_parameter_count(pointer)) }

  func parameterName(at index: Int) -> String? {
    unsafe sqlite3_bind_parameter_name(pointer, Int32(index)).map { unsafe String(cString: $0) }
  }

  func parameterIndex(named name: String) -> Int {
    // SQLite would truncate the name at a NUL.
    name.utf8.contains(0) ? 0 : Int(unsafe sqlite3_bind_parameter_index(pointer, name))
  }

  func bindNull(at index: Int32) -> Int32 { unsafe sqlite3_bind_null(pointer, index) }

  func bind(_ value: Int64, at index: Int32) -> Int32 {
    unsafe sqlite3_bind_int64(pointer, index, value)
  }

  func bind(_ value: Double, at index: Int32) -> Int32 {
    unsafe sqlite3_bind_double(pointer, index, value)
  }

  /// Binds a text, which is copied by SQLite or into the arena. The arena must outlive the binding.
  @inline(__always)
  func bind(_ value: String, at index: Int32, in arena: BindingArena) -> Int32 {
    let code = unsafe value.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bind(text: bytes, at: index, in: arena)
    }
    return code ?? bindBridged(value, at: index, in: arena)
  }

  /// Binds a text that is not stored as UTF-8: a bridged `NSString`.
  private func bindBridged(_ value: String, at index: Int32, in arena: BindingArena) -> Int32 {
    var value = value
    return value.withUTF8 { unsafe bind(text: $0, at: index, in: arena) }
  }

  func bind(text: Span<UInt8>, at index: Int32, in arena: BindingArena) -> Int32 {
    return unsafe text.withUnsafeBufferPointer { unsafe bind(text: $0, at: index, in: arena) }
  }

  @inline(__always)
  private func bind(
    text: UnsafeBufferPointer<UInt8>, at index: Int32, in arena: BindingArena
  ) -> Int32 {
    // An empty text may have no address, and a NULL address would bind NULL.
    guard let start = text.baseAddress, !text.isEmpty else {
      return unsafe holt_bind_text(pointer, index, nil, 0, 1)
    }
    let copy = unsafe arena.copy(start, count: text.count)
    return unsafe holt_bind_text(
      pointer, index, copy ?? UnsafeRawPointer(start), UInt64(text.count), copy == nil ? 0 : 1)
  }

  /// Binds a blob, which is copied by SQLite or into the arena. The arena must outlive the binding.
  @inline(__always)
  func bind(_ value: [UInt8], at index: Int32, in arena: BindingArena) -> Int32 {
    return unsafe value.withUnsafeBytes { unsafe bind(blob: $0, at: index, in: arena) }
  }

  func bind(_ value: Span<UInt8>, at index: Int32, in arena: BindingArena) -> Int32 {
    return unsafe value.withUnsafeBytes { unsafe bind(blob: $0, at: index, in: arena) }
  }

  @inline(__always)
  private func bind(
    blob: UnsafeRawBufferPointer, at index: Int32, in arena: BindingArena
  ) -> Int32 {
    guard let start = blob.baseAddress, unsafe !blob.isEmpty else {
      return unsafe sqlite3_bind_zeroblob(pointer, index, 0)
    }
    let copy = unsafe arena.copy(start, count: blob.count)
    return unsafe holt_bind_blob(
      pointer, index, copy ?? start, UInt64(blob.count), copy == nil ? 0 : 1)
  }

  // MARK: Result

  var columnCount: Int { Int(unsafe sqlite3_column_count(pointer)) }

  /// The number of columns of the current row; 0 if there is no row.
  var dataCount: Int { Int(unsafe sqlite3_data_count(pointer)) }

  func columnName(at index: Int) -> String {
    unsafe sqlite3_column_name(pointer, Int32(index)).map { unsafe String(cString: $0) } ?? ""
  }

  func declaredType(at index: Int) -> String? {
    unsafe sqlite3_column_decltype(pointer, Int32(index)).map { unsafe String(cString: $0) }
  }

  func columnOrigin(at index: Int) -> (table: String?, column: String?) {
    let i = Int32(index)
    let table = unsafe sqlite3_column_table_name(pointer, i).map { unsafe String(cString: $0) }
    let column = unsafe sqlite3_column_origin_name(pointer, i).map { unsafe String(cString: $0) }
    return (table, column)
  }
}

extension SQLiteValue.StorageClass {
  /// The storage class for one of SQLite's five fundamental type codes.
  init(engineCode code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}

extension StatementCursor {
  /// Binds a zeroblob, which uses no memory until it is stored.
  func bindZeros(count: Int, at index: Int32) -> Int32 {
    unsafe sqlite3_bind_zeroblob64(pointer, index, UInt64(count))
  }
}

extension StatementCursor {
  /// Returns one of SQLite's counters. SQLite does not validate the number; the caller does.
  func count(_ counter: Int32, resetting: Bool) -> Int {
    Int(unsafe sqlite3_stmt_status(pointer, counter, resetting ? 1 : 0))
  }

  /// The text with each literal replaced by `?`; `nil` if SQLite does not support it.
  var normalizedSQL: String? {
    unsafe holt_normalized_sql(pointer).map { unsafe String(cString: $0) }
  }
}

/// The current row's columns.
///
/// A column is read with one call for its value, and then reads of that value. The
/// `sqlite3_column_…` functions would look up the column again for its type, its bytes and its
/// size. SQLite calls such a value unprotected, because another thread might use the connection
/// concurrently, which is excluded here.
extension StatementCursor {
  /// Returns the value of a column; NULL if there is no such column or no row.
  @inline(__always)
  func value(at index: Int) -> EngineValue {
    unsafe EngineValue(sqlite3_column_value(pointer, Int32(truncatingIfNeeded: index)))
  }

  /// Makes the connection recover from running out of memory while reading a value.
  ///
  /// SQLite's column functions do this at every call, and make the next step fail, because the run
  /// may be incomplete.
  func endMemoryFailure() { _ = unsafe sqlite3_column_type(pointer, 0) }
}

extension StatementCursor {
  /// Binds `bytes` without a copy while `body` runs.
  ///
  /// Afterwards the statement is reset and the parameter is NULL, so that SQLite no longer refers
  /// to the bytes.
  ///
  /// - Parameter body: Receives the result code of the binding.
  func withBound<Result: ~Copyable, Failure: Error>(
    _ bytes: Span<UInt8>, asText isText: Bool, at index: Int32,
    _ body: (Int32) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe bytes.withUnsafeBytes { (bytes) throws(Failure) in
      let code = unsafe bind(borrowed: bytes, asText: isText, at: index)
      defer {
        if code == SQLITE_OK {
          reset()
          _ = bindNull(at: index)
        }
      }
      return try body(code)
    }
  }

  private func bind(
    borrowed bytes: UnsafeRawBufferPointer, asText isText: Bool, at index: Int32
  ) -> Int32 {
    // An empty span may have no address, and a NULL address would bind NULL.
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
      return unsafe isText
        ? holt_bind_text(pointer, index, "", 0, 0) : sqlite3_bind_zeroblob(pointer, index, 0)
    }
    return unsafe isText
      ? holt_bind_text(pointer, index, start, UInt64(bytes.count), 1)
      : holt_bind_blob(pointer, index, start, UInt64(bytes.count), 1)
  }
}
