internal import CSQLite

/// Owns one `sqlite3_backup *`. Releasing it rolls back an incomplete copy.
@safe final class BackupHandle {
  private var backup: OpaquePointer?
  private let source: ConnectionHandle
  private let destination: ConnectionHandle

  init(
    from source: ConnectionHandle, _ sourceSchema: String, to destination: ConnectionHandle,
    _ destinationSchema: String
  ) throws(SQLiteError) {
    let (from, to) = unsafe (try source.pointer(), try destination.pointer())
    guard let backup = unsafe sqlite3_backup_init(to, destinationSchema, from, sourceSchema) else {
      throw destination.error(unsafe sqlite3_errcode(to), sql: nil)
    }
    unsafe self.backup = backup
    self.source = source
    self.destination = destination
    source.dependentCount += 1
    destination.dependentCount += 1
    // SQLite lets statements read pages that are being overwritten.
    destination.isBackupDestination = true
    destination.enterScope()
  }

  deinit { try? finish() }

  /// Ends the copy, and rolls it back if it is incomplete. A second call has no effect.
  func finish() throws(SQLiteError) {
    guard let backup = unsafe backup else { return }
    unsafe self.backup = nil
    let rc = unsafe sqlite3_backup_finish(backup)
    source.dependentCount -= 1
    destination.dependentCount -= 1
    destination.leaveScope()
    destination.isBackupDestination = false
    destination.hooks.deliverEvents(on: destination)
    guard rc == SQLITE_OK else {
      throw SQLiteError(engineCode: rc, operation: "copying a database")
    }
  }

  /// The result of one step.
  enum Step { case more, done, locked(SQLiteError) }

  func step(pages: Int32) throws(SQLiteError) -> Step {
    let rc = unsafe sqlite3_backup_step(backup, pages)
    switch rc & 0xff {
    case SQLITE_OK: return .more
    case SQLITE_DONE: return .done
    case SQLITE_BUSY, SQLITE_LOCKED:
      return .locked(SQLiteError(engineCode: rc, operation: "copying a database"))
    default: throw SQLiteError(engineCode: rc, operation: "copying a database")
    }
  }

  var remainingPages: Int { Int(unsafe sqlite3_backup_remaining(backup)) }

  var pageCount: Int { Int(unsafe sqlite3_backup_pagecount(backup)) }
}

extension ConnectionHandle {
  static func pause(milliseconds: Int32) { sqlite3_sleep(milliseconds) }
}
