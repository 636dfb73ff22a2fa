internal import CSQLite

extension Hooks {
  /// Receives the runs of a connection's queries: statements that return rows and do not write.
  ///
  /// The methods are called on the thread that uses the connection, and must not use it. Triggers
  /// and statements that SQLite runs inside another statement's step are not reported.
  ///
  /// SQLite may begin a run twice, if it has to recompile the statement: it then reports the end of
  /// the run before its first row, and no second beginning.
  @_spi(Observing) public protocol QueryObserver: AnyObject {
    /// Notifies the observer that a run has begun.
    ///
    /// - Parameters:
    ///   - query: Identifies the statement until the end of the run.
    ///   - sql: The statement's text.
    ///   - hasParameters: Whether the statement has parameters.
    ///   - expandedSQL: Returns the text with the bound values, or `nil` if it is too long.
    func didBegin(
      _ query: RunningQuery, sql: String, hasParameters: Bool, expandedSQL: () -> String?)

    /// Notifies the observer that a query has returned a row.
    func didReturnRow(_ query: RunningQuery)

    /// Notifies the observer that a run has ended, or was reset early.
    func didEnd(_ query: RunningQuery)

    /// Notifies the observer that the access to the database has ended. Later runs belong to the
    /// next access.
    func accessDidEnd()
  }

  /// The identity of a query while it runs.
  @_spi(Observing) public struct RunningQuery: Hashable, Sendable {
    fileprivate let address: UInt
  }

  /// Reports an event of SQLite's trace hook to an observer.
  ///
  /// - Parameter text: The text that SQLite passes at the beginning of a run.
  func report(
    _ kind: UInt32, of statement: OpaquePointer, text: UnsafeMutableRawPointer?,
    to observer: any QueryObserver
  ) {
    let query = RunningQuery(address: UInt(bitPattern: statement))
    switch kind {
    case UInt32(SQLITE_TRACE_ROW): observer.didReturnRow(query)
    case UInt32(SQLITE_TRACE_PROFILE): observer.didEnd(query)
    case UInt32(SQLITE_TRACE_STMT):
      guard unsafe sqlite3_column_count(statement) > 0, unsafe sqlite3_stmt_readonly(statement) != 0
      else { return }
      let sql = unsafe Self.sql(of: statement)
      // For a trigger, and inside another statement's step, SQLite passes a comment.
      guard let text = unsafe text,
        unsafe String(cString: text.assumingMemoryBound(to: CChar.self)) == sql
      else { return }
      observer.didBegin(
        query, sql: sql, hasParameters: unsafe sqlite3_bind_parameter_count(statement) > 0
      ) { unsafe Self.expandedSQL(of: statement) }
    default: break
    }
  }
}

extension ConnectionHandle {
  /// Sets the observer of the connection's queries, or removes it. The calling thread owns the
  /// connection.
  func setQueryObserver(_ observer: (any Hooks.QueryObserver)?) {
    guard let db = unsafe db else { return }
    hooks.queryObserver = observer
    unsafe hooks.updateTraceHook(of: db)
  }
}
