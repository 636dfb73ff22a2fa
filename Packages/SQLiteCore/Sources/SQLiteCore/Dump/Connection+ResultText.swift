extension Connection {
  /// The rows of a query as text, to look at or to hand on.
  ///
  /// ```swift
  /// print(try connection.text(of: "SELECT id, name FROM player", as: .table))
  /// // id  name
  /// // --  ----
  /// // 1   Ada
  /// ```
  ///
  /// - Throws: ``SQLiteError`` as running the statement does, and with code
  ///   ``SQLiteError/Code/invalidText`` for a text that is not valid UTF-8.
  public func text(
    of sql: SQL, values: [any SQLiteBindable] = [], as format: ResultFormat
  ) throws(SQLiteError) -> String {
    var text = ""
    try write(sql, values: values, as: format, to: &text)
    return text
  }

  /// Writes the rows of a query as text, each as it is read; those of ``ResultFormat/table`` when all
  /// are there, as its columns are as wide as their widest value.
  ///
  /// - Throws: As ``text(of:values:as:)``; rows before the failure have been written.
  public func write<Sink: TextOutputStream>(
    _ sql: SQL, values: [any SQLiteBindable] = [], as format: ResultFormat,
    to sink: inout Sink
  ) throws(SQLiteError) {
    let statement = try takeStatement(sql, values: values)
    defer { putBack(statement) }
    var hasRow = try statement.step()
    var writer = ResultFormat.Writer(format, names: statement.columnNames, to: &sink)
    while hasRow {
      writer.add(try statement.row.values, to: &sink)
      hasRow = try statement.step()
    }
    writer.finish(&sink)
  }
}
