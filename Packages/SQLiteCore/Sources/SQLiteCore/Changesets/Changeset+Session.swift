extension Changeset {
  /// Records changes of table rows, which can be retrieved as a ``Changeset``.
  ///
  /// A session records from its creation until it is released. It records only tables that were attached, and of these
  /// only tables with a `PRIMARY KEY`; rows with a NULL in the key are ignored. Changes that are rolled back are not in
  /// the changeset, and several changes of a row are combined. The connection can't be closed while a session exists. A
  /// session belongs to its connection, and the same restrictions on threads apply.
  ///
  /// ```swift
  /// let session = try connection.session()
  /// try session.attachAll()
  /// try connection.run("UPDATE book SET year = 1815 WHERE title = 'Emma'")
  /// let changeset = try session.changeset()
  /// try connection.apply(changeset.inverted()) { _ in .abort }
  /// ```
  ///
  /// A connection can have observers and sessions at the same time if SQLite's preupdate hook can be shared; otherwise,
  /// the second kind throws ``SQLiteError/Code/unsupported``.
  public final class Session {
    private let handle: SessionHandle
    /// The schema whose tables are recorded.
    public let schema: String

    init(_ connection: ConnectionHandle, schema: String) throws(SQLiteError) {
      handle = try SessionHandle(connection, schema: schema)
      self.schema = schema
    }

    /// Records one table. A table that does not exist yet, or is already recorded, is not an error.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outOfMemory``.
    public func attach(_ table: String) throws(SQLiteError) { try handle.attach(table) }

    /// Records every table, including tables that are created later.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outOfMemory``.
    public func attachAll() throws(SQLiteError) { try handle.attachAll() }

    /// Records the tables that satisfy `isIncluded`.
    ///
    /// - Parameter isIncluded: Called with a table's name at its first change. Must not use the connection. Replaces
    ///   the predicate of an earlier call.
    /// - Throws: The same errors as ``attachAll()``.
    public func attachAll(
      where isIncluded: @escaping (_ table: String) -> Bool
    ) throws(SQLiteError) {
      try handle.attach(where: isIncluded)
    }

    /// Indicates whether changes are recorded. For a row that was recorded once, the changeset contains its last state,
    /// even if recording was disabled in between.
    public var isEnabled: Bool {
      get { handle.isEnabled }
      set { handle.isEnabled = newValue }
    }

    /// Indicates whether changes are marked as indirect. Changes made by triggers are always indirect.
    public var isIndirect: Bool {
      get { handle.isIndirect }
      set { handle.isIndirect = newValue }
    }

    /// Indicates whether no row was changed. A row that was changed back counts as changed.
    public var isEmpty: Bool { handle.isEmpty }

    /// The memory used by the session in bytes, or `nil` before SQLite 3.36.
    public var memoryUsed: Int? { handle.memoryUsed }

    /// Returns the changes so far, with the old and new values. The session continues.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schema`` if the columns of a recorded table have changed;
    ///   the errors of reading.
    /// - Complexity: O(*n*) in the number of changed rows, each of which is read.
    public func changeset() throws(SQLiteError) -> Changeset {
      Changeset(trusted: try handle.changes(asPatchset: false))
    }

    /// Returns the changes so far with only the new values. A patchset is smaller, but can't be inverted, and does not
    /// detect conflicts with rows that were changed elsewhere.
    ///
    /// - Throws: The same errors as ``changeset()``.
    public func patchset() throws(SQLiteError) -> Changeset {
      Changeset(trusted: try handle.changes(asPatchset: true))
    }

    /// Passes the bytes of ``changeset()`` to `body` in chunks, for a changeset that does not fit in memory.
    ///
    /// - Throws: The same errors as ``changeset()``; any error that `body` throws, which ends the output.
    public func writeChangeset(to body: (_ piece: [UInt8]) throws -> Void) throws {
      try handle.write(asPatchset: false, to: body)
    }

    /// Passes the bytes of ``patchset()`` to `body` in chunks.
    ///
    /// - Throws: The same errors as ``writeChangeset(to:)``.
    public func writePatchset(to body: (_ piece: [UInt8]) throws -> Void) throws {
      try handle.write(asPatchset: true, to: body)
    }

    /// Records the changes that turn the table in `schema` into the table in the session's schema.
    ///
    /// ```swift
    /// try connection.execute("ATTACH 'yesterday.sqlite' AS yesterday")
    /// try session.diff(from: "yesterday", table: "book")
    /// ```
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schema`` if the tables' columns or keys differ, or
    ///   ``SQLiteError/Code/unknownSchema`` if there is no database `schema`.
    public func diff(from schema: String, table: String) throws(SQLiteError) {
      try handle.attach(table)
      try handle.diff(from: schema, table: table)
    }
  }
}

@available(*, unavailable) extension Changeset.Session: Sendable {}

extension Connection {
  /// Creates a session, which records row changes.
  ///
  /// - Parameter schema: The schema whose tables are recorded: `main`, or the name of an attached database.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite has no session extension, or the
  ///   connection has observers that can't share the preupdate hook with it; ``SQLiteError/Code/unknownSchema`` if
  ///   there is no such database.
  public func session(of schema: String = "main") throws(SQLiteError) -> Changeset.Session {
    try Changeset.Session(handle, schema: schema)
  }

  /// Applies a changeset to this connection's main database, atomically.
  ///
  /// Outside a transaction, the changes run in a transaction, otherwise in a savepoint. Rows are found by primary key.
  /// A table that is missing, or has fewer columns or another primary key, is silently skipped, as in SQLite. Foreign
  /// keys are checked at the end.
  ///
  /// ```swift
  /// try connection.apply(changeset) { conflict in
  ///   conflict.kind == .data || conflict.kind == .primaryKey ? .replace : .omit
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - changeset: A changeset or a patchset.
  ///   - options: Options for applying the changeset.
  ///   - isIncluded: Returns whether to apply the changes of a table. By default, all tables are included.
  ///   - resolve: Resolves a conflict of a change that can't be applied. Must not use the connection.
  /// - Returns: The data for rebasing other changesets: see ``Changeset/rebased(on:)``.
  /// - Throws: Any error that `resolve` throws; ``SQLiteError`` with code ``SQLiteError/Code/abort`` if it returns
  ///   ``Changeset/Conflict/Resolution/abort``, ``SQLiteError/Code/constraint`` for a foreign key violation, or
  ///   ``SQLiteError/Code/misuse`` if it returns `replace` for a conflict that does not allow it; the errors of
  ///   ``transaction(_:_:)``. The database is unchanged then.
  /// - Complexity: O(*n* log *m*) for *n* changes in tables of *m* rows.
  @discardableResult
  public func apply(
    _ changeset: Changeset, options: Changeset.ApplyOptions = [],
    tables isIncluded: (_ table: String) -> Bool = { _ in true },
    onConflict resolve: (borrowing Changeset.Conflict) throws -> Changeset.Conflict.Resolution
  ) throws -> Changeset.RebaseData {
    guard !changeset.isEmpty else {
      // A closed connection must throw an error, too.
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
