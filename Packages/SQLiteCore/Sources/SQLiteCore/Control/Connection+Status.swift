extension Connection {
  /// What SQLite counts of one connection: an open set.
  public struct Counter: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Slots of the connection's own small memory that are in use.
    public static let lookasideUsed = Counter(rawValue: 0)
    /// Bytes of memory of all caches of pages.
    public static let cacheUsed = Counter(rawValue: 1)
    /// Bytes of memory of the schema.
    public static let schemaUsed = Counter(rawValue: 2)
    /// Bytes of memory of the compiled statements.
    public static let statementsUsed = Counter(rawValue: 3)
    /// How often the small memory had room; the highest value alone has a meaning.
    public static let lookasideHits = Counter(rawValue: 4)
    /// How often a piece was too large for the small memory; the highest value alone has a meaning.
    public static let lookasideTooLarge = Counter(rawValue: 5)
    /// How often the small memory was full; the highest value alone has a meaning.
    public static let lookasideFull = Counter(rawValue: 6)
    /// Pages that were found in the cache.
    public static let cacheHits = Counter(rawValue: 7)
    /// Pages that had to be read.
    public static let cacheMisses = Counter(rawValue: 8)
    /// Pages that were written.
    public static let cacheWrites = Counter(rawValue: 9)
    /// Whether references are broken that must be whole before the commit: 0 where none is.
    public static let deferredForeignKeys = Counter(rawValue: 10)
    /// As ``cacheUsed``, with a shared cache divided among its connections.
    public static let cacheUsedShared = Counter(rawValue: 11)
    /// Pages that were written before the commit, as the cache was full.
    public static let cacheSpills = Counter(rawValue: 12)
  }
}

extension Connection {
  /// A counter of this connection.
  ///
  /// ```swift
  /// let misses = try connection.status(.cacheMisses, resetting: true).current
  /// ```
  ///
  /// - Parameters:
  ///   - counter: What is asked for.
  ///   - resetting: Whether the count, or the record of the highest, begins anew.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite has no
  ///   such counter.
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
