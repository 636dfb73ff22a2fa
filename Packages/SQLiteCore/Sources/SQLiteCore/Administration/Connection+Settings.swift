extension Connection {
  /// A runtime limit of a connection. Later SQLite versions can add limits.
  public struct Limit: RawRepresentable, Hashable, Sendable {
    /// SQLite's code of the limit.
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The size of a text, a blob or a row in bytes.
    public static let length = Limit(rawValue: 0)
    /// The length of a statement's SQL in bytes.
    public static let sqlLength = Limit(rawValue: 1)
    /// The number of columns of a table, an index or a result, and of terms of a clause.
    public static let columnCount = Limit(rawValue: 2)
    /// The depth of an expression tree.
    public static let expressionDepth = Limit(rawValue: 3)
    /// The number of terms of a compound `SELECT`.
    public static let compoundSelectCount = Limit(rawValue: 4)
    /// The number of instructions of a compiled statement.
    public static let instructionCount = Limit(rawValue: 5)
    /// The number of arguments of a function.
    public static let functionArgumentCount = Limit(rawValue: 6)
    /// The number of attached databases.
    public static let attachedCount = Limit(rawValue: 7)
    /// The length of a `LIKE` or `GLOB` pattern in bytes.
    public static let likePatternLength = Limit(rawValue: 8)
    /// The highest parameter number, and so the number of values that a statement takes.
    public static let variableCount = Limit(rawValue: 9)
    /// The depth of recursive triggers.
    public static let triggerDepth = Limit(rawValue: 10)
    /// The number of auxiliary threads of a statement, used for sorting.
    public static let workerThreadCount = Limit(rawValue: 11)
  }
}

extension Connection {
  /// Returns the current value of a limit.
  ///
  /// ```swift
  /// let chunk = try connection.limit(.variableCount)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite version has no such limit.
  public func limit(_ limit: Limit) throws(SQLiteError) -> Int { try currentLimit(limit) }

  /// Returns the maximum value of a limit, which is set when SQLite is compiled.
  ///
  /// - Throws: The same errors as ``limit(_:)``.
  public func maximum(of limit: Limit) throws(SQLiteError) -> Int {
    let now = try currentLimit(limit)
    _ = try handle.limit(limit.rawValue, newValue: .max)
    defer { _ = try? handle.limit(limit.rawValue, newValue: Int32(clamping: now)) }
    return try currentLimit(limit)
  }

  /// Sets a limit of this connection.
  ///
  /// Statements that are already compiled are not affected.
  ///
  /// - Returns: The new value of the limit, which is at most ``maximum(of:)``.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite version has no such limit, or
  ///   ``SQLiteError/Code/range`` for a negative value.
  @discardableResult
  public func setLimit(_ limit: Limit, to value: Int) throws(SQLiteError) -> Int {
    guard value >= 0 else {
      throw SQLiteError(code: .range, message: "a limit must not be negative, got \(value)")
    }
    _ = try currentLimit(limit)
    _ = try handle.limit(limit.rawValue, newValue: Int32(clamping: value))
    handle.hooks.hasChangedSettings.value = true
    return try currentLimit(limit)
  }

  private func currentLimit(_ limit: Limit) throws(SQLiteError) -> Int {
    let value = try handle.limit(limit.rawValue)
    guard value >= 0 else {
      throw SQLiteError(
        code: .unsupported,
        message: "SQLite \(SQLiteLibrary.version) has no limit \(limit.rawValue)")
    }
    return Int(value)
  }
}

extension Connection {
  /// Returns whether an option is enabled for this connection.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite version does not have the
  ///   option.
  public func isOn(_ option: Option) throws(SQLiteError) -> Bool {
    try handle.isOn(option)
  }

  /// Enables or disables an option for this connection.
  ///
  /// ```swift
  /// try connection.setOption(.triggers, on: false)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite version does not have the
  ///   option, or does not change it.
  public func setOption(_ option: Option, on isOn: Bool) throws(SQLiteError) {
    try handle.set(option, to: isOn)
    handle.hooks.hasChangedSettings.value = true
  }

