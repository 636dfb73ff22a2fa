extension Connection {
  /// Whether something that SQLite can turn on and off for a connection is on.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite does not
  ///   know it.
  public func isOn(_ option: Option) throws(SQLiteError) -> Bool {
    try handle.isOn(option)
  }

  /// Turns something on or off for this connection.
  ///
  /// ```swift
  /// try connection.turn(.triggers, on: false)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite does not
  ///   know it, or keeps it as it was.
  public func turn(_ option: Option, on isOn: Bool) throws(SQLiteError) {
    try handle.set(option, to: isOn)
    handle.hooks.hasChangedSettings.value = true
  }

  /// Empties the database file: every table, index, trigger and view is gone, and can't be had back.
  ///
  /// It works on a file that is too corrupt for anything else. The connection stays open, with its
  /// configuration.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/insideTransaction`` inside a transaction;
  ///   ``SQLiteError/Code/readOnly``; ``SQLiteError/Code/busy`` where others use the file.
  public func resetDatabase() throws(SQLiteError) {
    try refuseTransaction("a database is reset")
    cache.removeAll()
    try handle.resetDatabase()
  }

  /// Gives back memory that is not needed for correctness: cached pages, and compiled statements.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func releaseMemory() throws(SQLiteError) {
    cache.removeAll()
    try handle.releaseMemory()
  }

  /// Writes the changed pages of the transaction that is open to the file or its log, without a commit:
  /// their memory can then be given back.
  ///
  /// The pages are still the transaction's, and are undone by a rollback. Outside of a transaction, and for a
  /// database in memory, there is nothing to write.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.run("INSERT INTO page SELECT * FROM archive.page")
  ///   try connection.flushCache()
  ///   try connection.releaseMemory()
  ///   try connection.run("UPDATE page SET rank = length(text)")
  /// }
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` where a page is in use, or another
  ///   connection reads what would be written over: the rest is written, and the transaction goes
  ///   on; ``SQLiteError/Code/closed``; as writing does.
  public func flushCache() throws(SQLiteError) { try handle.flushCache() }

  /// Sets what statements do from now on that meet another connection's lock.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func setBusyPolicy(_ policy: Configuration.BusyPolicy) throws(SQLiteError) {
    try handle.setBusyPolicy(policy)
    handle.hooks.hasChangedSettings.value = true
  }

  func refuseTransaction(_ deed: String) throws(SQLiteError) {
    try handle.requireAccess()
    guard handle.isInTransaction else { return }
    throw SQLiteError(
      code: .insideTransaction, message: "\(deed) outside of transactions only")
  }
}
