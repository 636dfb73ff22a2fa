extension Connection {
  /// The moment of the transaction that is open, in seconds since the beginning of 1970: one and the
  /// same until it ends. Outside of a transaction, it is now.
  ///
  /// It is taken from ``Configuration/clock`` when it is first asked for inside the transaction.
  /// SQL's `CURRENT_TIMESTAMP` knows nothing of it.
  public var transactionTime: Double {
    guard isInTransaction else { return configuration.clock() }
    if let moment = hooks.transactionMoment { return moment }
    let now = configuration.clock()
    hooks.transactionMoment = now
    return now
  }
}
