internal import SQLiteCore
internal import Primitives

/// Transactions that stay open from one call to the next.
extension SourceSession {
  /// Whether a transaction is open that ``beginTransaction()`` began.
  var isInTransaction: Bool { state.withLock { $0.transaction != nil } }

  func beginTransaction() throws {
    try inTurn {
      let source = try writableSource()
      if let transaction = state.withLock(\.transaction) {
        try transaction.savepoint()
      } else {
        let transaction = try source.database.beginTransaction()
        state.withLock { $0.transaction = transaction }
      }
    }
  }

  func endTransaction() throws {
    try leaveTransaction {
      try $0.releaseSavepoint()
    } end: {
      try $0.commit()
    }
  }

  func rollBackTransaction() throws {
    try leaveTransaction {
      try $0.rollBackSavepoint()
    } end: {
      $0.rollBack()
    }
  }

  private func leaveTransaction(
    part: (Database.Transaction) throws -> Void, end: (Database.Transaction) throws -> Void
  ) throws {
    try inTurn {
      guard let transaction = state.withLock(\.transaction) else {
        _ = try source()
        throw ProviderError(.noTransaction, "no transaction was begun")
      }
      if transaction.savepointCount > 0 { return try part(transaction) }
      // Accesses that begin from here on wait for the transaction's end, whether by success or failure.
      state.withLock { $0.transaction = nil }
      try end(transaction)
    }
  }
}
