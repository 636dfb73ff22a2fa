extension Connection {
  /// How SQLite means to run a statement, which is not run.
  ///
  /// ```swift
  /// print(try connection.queryPlan(for: "SELECT * FROM book WHERE title = ?", "Emma"))
  /// // QUERY PLAN
  /// // `--SEARCH book USING INDEX book_title (title=?)
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - values: The values of its parameters, which a plan may depend on; or none at all.
  /// - Throws: ``SQLiteError`` as preparing and binding the statement do.
  public func queryPlan<each Value: SQLiteBindable>(
    for sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> QueryPlan {
    var list: [any SQLiteBindable] = []
    for value in repeat each values { list.append(value) }
    return try queryPlan(for: sql, values: list)
  }

  /// How SQLite means to run a statement, with as many values as a list holds.
  ///
  /// - Throws: ``SQLiteError`` as preparing and binding the statement do.
  public func queryPlan(
    for sql: SQL, values: [any SQLiteBindable]
  ) throws(SQLiteError) -> QueryPlan {
    var rows: [(id: Int, parent: Int, detail: String)] = []
    try explain("EXPLAIN QUERY PLAN ", sql, values) { (row) throws(SQLiteError) in
      rows.append(
        (
          id: try row.read(at: 0), parent: try row.read(at: 1),
          detail: try row.read(String?.self, at: 3) ?? ""
        ))
    }
    return QueryPlan(rows: rows)
  }

  /// The program that SQLite's machine would run for a statement, which is not run.
  ///
  /// The instructions differ between SQLite's releases.
  ///
  /// - Throws: ``SQLiteError`` as preparing and binding the statement do.
  public func bytecode(
    for sql: SQL, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) -> [QueryPlan.Instruction] {
    var program: [QueryPlan.Instruction] = []
    try explain("EXPLAIN ", sql, values) { (row) throws(SQLiteError) in
      program.append(
        QueryPlan.Instruction(
          address: try row.read(at: 0), opcode: try row.read(at: 1), p1: try row.read(at: 2),
          p2: try row.read(at: 3), p3: try row.read(at: 4), p4: row[5].text,
          p5: try row.read(at: 6), comment: row[7].text))
    }
    return program
  }

  private func explain(
    _ prefix: String, _ sql: SQL, _ values: [any SQLiteBindable],
    _ body: (borrowing Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let (sql, values) = try sql.resolved(with: values)
    do throws(SQLiteError) {
      let statement = try prepare(SQL(unsafe: prefix + sql))
      if !values.isEmpty { try statement.bindAll(values) }
      while try statement.step() { try body(statement.row) }
    } catch {
      // The caller wrote what follows the prefix.
      let offset = error.offset.map {
        SQLiteError.ByteOffset(rawValue: $0.rawValue - prefix.utf8.count)
      }
      throw SQLiteError(
        code: error.code, message: error.message, sql: sql,
        offset: offset.flatMap { $0.rawValue < 0 ? nil : $0 }, column: error.column)
    }
  }
}

extension SQLiteValue {
  /// The text, where it is one.
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
