internal import CSQLite

/// Owns one `sqlite3_blob *`, and keeps its database open.
@safe final class BlobHandle {
  let connection: ConnectionHandle
  private var blob: OpaquePointer?
  private(set) var count = 0
  /// The value of ``ConnectionHandle/forcedResets`` when the blob was opened. SQLite does not
  /// detect that a forced reset has invalidated the blob's statement.
  private let forcedResets: Int
  private var isExpired = false

  init(
    _ connection: ConnectionHandle, schema: String, table: String, column: String, row: Int64,
    writes: Bool
  ) throws(SQLiteError) {
    let db = unsafe try connection.pointer()
    guard ![schema, table, column].contains(where: { $0.utf8.contains(0) }) else {
      throw SQLiteError(
        code: .error, message: "a schema, table or column name contains a NUL character")
    }
    var opened: OpaquePointer?
    let rc = unsafe sqlite3_blob_open(db, schema, table, column, row, writes ? 1 : 0, &opened)
    guard rc == SQLITE_OK, let blob = unsafe opened else {
      let failure = connection.error(rc, sql: nil)
      // Outside a transaction, SQLite commits the transaction that it began for this call.
      connection.hooks.deliverEvents(on: connection)
      try connection.requireSchema(schema)
      throw failure
    }
    unsafe self.blob = blob
    self.connection = connection
    connection.blobCount += 1
    forcedResets = connection.forcedResets
    count = Int(unsafe sqlite3_blob_bytes(blob))
  }

  deinit {
    guard let blob = unsafe blob else { return }
    let isExpired = isExpired
    connection.whenAccessible { try? unsafe Self.close(blob, isExpired: isExpired, of: $0) }
  }

  /// Closes the blob. Outside a transaction, this commits the written bytes.
  func close() throws(SQLiteError) {
    guard let blob = unsafe blob else { return }
    try connection.requireAccess()
    unsafe self.blob = nil
    count = 0
    try unsafe Self.close(blob, isExpired: isExpired, of: connection)
  }

  private static func close(
    _ blob: OpaquePointer, isExpired: Bool, of connection: ConnectionHandle
  ) throws(SQLiteError) {
    connection.blobCount -= 1
    let rc = unsafe sqlite3_blob_close(blob)
    // The expiration has already been reported, and closing the blob repeats its code.
    let failure = rc == SQLITE_OK || isExpired ? nil : connection.error(rc, sql: nil)
    connection.hooks.deliverEvents(on: connection)
    guard let failure else { return }
    guard failure.code == .constraintCommitHook, let veto = connection.hooks.takeVeto() else {
      throw failure
    }
    throw failure.replacingMessage("\(veto)")
  }

  func reopen(row: Int64) throws(SQLiteError) {
    let blob = unsafe try pointer()
    let rc = unsafe sqlite3_blob_reopen(blob, row)
    guard rc == SQLITE_OK else {
      // A failed call invalidates the blob.
      isExpired = true
      count = 0
      let failure = rc == SQLITE_ABORT ? expired : connection.error(rc, sql: nil)
      connection.hooks.deliverEvents(on: connection)
      throw failure
    }
    count = Int(unsafe sqlite3_blob_bytes(blob))
  }

  /// Reads bytes into `buffer`. The caller ensures that the range is inside the blob.
  func read(into buffer: inout MutableSpan<UInt8>, at offset: Int) throws(SQLiteError) {
    let blob = unsafe try pointer()
    let rc = unsafe buffer.withUnsafeMutableBytes {
      unsafe sqlite3_blob_read(
        blob, $0.baseAddress, Int32(clamping: $0.count), Int32(clamping: offset))
    }
    try check(rc)
  }

  /// Writes `bytes`. The caller ensures that the range is inside the blob.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws(SQLiteError) {
    let blob = unsafe try pointer()
    connection.enablePreupdateHook()
    let rc = unsafe bytes.withUnsafeBytes {
      unsafe sqlite3_blob_write(
        blob, $0.baseAddress, Int32(clamping: $0.count), Int32(clamping: offset))
    }
    try check(rc)
  }

  /// Throws if the blob is closed or is known to have expired.
  func checkIsUsable() throws(SQLiteError) { _ = unsafe try pointer() }

  private func check(_ rc: Int32) throws(SQLiteError) {
    if rc == SQLITE_OK { return }
    guard rc & 0xff == SQLITE_ABORT else { throw connection.error(rc, sql: nil) }
    isExpired = true
    count = 0
    throw expired
  }

  private func pointer() throws(SQLiteError) -> OpaquePointer {
    try connection.requireAccess()
    guard let blob = unsafe blob else {
      throw SQLiteError(code: .closed, message: "the blob is closed")
    }
    guard !isExpired, forcedResets == connection.forcedResets else {
      count = 0
      throw expired
    }
    if connection.interrupter.isCancelled {
      throw SQLiteError(code: .interrupt, message: "the access was cancelled")
    }
    return unsafe blob
  }

  private var expired: SQLiteError {
    SQLiteError(
      code: .blobExpired,
      message: "the row was changed, deleted or rolled back after the blob was opened"
    )
  }
}
