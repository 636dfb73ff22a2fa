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
