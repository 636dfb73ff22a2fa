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