  /// Resets the database file: every table, index, trigger and view is irrevocably deleted.
  ///
  /// This also works for a corrupt file. The connection stays open, with its configuration.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/insideTransaction`` inside a transaction;
  ///   ``SQLiteError/Code/readOnly``; ``SQLiteError/Code/busy`` if other connections use the file.
  public func resetDatabase() throws(SQLiteError) {
    try checkNotInTransaction("a database can be reset")
    cache.removeAll()
    try handle.resetDatabase()
  }

  /// Releases nonessential memory: cached pages and compiled statements.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func releaseMemory() throws(SQLiteError) {
    cache.removeAll()
    try handle.releaseMemory()
  }

  /// Writes the changed pages of the current transaction to the file or its log without a commit, so that their memory
  /// can be released.
  ///
  /// The pages remain part of the transaction and are undone by a rollback. Outside a transaction, and for an in-memory
  /// database, this does nothing.
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
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` if a page is in use, or another connection reads a
  ///   page that would be overwritten: the other pages are written, and the transaction continues;
  ///   ``SQLiteError/Code/closed``; the errors of writing.
  public func flushCache() throws(SQLiteError) { try handle.flushCache() }

  /// Sets the behavior of statements that encounter another connection's lock.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public func setBusyPolicy(_ policy: Configuration.BusyPolicy) throws(SQLiteError) {
    try handle.setBusyPolicy(policy)
    handle.hooks.hasChangedSettings.value = true
  }

  func checkNotInTransaction(_ operation: String) throws(SQLiteError) {
    try handle.requireAccess()
    guard handle.isInTransaction else { return }
    throw SQLiteError(
      code: .insideTransaction, message: "\(operation) only outside a transaction")
  }
}

/// Methods for `PRAGMA` statements, which quote names and values.
extension Connection {
  /// Returns the value of a `PRAGMA`, or `nil` if it returns no row.
  ///
  /// ```swift
  /// let pages = try connection.pragma("cache_size", as: Int.self)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownPragma`` if this SQLite version has no such
  ///   `PRAGMA`, which SQL would silently ignore; ``SQLiteError/Code/unknownSchema``; the errors of reading the value
  ///   as `type`.
  public func pragma<Value: SQLiteReadable>(
    _ name: String, as type: Value.Type = Value.self, schema: String? = nil
  ) throws(SQLiteError) -> Value? {
    try value(type, try pragmaSQL(name, schema: schema))
  }

  /// Sets a `PRAGMA`.
  ///
  /// Some PRAGMAs silently ignore an invalid value. Use ``pragma(_:as:schema:)`` to read the resulting value.
  ///
  /// - Returns: The result of the `PRAGMA`, or `nil` if it returns no row.
  /// - Throws: The same errors as ``pragma(_:as:schema:)``; ``SQLiteError/Code/mismatch`` if `value` is NULL or a blob.
  @discardableResult
  public func setPragma(
    _ name: String, to value: SQLiteValue, schema: String? = nil
  ) throws(SQLiteError) -> SQLiteValue? {
    try pragmaRows(name, argument: value, schema: schema).first?.first
  }

  /// Returns all result rows of a `PRAGMA`.
  ///
  /// ```swift
  /// let columns = try connection.pragmaRows("table_info", argument: "book")
  /// ```
  ///
  /// - Throws: The same errors as ``pragma(_:as:schema:)``.
  public func pragmaRows(
    _ name: String, argument: SQLiteValue? = nil, schema: String? = nil
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    var sql = try pragmaSQL(name, schema: schema)
    if let argument {
      switch argument {
      case .integer, .real, .text: sql += "(\(unsafe: argument.description))"
      case .null, .blob:
        throw SQLiteError(
          code: .mismatch, message: "a PRAGMA takes numbers and texts, not \(argument.storageClass)"
        )
      }
    }
    return try rows(sql)
  }

  private func pragmaSQL(_ name: String, schema: String?) throws(SQLiteError) -> SQL {
    let isKnown = try value(
      Int.self, "SELECT 1 FROM pragma_pragma_list WHERE name = lower(?1)", name)
    guard isKnown != nil else {
      throw SQLiteError(
        code: .unknownPragma,
        message: "SQLite \(SQLiteLibrary.version) has no PRAGMA named \(name)")
    }
    guard let schema else { return "PRAGMA \(identifier: name)" }
    try requireSchema(schema)
    return "PRAGMA \(identifier: schema).\(identifier: name)"
  }
}

