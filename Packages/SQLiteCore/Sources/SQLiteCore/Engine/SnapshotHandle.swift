internal import CSQLite

/// Owns one `sqlite3_snapshot *`: a state of a write-ahead log that later transactions can read.
///
/// `@unchecked Sendable`: SQLite only reads the snapshot, and only `deinit` frees it.
@safe final class SnapshotHandle: @unchecked Sendable {
  private let snapshot: UnsafeMutablePointer<sqlite3_snapshot>

  /// Takes a snapshot of the state that the connection's open read transaction sees.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite was built
  ///   without snapshots.
  init(of handle: ConnectionHandle) throws(SQLiteError) {
    try SQLiteLibrary.require(.snapshots)
    var created: UnsafeMutablePointer<sqlite3_snapshot>?
    let rc = unsafe holt_snapshot_get(try handle.pointer(), "main", &created)
    guard rc == SQLITE_OK, let snapshot = unsafe created else {
      throw handle.error(rc, sql: nil).addingContext("taking a snapshot")
    }
    unsafe self.snapshot = snapshot
  }

  deinit { unsafe holt_snapshot_free(snapshot) }

  /// Makes a transaction that has just begun read this state.
  func open(on handle: ConnectionHandle) throws(SQLiteError) {
    let rc = unsafe holt_snapshot_open(try handle.pointer(), "main", snapshot)
    guard rc == SQLITE_OK else {
      throw handle.error(rc, sql: nil).addingContext("opening a snapshot")
    }
  }
}
