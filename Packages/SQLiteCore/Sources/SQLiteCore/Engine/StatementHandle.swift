internal import CSQLite

/// Owns one `sqlite3_stmt *`; letting it go finalizes it.
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
  /// What `sqlite3_prepare` made of the beginning of a text.
  struct Prepared: ~Copyable {
    /// `nil` where the text holds nothing but space and comments.
    var statement: StatementHandle?
    /// How many bytes of the text the statement took.
    var length: Int
    /// What the statement reads and writes.
    var access: Statement.Access
  }

  /// Compiles the first statement of `text`, from byte `start` on.
  func prepare(
    _ text: SQLText, from start: Int = 0, persistent: Bool
  ) throws(SQLiteError) -> Prepared {
    let db = unsafe try pointer()
    unmute()
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

  /// How often a statement is compiled while others change the schema: as often as SQLite does it for one that runs.
  static let maximumCompilations = 50

  /// The first schema that has a table of this name, in the order in which SQLite looks.
  private static func schema(ofTable table: String, in db: OpaquePointer) -> String? {
    func isThere(_ schema: String) -> Bool {
      unsafe sqlite3_table_column_metadata(db, schema, table, nil, nil, nil, nil, nil, nil)
        == SQLITE_OK
    }
    if isThere("temp") { return "temp" }
    if isThere("main") { return "main" }
    var index: Int32 = 2
    while let name = unsafe holt_db_name(db, index) {
      let schema = unsafe String(cString: name)
      if isThere(schema) { return schema }
      index += 1
    }
    return nil
  }
}

extension SQLiteError {
  /// The same error, its offset counted from the start of a longer text.
  fileprivate func shifted(by bytes: Int) -> SQLiteError {
    guard bytes > 0, let offset else { return self }
    return SQLiteError(
      code: code, message: message, sql: sql, offset: ByteOffset(rawValue: offset.rawValue + bytes),
      expandedSQL: expandedSQL, column: column)
  }
}

/// A prepared statement's pointer, without its ownership: what ``Row`` reads through.
@safe struct StatementCursor {
  /// For this folder alone; `nil` for no statement, which SQLite treats as one that has no row.
  let pointer: OpaquePointer?

  fileprivate init(_ pointer: OpaquePointer?) { unsafe self.pointer = pointer }

  /// The cursor of rows that are in memory, which no statement returns.
  static var none: StatementCursor { unsafe StatementCursor(nil) }

  fileprivate func finalize() { unsafe sqlite3_finalize(pointer) }

  /// What one step came to.
  enum Step { case row, done, failed(Int32) }

  @inline(__always)
  func step() -> Step {
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: .row
    case SQLITE_DONE: .done
    case let code: .failed(code)
    }
  }

  /// Ends the run; the values stay bound. The code that the last step gave is repeated.
  @discardableResult func reset() -> Int32 { unsafe sqlite3_reset(pointer) }

  func clearBindings() { unsafe sqlite3_clear_bindings(pointer) }

  /// How often SQLite has compiled the statement anew, since the schema had changed.
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
    // The engine would take the name to end at a NUL.
    name.utf8.contains(0) ? 0 : Int(unsafe sqlite3_bind_parameter_index(pointer, name))
  }

  func bindNull(at index: Int32) -> Int32 { unsafe sqlite3_bind_null(pointer, index) }

  func bind(_ value: Int64, at index: Int32) -> Int32 {
    unsafe sqlite3_bind_int64(pointer, index, value)
  }

  func bind(_ value: Double, at index: Int32) -> Int32 {
    unsafe sqlite3_bind_double(pointer, index, value)
  }

  /// Binds a text: SQLite copies it, or the arena does, which must outlive the binding.
  @inline(__always)
  func bind(_ value: String, at index: Int32, in arena: BindingArena) -> Int32 {
    let code = unsafe value.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe bind(text: bytes, at: index, in: arena)
    }
    return code ?? bindBridged(value, at: index, in: arena)
  }

  /// Binds a text that is not stored as UTF-8: those of Objective-C.
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
    // An empty text has no address to speak of, and a NULL address would bind NULL.
    guard let start = text.baseAddress, !text.isEmpty else {
      return unsafe holt_bind_text(pointer, index, nil, 0, 1)
    }
    let copy = unsafe arena.place(start, count: text.count)
    return unsafe holt_bind_text(
      pointer, index, copy ?? UnsafeRawPointer(start), UInt64(text.count), copy == nil ? 0 : 1)
  }

  /// Binds a blob: SQLite copies it, or the arena does, which must outlive the binding.
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
    let copy = unsafe arena.place(start, count: blob.count)
    return unsafe holt_bind_blob(
      pointer, index, copy ?? start, UInt64(blob.count), copy == nil ? 0 : 1)
  }

  // MARK: Result

  var columnCount: Int { Int(unsafe sqlite3_column_count(pointer)) }

  /// The number of columns of the current row: none where there is no row.
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
  /// The storage class that one of the engine's five fundamental codes stands for.
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
  /// Binds a blob of zeros, which takes no memory until it is stored.
  func bindZeros(count: Int, at index: Int32) -> Int32 {
    unsafe sqlite3_bind_zeroblob64(pointer, index, UInt64(count))
  }
}
