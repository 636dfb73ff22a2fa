/// A row: the current one of a statement, or one in memory, which is read by the same rules.
///
/// A statement's row is a view that can't be kept past the step that made it. Columns are read by number
/// without allocation beyond the value itself; by name through a table that is built once for each
/// statement.
public struct Row: ~Copyable {
  let cursor: StatementCursor
  let columns: ResultColumns

  init(cursor: StatementCursor, columns: ResultColumns) {
    self.cursor = cursor
    self.columns = columns
  }

  /// A row in memory.
  ///
  /// ```swift
  /// let row = Row(columns: ["id", "name"], values: [1, "Ada"])
  /// let player = try RowDecoder().decode(Player.self, from: row)
  /// ```
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - values: A value for each. Reading a column that has none is an error of code
  ///     ``SQLiteError/Code/unknownColumn``.
  ///   - context: The row's ``context``.
  public init(columns: [String], values: [SQLiteValue], context: AnyObject? = nil) {
    self.init(cursor: .none, columns: ResultColumns(names: columns, context: context))
    self.columns.storedValues = values
  }

  /// Reads rows in memory, one after another.
  ///
  /// The columns are looked up once for all rows.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - rows: The rows: for each, a value for each column.
  ///   - body: Reads one row.
  /// - Throws: What `body` throws, which ends it.
  public static func forEach(
    columns: [String], in rows: some Sequence<[SQLiteValue]>,
    _ body: (borrowing Row) throws -> Void
  ) rethrows {
    let row = Row(columns: columns, values: [])
    for values in rows {
      row.columns.storedValues = values
      try body(row)
    }
  }

  /// The number of columns.
  public var columnCount: Int { columns.count }

  /// The names of the columns.
  public var columnNames: [String] { columns.names }

  /// What those who make values of the row are told by whoever reads it: see ``Connection/withRowContext(_:_:)``.
  public var context: AnyObject? { columns.context }

  /// Reads one column, counting from 0.
  ///
  /// - Throws: ``SQLiteError`` that names the column, where the value is not one of `type`: see
  ///   ``SQLiteReadable`` for what each type reads.
  @inlinable
  public func read<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, at index: ColumnIndex
  ) throws(SQLiteError) -> Value {
    try Value(from: self, at: index)
  }

  /// Reads the first column of this name.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownColumn`` where there is none,
  ///   besides what ``read(_:at:)`` throws.
  public func read<Value: SQLiteReadable>(
    _ type: Value.Type = Value.self, named name: String
  ) throws(SQLiteError) -> Value {
    guard let index = columns.index(named: name) else {
      throw SQLiteError(
        code: .unknownColumn, message: "the result has no column \(name)", sql: columns.sql)
    }
    return try Value(from: self, at: ColumnIndex(index))
  }

  /// The value of a column, whatever it is; NULL where there is no such column, or where its text is
  /// not valid UTF-8: reading it as ``SQLiteValue`` tells these apart.
  public subscript(index: ColumnIndex) -> SQLiteValue { (try? value(at: index)) ?? .null }

  /// The value of the first column of this name; `nil` where there is none.
  public subscript(name: String) -> SQLiteValue? {
    columns.index(named: name).flatMap { try? value(at: ColumnIndex($0)) }
  }

  /// All values, in the order of the columns.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/noRow`` where there is no row, with
  ///   ``SQLiteError/Code/invalidText`` where a text is not UTF-8.
  public var values: [SQLiteValue] {
    get throws(SQLiteError) {
      var values: [SQLiteValue] = []
      values.reserveCapacity(columnCount)
      for index in 0..<columnCount { values.append(try value(at: ColumnIndex(index))) }
      return values
    }
  }
}
