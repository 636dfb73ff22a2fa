extension Connection {
  /// Begins to record the changes of rows.
  ///
  /// - Parameter schema: The database whose tables are watched; `main`, or the name of an attached one.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where SQLite has no session extension,
  ///   or the connection has observers that can't be told beside it; with ``SQLiteError/Code/unknownSchema``
  ///   where there is no such database.
  public func session(of schema: String = "main") throws(SQLiteError) -> Changeset.Session {
    try Changeset.Session(handle, schema: schema)
  }

  /// Makes the changes of a changeset in this connection's main database: all of them that are not left
  /// out, or none.
  ///
  /// Outside of a transaction it is one; inside of one it is a savepoint. Rows are found by the primary key,
  /// whatever they are called here otherwise: a table that is missing, or has fewer columns or another
  /// primary key, is left out without a word, as SQLite does. References are checked when all is done.
  ///
  /// ```swift
  /// try connection.apply(changeset) { conflict in
  ///   conflict.kind == .data || conflict.kind == .primaryKey ? .replace : .omit
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - changeset: A changeset or a patchset.
  ///   - options: How it is applied.
  ///   - isIncluded: Whether the changes of a table are made; all, if it is left out.
  ///   - resolve: Decides about a change that can't be made as it is. It must not use the connection.
  /// - Returns: What to rebase other changesets on: see ``Changeset/rebased(on:)``.
  /// - Throws: What `resolve` throws; ``SQLiteError`` with code ``SQLiteError/Code/abort`` where it says
  ///   ``Changeset/Conflict/Resolution/abort``, of references ``SQLiteError/Code/constraint``, with ``SQLiteError/Code/misuse`` where it would replace what
  ///   can't be; as ``transaction(_:_:)`` does. Nothing is changed then.
  /// - Complexity: O(*n* log *m*) for *n* changes in tables of *m* rows.
  @discardableResult
  public func apply(
    _ changeset: Changeset, options: Changeset.ApplyOptions = [],
    tables isIncluded: (_ table: String) -> Bool = { _ in true },
    onConflict resolve: (borrowing Changeset.Conflict) throws -> Changeset.Conflict.Resolution
  ) throws -> Changeset.RebaseData {
    guard !changeset.isEmpty else {
      // A closed connection is an error all the same.
      try handle.requireSchema("main")
      return Changeset.RebaseData(trusted: [])
    }
    return try transaction(.immediate) {
      Changeset.RebaseData(
        trusted: try handle.apply(
          changeset.bytes, options: options, tables: isIncluded, onConflict: resolve))
    }
  }
}
