extension DataProvider {
  /// Begins a transaction that stays open until ``endTransaction()`` or ``rollbackTransaction()``.
  ///
  /// Whatever is done with the provider until then, by whomever, is a part of it. Inside of one, another begins as
  /// a part of it that can be undone by itself. Where a closure will do, use ``DataAccess/transaction(_:)``, which
  /// can't be left open and is nobody else's.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen`` or ``ProviderError/Code/readOnly``; `SQLiteError`
  ///   with code `nestedAccess` inside an access, with `busy` where another process writes.
  public func beginTransaction() throws { try session.beginTransaction() }

  /// Commits the transaction that was begun last.
  ///
  /// It is over then, also where this fails.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/noTransaction`` where none was; `SQLiteError` of what could not
  ///   be committed, which is then undone; with code `transactionEnded` where SQLite has rolled back all of it before;
  ///   with `nestedAccess` inside an access, and then it is not over.
  public func endTransaction() throws { try session.endTransaction() }

  /// Undoes all that was done since the transaction was begun that was begun last, and ends it.
  ///
  /// Objects that were saved meanwhile keep the keys that were written back into them, of which there are no rows
  /// now: see ``KeyedDataTable``.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/noTransaction`` where none was.
  public func rollbackTransaction() throws { try session.rollBackTransaction() }
}
