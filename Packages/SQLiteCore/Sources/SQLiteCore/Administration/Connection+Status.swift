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
