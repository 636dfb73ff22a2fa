public import SQLiteCore

extension DatabaseObservation {
  /// What became of a transaction that had changed something.
  public enum TransactionEvent: Hashable, Sendable {
    /// It was committed, and this is its net effect.
    case commit(ChangeSet)
    /// It was rolled back: by request, by a fault, or by a veto. These tables are as they were before.
    case rollback(tables: Set<TableName>)
  }
}
