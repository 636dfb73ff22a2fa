/// What generated code reads rows with, besides what `SQLiteCore` has for hand-written code.
extension Connection {
  /// Reads the one row of a statement that always gives one.
  @inlinable
  public func fetchOnly<Value: RowDecodable, each Argument: SQLiteBindable>(
    _ type: Value.Type, _ sql: SQL, _ arguments: repeat each Argument
  ) throws -> Value {
    guard let value = try fetchOne(Value.self, sql, repeat each arguments) else {
      throw SQLiteError.noRow(sql)
    }
    return value
  }

  /// Reads the one value of a statement that always gives one row.
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

/// The same with the arguments in an array.
extension Connection {

  /// Reads the one row of a statement that always gives one.
  public func fetchOnly<Value: RowDecodable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> Value {
    guard let value = try fetchOne(type, sql, values: values) else { throw SQLiteError.noRow(sql) }
    return value
  }

  /// Reads the one value of a statement that always gives one row.
  public func onlyValue<Value: SQLiteReadable>(
    _ type: Value.Type, _ sql: SQL, values: [any SQLiteBindable]
  ) throws -> Value {
    guard let value = try value(type, sql, values: values) else { throw SQLiteError.noRow(sql) }
    return value
  }
}

extension SQLiteError {
  /// The error of a statement that was to give a row, and gave none.
  @usableFromInline
  static func noRow(_ sql: SQL) -> SQLiteError {
    SQLiteError(code: .noRow, message: "the statement gave no row", sql: sql.text)
  }
}
