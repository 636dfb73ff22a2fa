/// Helpers for reading rows in generated code, in addition to the API of `SQLiteCore`.
extension Connection {
  /// Reads the row of a statement that always returns exactly one.
  @inlinable
  public func fetchOnly<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> Value {
    guard let value = try fetchOne(Value.self, sql, repeat each arguments) else {
      throw SQLiteError.noRow(sql)
    }
    return value
  }

  /// Reads the value of a statement that always returns exactly one row.
  @inlinable
  public func onlyValue<Value: SQLiteReadable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws(SQLiteError) -> Value {
    guard let value = try value(Value.self, sql, repeat each arguments) else {
      throw SQLiteError.noRow(sql)
    }
    return value
  }
}

/// Variants that take the arguments as an array.
extension Connection {

  /// Reads the row of a statement that always returns exactly one.
  public func fetchOnly<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> Value {
    guard let value = try fetchOne(type, sql, values: values) else { throw SQLiteError.noRow(sql) }
    return value
  }

  /// Reads the value of a statement that always returns exactly one row.
  public func onlyValue<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> Value {
    guard let value = try value(type, sql, values: values) else { throw SQLiteError.noRow(sql) }
    return value
  }
}

extension SQLiteError {
  /// The error for a statement that must return a row but returned none.
  @usableFromInline
  static func noRow(_ sql: SQL) -> SQLiteError {
    SQLiteError(code: .noRow, message: "the statement returned no row", sql: sql.text)
  }
}
