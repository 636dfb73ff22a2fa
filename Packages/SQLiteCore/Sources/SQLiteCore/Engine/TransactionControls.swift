internal import CSQLite

/// The statements that begin and end transactions.
enum TransactionControl: Int, CaseIterable {
  case beginDeferred, beginImmediate, beginExclusive, commit, rollback

  var sql: String {
    switch self {
    case .beginDeferred: "BEGIN DEFERRED"
    case .beginImmediate: "BEGIN IMMEDIATE"
    case .beginExclusive: "BEGIN EXCLUSIVE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    }
  }

  /// A Boolean value that indicates whether the compiled statement contains the databases that were
  /// attached when it was compiled.
  fileprivate var namesDatabases: Bool { self == .beginImmediate || self == .beginExclusive }
}

/// A connection's compiled transaction control statements, each compiled at its first use.
///
/// Every access runs two of them, and compiling takes longer than running.
@safe final class TransactionControls {
  private var compiled = unsafe [OpaquePointer?](
    repeating: nil, count: TransactionControl.allCases.count)

  deinit { finalize() }

  /// Runs a statement. An error stays the connection's last error until the next call.
  ///
  /// - Parameter isAttached: Whether databases may have been attached since the connection was
  ///   opened.
  func run(_ control: TransactionControl, on db: OpaquePointer, hasAttached: Bool) -> Int32 {
    guard !(hasAttached && control.namesDatabases) else {
      return unsafe sqlite3_exec(db, control.sql, nil, nil, nil)
    }
    if unsafe compiled[control.rawValue] == nil {
      let rc = unsafe sqlite3_prepare_v3(
        db, control.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled[control.rawValue], nil)
      guard rc == SQLITE_OK else { return rc }
    }
    let statement = unsafe compiled[control.rawValue]
    unsafe sqlite3_step(statement)
    // A reset repeats the error of the step, with its message.
    return unsafe sqlite3_reset(statement)
  }

  /// Finalizes the statements, so that the connection can be closed.
  func finalize() {
    for control in TransactionControl.allCases {
      unsafe sqlite3_finalize(compiled[control.rawValue])
      unsafe compiled[control.rawValue] = nil
    }
  }
}

extension Connection {
  /// The state of a transaction on one database.
  public enum TransactionState: Int, Hashable, Comparable, Sendable {
    /// The database is neither read nor written. A transaction may be open that has not used it.
    case none
    /// The database has been read: later writes by other connections are not visible.
    case read
    /// The database has been written, or the write lock is held.
    case write

    public static func < (a: TransactionState, b: TransactionState) -> Bool {
      a.rawValue < b.rawValue
    }
  }
}

extension ConnectionHandle {
  /// Returns the transaction state of one database, or the highest state of all databases if
  /// `schema` is `nil`.
  func transactionState(of schema: String?) throws(SQLiteError) -> Connection.TransactionState {
    if let schema { try requireSchema(schema) }
    switch unsafe sqlite3_txn_state(try pointer(), schema) {
    case SQLITE_TXN_WRITE: return .write
    case SQLITE_TXN_READ: return .read
    default: return .none
    }
  }
}
