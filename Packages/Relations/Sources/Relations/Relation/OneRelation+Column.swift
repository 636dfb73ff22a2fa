public import SQLiteCore

/// A relation as the type of a column, for rows that are not read by `Codable`: generated ones, or those of a type with ``Table/properties``.
///
/// Where the column is NULL, the relation leads nowhere.
extension OneRelation: SQLiteReadable, SQLiteBindable {
  /// Reads the other's key.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` where the key has several columns, and as the key's type.
  @inlinable
  public convenience init(
    from row: borrowing SQLiteCore.Row, at index: ColumnIndex
  ) throws(SQLiteError) {
    let key = try Target.ID.optionalKey(from: row, at: index)
    if let owner = RelationOwner.reading(row) {
      self.init(read: StoredKey(key), of: owner)
    } else {
      self.init(key)
    }
  }

  /// The other's key; NULL if the relation leads nowhere.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` if the key has several columns.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      try requireOneColumn()
      return columnValue
    }
  }

  /// Binds the other's key.
  ///
  /// - Throws: As ``sqliteValue``.
  public func bind(
    to statement: Statement, at index: ParameterIndex
  ) throws(SQLiteError) {
    try requireOneColumn()
    try bindKey(to: statement, at: index)
  }

  private func requireOneColumn() throws(SQLiteError) {
    guard Target.ID.columnTypes.count == 1 else {
      throw SQLiteError(
        code: .columnTypeMismatch,
        message:
          "the key of \(Target.Row.tableName) has several columns, and a column holds one value")
    }
  }
}
