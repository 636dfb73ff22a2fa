extension Connection {
  /// How far the transaction on one of the connection's databases has come.
  ///
  /// A statement that stands at a row is a transaction, too, though no `BEGIN` began it: that is how this
  /// differs from ``isInTransaction``. A deferred transaction is none on a database until it reads from it.
  ///
  /// ```swift
  /// try connection.transaction(.deferred) {
  ///   print(try connection.transactionState())  // none
  ///   _ = try connection.value(Int.self, "SELECT count(*) FROM book")
  ///   print(try connection.transactionState())  // read
  /// }
  /// ```
  ///
  /// - Parameter schema: `main`, `temp` or the name of an attached database; `nil` for the one on which the
  ///   transaction has come furthest.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``, or
  ///   ``SQLiteError/Code/closed``.
  public func transactionState(of schema: String? = nil) throws(SQLiteError) -> TransactionState {
    try handle.transactionState(of: schema)
  }
}
