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

  /// Whether the compiled form names the databases that were attached when it was compiled.
  fileprivate var namesDatabases: Bool { self == .beginImmediate || self == .beginExclusive }
}

/// A connection's compiled statements of transactions, each compiled when it is first needed.
///
/// Every access runs two of them; compiling takes longer than running them does.
@safe final class TransactionControls {
  private var compiled = unsafe [OpaquePointer?](
    repeating: nil, count: TransactionControl.allCases.count)

  deinit { finalize() }

  /// Runs one. What it failed with is the connection's last error until the next call.
  ///
  /// - Parameter isAttached: Whether databases may have been attached since the connection was opened.
  func run(_ control: TransactionControl, on db: OpaquePointer, isAttached: Bool) -> Int32 {
    guard !(isAttached && control.namesDatabases) else {
      return unsafe sqlite3_exec(db, control.sql, nil, nil, nil)
    }
    if unsafe compiled[control.rawValue] == nil {
      let rc = unsafe sqlite3_prepare_v3(
        db, control.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled[control.rawValue], nil)
      guard rc == SQLITE_OK else { return rc }
    }
    let statement = unsafe compiled[control.rawValue]
    unsafe sqlite3_step(statement)
    // A reset tells the step's failure again, with its message.
    return unsafe sqlite3_reset(statement)
  }

  /// Lets them go, so that the connection can be closed.
  func finalize() {
    for control in TransactionControl.allCases {
      unsafe sqlite3_finalize(compiled[control.rawValue])
      unsafe compiled[control.rawValue] = nil
    }
  }
}

extension Connection {
  /// How far the transaction on a database has come, as far as the database knows of it.
  public enum TransactionState: Int, Hashable, Comparable, Sendable {
    /// Nothing is read or written: there may be a transaction, but it has not begun there.
    case none
    /// Something has been read: what others write from then on is not seen.
    case read
    /// Something has been written, or the right to write been taken.
    case write

    public static func < (a: TransactionState, b: TransactionState) -> Bool {
      a.rawValue < b.rawValue
    }
  }
}

extension ConnectionHandle {
  /// How far a transaction on one of the connection's databases has come; on the one where it has come
  /// furthest, if none is named.
  func transactionState(of schema: String?) throws(SQLiteError) -> Connection.TransactionState {
    if let schema { try requireSchema(schema) }
    switch unsafe sqlite3_txn_state(try pointer(), schema) {
    case SQLITE_TXN_WRITE: return .write
    case SQLITE_TXN_READ: return .read
    default: return .none
    }
  }
}