extension Connection {
  /// A status counter of a connection. Later SQLite versions can add counters.
  public struct Counter: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The number of lookaside slots in use.
    public static let lookasideUsed = Counter(rawValue: 0)
    /// The memory of all page caches in bytes.
    public static let cacheUsed = Counter(rawValue: 1)
    /// The memory of the schema in bytes.
    public static let schemaUsed = Counter(rawValue: 2)
    /// The memory of the compiled statements in bytes.
    public static let statementsUsed = Counter(rawValue: 3)
    /// The number of allocations served by lookaside memory. Only the highest value is meaningful.
    public static let lookasideHits = Counter(rawValue: 4)
    /// The number of allocations that were too large for lookaside memory. Only the highest value is meaningful.
    public static let lookasideTooLarge = Counter(rawValue: 5)
    /// The number of allocations that failed because lookaside memory was full. Only the highest value is meaningful.
    public static let lookasideFull = Counter(rawValue: 6)
    /// The number of page cache hits.
    public static let cacheHits = Counter(rawValue: 7)
    /// The number of page cache misses.
    public static let cacheMisses = Counter(rawValue: 8)
    /// The number of pages written.
    public static let cacheWrites = Counter(rawValue: 9)
    /// Zero if all deferred foreign keys are satisfied.
    public static let deferredForeignKeys = Counter(rawValue: 10)
    /// The same as ``cacheUsed``, with the memory of a shared cache divided among its connections.
    public static let cacheUsedShared = Counter(rawValue: 11)
    /// The number of pages written before the commit because the cache was full.
    public static let cacheSpills = Counter(rawValue: 12)
  }
}

extension Connection {
  /// Returns the value of a counter of this connection.
  ///
  /// ```swift
  /// let misses = try connection.status(.cacheMisses, resetting: true).current
  /// ```
  ///
  /// - Parameters:
  ///   - counter: The counter.
  ///   - resetting: Whether to reset the current or the highest value.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite version has no such counter.
  public func status(
    _ counter: Counter, resetting: Bool = false
  ) throws(SQLiteError) -> SQLiteLibrary.CounterValue {
    guard let found = try handle.status(counter.rawValue, resetting: resetting) else {
      throw SQLiteError(
        code: .unsupported,
        message: "SQLite \(SQLiteLibrary.version) has no counter \(counter.rawValue)")
    }
    return SQLiteLibrary.CounterValue(current: found.current, highest: found.highest)
  }
}

extension Connection {
  /// Returns the state of the transaction on a database of the connection.
  ///
  /// A statement that has not ended is a transaction, even without a `BEGIN`; this is the difference from
  /// ``isInTransaction``. A deferred transaction begins on a database when it first reads from it.
  ///
  /// ```swift
  /// try connection.transaction(.deferred) {
  ///   print(try connection.transactionState())  // none
  ///   _ = try connection.value(Int.self, "SELECT count(*) FROM book")
  ///   print(try connection.transactionState())  // read
  /// }
  /// ```
  ///
  /// - Parameter schema: `main`, `temp` or the name of an attached database, or `nil` for the most advanced state of
  ///   all databases.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``, or
  ///   ``SQLiteError/Code/closed``.
  public func transactionState(of schema: String? = nil) throws(SQLiteError) -> TransactionState {
    try handle.transactionState(of: schema)
  }
}
