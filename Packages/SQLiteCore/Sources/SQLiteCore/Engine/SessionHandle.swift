internal import CSQLite

/// Owns one `sqlite3_session *`, and retains its connection.
@safe final class SessionHandle {
  let connection: ConnectionHandle
  private let session: OpaquePointer
  /// The filter that selects the tables to record, if any.
  private var filter: TableFilter?

  init(_ connection: ConnectionHandle, schema: String) throws(SQLiteError) {
    let db = unsafe try connection.pointer()
    try SQLiteLibrary.require(.sessions)
    try connection.requireSchema(schema)
    try connection.hooks.checkSessionAllowed()
    var created: OpaquePointer?
    let rc = unsafe connection.hooks.withSessionHook(of: db) {
      unsafe holt_session_create(db, schema, &created)
    }
    guard rc == SQLITE_OK, let session = unsafe created else {
      throw connection.error(rc, sql: nil)
    }
    unsafe self.session = session
    self.connection = connection
    connection.hooks.sessions.count += 1
    connection.dependentCount += 1
    // As for observers, earlier compiled statements may truncate whole tables without reporting
    // rows.
    unsafe connection.hooks.expireStatements(of: db)
  }

  deinit {
    let (session, filter) = unsafe (session, filter)
    connection.whenAccessible { connection in
      connection.dependentCount -= 1
      unsafe connection.hooks.discard(session, filter)
    }
  }

  var isEnabled: Bool {
    get { unsafe holt_session_enable(accessible, -1) != 0 }
    set { unsafe holt_session_enable(accessible, newValue ? 1 : 0) }
  }

  var isIndirect: Bool {
    get { unsafe holt_session_indirect(accessible, -1) != 0 }
    set { unsafe holt_session_indirect(accessible, newValue ? 1 : 0) }
  }

  var isEmpty: Bool { unsafe holt_session_is_empty(accessible) != 0 }

  var memoryUsed: Int? {
    let bytes = unsafe holt_session_memory_used(accessible)
    return bytes < 0 ? nil : Int(bytes)
  }

  /// The pointer, for callers that can't throw.
  private var accessible: OpaquePointer {
    connection.preconditionAccess()
    return unsafe session
  }

  /// Records every table.
  func attachAll() throws(SQLiteError) {
    try connection.requireAccess()
    unsafe holt_session_table_filter(session, nil, nil)
    filter = nil
    try attach(nil)
  }

  /// Records one table, or all tables that pass the filter.
  func attach(_ table: String?) throws(SQLiteError) {
    try connection.requireAccess()
    if let table { try ConnectionHandle.checkNoNUL(in: table) }
    let rc = unsafe holt_session_attach(session, table)
    guard rc == SQLITE_OK else { throw connection.error(rc, sql: nil) }
  }

  /// Records the tables for which `isIncluded` returns `true`. It is called before the first change
  /// of each table.
  func attach(where isIncluded: @escaping (String) -> Bool) throws(SQLiteError) {
    try connection.requireAccess()
    let filter = TableFilter(isIncluded, connection.hooks)
    unsafe holt_session_table_filter(
      session, filterCallback, Unmanaged.passUnretained(filter).toOpaque())
    self.filter = filter
    try attach(nil)
  }

  func changes(asPatchset isPatchset: Bool) throws(SQLiteError) -> [UInt8] {
    try connection.requireAccess()
    let session = unsafe session
    let (rc, bytes) = unsafe Changeset.copyBytes { (count, bytes) in
      unsafe isPatchset
        ? holt_session_patchset(session, count, bytes)
        : holt_session_changeset(session, count, bytes)
    }
    defer { connection.hooks.deliverEvents(on: connection) }
    guard rc == SQLITE_OK else { throw connection.error(rc, sql: nil) }
    return bytes
  }

  /// Like ``changes(asPatchset:)``, but passes the bytes to `body` in chunks.
  func write(asPatchset isPatchset: Bool, to body: ([UInt8]) throws -> Void) throws {
    try connection.requireAccess()
    try withoutActuallyEscaping(body) { body in
      let output = ByteOutput(body)
      let context = unsafe Unmanaged.passUnretained(output).toOpaque()
      let rc =
        unsafe isPatchset
        ? holt_session_patchset_strm(session, outputCallback, context)
        : holt_session_changeset_strm(session, outputCallback, context)
      let failure = rc == SQLITE_OK ? nil : connection.error(rc, sql: nil)
      connection.hooks.deliverEvents(on: connection)
      if let failure { throw output.failure ?? failure }
    }
  }

  /// Adds the changes that turn a table of `schema` into the session's table.
  func diff(from schema: String, table: String) throws(SQLiteError) {
    try connection.requireSchema(schema)
    var message: UnsafeMutablePointer<CChar>?
    let rc = unsafe holt_session_diff(session, schema, table, &message)
    defer { unsafe sqlite3_free(message) }
    guard rc != SQLITE_OK else { return }
    let failure = connection.error(rc, sql: nil)
    guard let message = unsafe message else { throw failure }
    throw failure.replacingMessage(unsafe String(cString: message))
  }
}

/// The context of a session's table filter.
final class TableFilter {
  let isIncluded: (String) -> Bool
  /// The hooks of the session's connection.
  let hooks: Hooks

  init(_ isIncluded: @escaping (String) -> Bool, _ hooks: Hooks) {
    self.isIncluded = isIncluded
    self.hooks = hooks
  }
}

private func filterCallback(
  context: UnsafeMutableRawPointer?, table: UnsafePointer<CChar>?
) -> Int32 {
  guard let context = unsafe context, let table = unsafe table else { return 0 }
  let filter = unsafe Unmanaged<TableFilter>.fromOpaque(context).takeUnretainedValue()
  let name = unsafe String(cString: table)
  // SQLite is iterating over the sessions, which must not be deleted during the iteration.
  return filter.hooks.inCallback { filter.isIncluded(name) } ? 1 : 0
}

/// The consumer of a session's output, and the error that it threw.
private final class ByteOutput {
  let body: ([UInt8]) throws -> Void
  var failure: (any Error)?

  init(_ body: @escaping ([UInt8]) throws -> Void) { self.body = body }
}

private func outputCallback(
  context: UnsafeMutableRawPointer?, bytes: UnsafeRawPointer?, count: Int32
) -> Int32 {
  guard let context = unsafe context else { return SQLITE_MISUSE }
  let output = unsafe Unmanaged<ByteOutput>.fromOpaque(context).takeUnretainedValue()
  do {
    try output.body(unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count))))
    return SQLITE_OK
  } catch {
    output.failure = error
    return SQLITE_ABORT
  }
}

extension ConnectionHandle {
  /// Throws if the connection has no database of this name.
  func requireSchema(_ schema: String) throws(SQLiteError) {
    let db = unsafe try pointer()
    guard !schema.utf8.contains(0), unsafe sqlite3_txn_state(db, schema) >= 0 else {
      throw SQLiteError(
        code: .unknownSchema, message: "the connection has no database named \(schema)")
    }
  }
}
