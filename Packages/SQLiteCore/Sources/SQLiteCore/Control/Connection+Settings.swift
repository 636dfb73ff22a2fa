extension Connection {
  /// What a connection allows at most: an open set.
  public struct Limit: RawRepresentable, Hashable, Sendable {
    /// The number that SQLite knows it by.
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The bytes of a text, a blob or a row.
    public static let length = Limit(rawValue: 0)
    /// The bytes of a statement's text.
    public static let sqlLength = Limit(rawValue: 1)
    /// The columns of a table, an index or a result, and the terms of a clause.
    public static let columnCount = Limit(rawValue: 2)
    /// The depth of an expression.
    public static let expressionDepth = Limit(rawValue: 3)
    /// The parts of a `SELECT` that `UNION` and its like join.
    public static let compoundSelectCount = Limit(rawValue: 4)
    /// The instructions of a compiled statement.
    public static let instructionCount = Limit(rawValue: 5)
    /// The arguments of a function.
    public static let functionArgumentCount = Limit(rawValue: 6)
    /// The attached databases.
    public static let attachedCount = Limit(rawValue: 7)
    /// The bytes of a pattern of `LIKE` or `GLOB`.
    public static let likePatternLength = Limit(rawValue: 8)
    /// The largest number of a parameter, and so the number of values that a statement takes.
    public static let variableCount = Limit(rawValue: 9)
    /// How deep triggers call each other.
    public static let triggerDepth = Limit(rawValue: 10)
    /// The threads that help one statement to sort.
    public static let workerThreadCount = Limit(rawValue: 11)
  }
}

extension Connection {
  /// What the connection allows at most, now.
  ///
  /// ```swift
  /// let chunk = try connection.limit(.variableCount)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite has no
  ///   such limit.
  public func limit(_ limit: Limit) throws(SQLiteError) -> Int { try ask(limit) }

  /// The highest that a limit can be set to: what SQLite was compiled with.
  ///
  /// - Throws: As ``limit(_:)``.
  public func maximum(of limit: Limit) throws(SQLiteError) -> Int {
    let now = try ask(limit)
    _ = try handle.limit(limit.rawValue, newValue: .max)
    defer { _ = try? handle.limit(limit.rawValue, newValue: Int32(clamping: now)) }
    return try ask(limit)
  }

  /// Lowers or raises a limit, for this connection.
  ///
  /// Statements that are compiled already are not concerned.
  ///
  /// - Returns: What it is now: not more than ``maximum(of:)``, which a higher value is cut to.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` where this SQLite has no
  ///   such limit, ``SQLiteError/Code/range`` for a negative value.
  @discardableResult
  public func setLimit(_ limit: Limit, to value: Int) throws(SQLiteError) -> Int {
    guard value >= 0 else {
      throw SQLiteError(code: .range, message: "a limit is not negative, as \(value) is")
    }
    _ = try ask(limit)
    _ = try handle.limit(limit.rawValue, newValue: Int32(clamping: value))
    handle.hooks.hasChangedSettings.value = true
    return try ask(limit)
  }

  private func ask(_ limit: Limit) throws(SQLiteError) -> Int {
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

/// SQLite's `PRAGMA` statements, with names and values that are quoted.
extension Connection {
  /// The value of a `PRAGMA`; `nil` where it gives no row.
  ///
  /// ```swift
  /// let pages = try connection.pragma("cache_size", as: Int.self)
  /// ```
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownPragma`` where this SQLite has
  ///   none of this name, which SQL would pass over in silence; ``SQLiteError/Code/unknownSchema``;
  ///   what reading the value as `type` throws.
  public func pragma<Value: SQLiteReadable>(
    _ name: String, as type: Value.Type = Value.self, schema: String? = nil
  ) throws(SQLiteError) -> Value? {
    try value(type, try pragmaSQL(name, schema: schema))
  }

  /// Sets a `PRAGMA`.
  ///
  /// Some take no value that they do not like, and say nothing: what it is afterwards,
  /// ``pragma(_:as:schema:)`` tells.
  ///
  /// - Returns: What it answers; `nil` where it gives no row.
  /// - Throws: As ``pragma(_:as:schema:)``, and ``SQLiteError/Code/mismatch`` where `value` is NULL
  ///   or a blob.
  @discardableResult
  public func setPragma(
    _ name: String, to value: SQLiteValue, schema: String? = nil
  ) throws(SQLiteError) -> SQLiteValue? {
    try pragmaRows(name, argument: value, schema: schema).first?.first
  }

  /// All rows that a `PRAGMA` gives.
  ///
  /// ```swift
  /// let columns = try connection.pragmaRows("table_info", argument: "book")
  /// ```
  ///
  /// - Throws: As ``pragma(_:as:schema:)``.
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
