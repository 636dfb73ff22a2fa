public import SQLiteCore

/// A relation as the type of a column, for rows that are not read by `Codable`: generated ones, or those of a ``DirectTable``.
///
/// Where the column is NULL, the relation leads nowhere.
extension OneRelation: SQLiteReadable, SQLiteBindable {
  /// Reads the other's key.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` where the key has several columns, and as the key's type.
  public convenience init(
    from row: borrowing SQLiteCore.Row, at index: ColumnIndex
  ) throws(SQLiteError) {
    try OneRelation.refuseSeveralColumns()
    let isNull = try row.isNull(at: index)
    self.init(isNull ? nil : try Target.ID(from: row, columns: [index]))
  }

  /// Binds the other's key.
  ///
  /// - Throws: `SQLiteError` with code `columnTypeMismatch` where the key has several columns.
  public func bind(
    to statement: Statement, at index: ParameterIndex
  ) throws(SQLiteError) {
    try OneRelation.refuseSeveralColumns()
    try bindKey(to: statement, at: index)
  }

  private static func refuseSeveralColumns() throws(SQLiteError) {
    guard Target.ID.columnTypes.count > 1 else { return }
    throw SQLiteError(
      code: .columnTypeMismatch,
      message:
        "the key of \(Target.Row.tableName) has several columns, and a column holds one value")
  }
}
