extension Changeset {
  /// Records what changes in the rows of some tables, to be taken as a ``Changeset``.
  ///
  /// A session begins where it is made, and ends when it is let go. It watches no table until it is told
  /// to, and of those only the ones with a `PRIMARY KEY`: rows whose key is NULL are left out. What is rolled
  /// back is not in the changeset, and several changes of a row are one. The connection can't be
  /// closed while the session is alive. It belongs to the connection, and is used where that is used.
  ///
  /// ```swift
  /// let session = try connection.session()
  /// try session.attachAll()
  /// try connection.run("UPDATE book SET year = 1815 WHERE title = 'Emma'")
  /// let changeset = try session.changeset()
  /// try connection.apply(changeset.inverted()) { _ in .abort }
  /// ```
  ///
  /// A connection may have observers and sessions at once, in either order, where the way is found by which
  /// they share SQLite's one hook; where it is not, the second kind is refused with
  /// ``SQLiteError/Code/unsupported``.
  public final class Session {
    private let handle: SessionHandle
    /// The database whose tables are watched.
    public let schema: String

    init(_ connection: ConnectionHandle, schema: String) throws(SQLiteError) {
      handle = try SessionHandle(connection, schema: schema)
      self.schema = schema
    }

    /// Watches one table. One that does not exist yet is not an error, nor is one that is watched already.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outOfMemory``.
    public func attach(_ table: String) throws(SQLiteError) { try handle.attach(table) }

    /// Watches every table, also those that are made later.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/outOfMemory``.
    public func attachAll() throws(SQLiteError) { try handle.attachAll() }

    /// Watches the tables for which `isIncluded` holds.
    ///
    /// - Parameter isIncluded: Takes a table's name, the first time that it is changed. It must not use the
    ///   connection. What an earlier call gave is forgotten.
    /// - Throws: As ``attachAll()``.
    public func attachAll(
      where isIncluded: @escaping (_ table: String) -> Bool
    ) throws(SQLiteError) {
      try handle.attach(where: isIncluded)
    }

    /// Whether changes are recorded. Of a row that was recorded once, the changeset tells the last state
    /// whatever this was when it came about.
    public var isEnabled: Bool {
      get { handle.isEnabled }
      set { handle.isEnabled = newValue }
    }

    /// Whether changes are marked as indirect, as those that triggers make are anyway.
    public var isIndirect: Bool {
      get { handle.isIndirect }
      set { handle.isIndirect = newValue }
    }

    /// Whether no row was changed. A row that was changed back still counts.
    public var isEmpty: Bool { handle.isEmpty }

    /// How many bytes the record takes in memory; `nil` before SQLite 3.36.
    public var memoryUsed: Int? { handle.memoryUsed }

    /// The changes so far, with the values before and after. The session goes on.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schema`` where a watched table has got other
    ///   columns; as reading does.
    /// - Complexity: O(*n*) in the number of rows that were changed, each of which is read.
    public func changeset() throws(SQLiteError) -> Changeset {
      Changeset(trusted: try handle.changes(asPatchset: false))
    }

    /// The changes so far, with the new values alone: smaller, but it can't be inverted, and conflicts
    /// with rows that were changed elsewhere are not seen.
    ///
    /// - Throws: As ``changeset()``.
    public func patchset() throws(SQLiteError) -> Changeset {
      Changeset(trusted: try handle.changes(asPatchset: true))
    }

    /// Hands the bytes of ``changeset()`` to `body`, a piece at a time: for one that is larger than memory.
    ///
    /// - Throws: As ``changeset()``, and what `body` throws, which ends it.
    public func writeChangeset(to body: (_ piece: [UInt8]) throws -> Void) throws {
      try handle.write(asPatchset: false, to: body)
    }

    /// Hands the bytes of ``patchset()`` to `body`, a piece at a time.
    ///
    /// - Throws: As ``writeChangeset(to:)``.
    public func writePatchset(to body: (_ piece: [UInt8]) throws -> Void) throws {
      try handle.write(asPatchset: true, to: body)
    }

    /// Records what would make the table as it is in `schema` the table that it is here.
    ///
    /// ```swift
    /// try connection.execute("ATTACH 'yesterday.sqlite' AS yesterday")
    /// try session.diff(from: "yesterday", table: "book")
    /// ```
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schema`` where the tables have not the same
    ///   columns and keys, with ``SQLiteError/Code/unknownSchema`` where there is no database `schema`.
    public func diff(from schema: String, table: String) throws(SQLiteError) {
      try handle.attach(table)
      try handle.diff(from: schema, table: table)
    }
  }
}

@available(*, unavailable) extension Changeset.Session: Sendable {}

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
