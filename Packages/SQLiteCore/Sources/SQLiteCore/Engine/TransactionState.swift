internal import CSQLite

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
