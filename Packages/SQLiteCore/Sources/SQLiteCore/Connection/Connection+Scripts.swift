/// Scripts whose statements take values, or give rows.
extension Connection {
  /// Hands each statement of a script to `body`, which binds its values, runs it or reads its rows.
  ///
  /// A statement is compiled when `body` has returned from the one before it, so that it may use
  /// what that one made. One that `body` does not run is not run.
  ///
  /// ```swift
  /// try connection.forEachStatement(
  ///   in: "CREATE TABLE tag (name); INSERT INTO tag VALUES (:name)"
  /// ) { statement in
  ///   if statement.parameterCount > 0 { try statement.bind("new", named: ":name") }
  ///   try statement.run()
  /// }
  /// ```
  ///
  /// - Throws: What `body` throws; ``SQLiteError`` of a statement that does not compile. A statement's
  ///   error holds the script as its SQL, and the offset in the script.
  public func forEachStatement(
    in script: String, _ body: (Statement) throws -> Void
  ) throws {
    var reader = try ScriptReader(script, handle)
    while let statement = try reader.next() {
      do {
        try body(statement)
      } catch let error as SQLiteError where error.sql?.hasSameBytes(as: statement.sql) == true {
        throw reader.located(error)
      }
      statement.reset()
    }
  }

  /// Runs several statements, one after another, with values for their parameters.
  ///
  /// Each statement takes as many of the values as it has parameters, in their order. Rows are left.
  ///
  /// ```swift
  /// try connection.execute(
  ///   "INSERT INTO tag VALUES (?); DELETE FROM tag WHERE name = ?", values: ["new", "old"])
  /// ```
  ///
  /// - Throws: ``SQLiteError`` of the first that fails; with code
  ///   ``SQLiteError/Code/parameterCount`` where there are too few values for a statement, which is
  ///   not run then, or some are left after the last. What ran before stays done, unless a
  ///   transaction around it is rolled back.
  public func execute(_ script: String, values: [any SQLiteBindable]) throws(SQLiteError) {
    var reader = try ScriptReader(script, handle)
    var used = 0
    while let statement = try reader.next() {
      do throws(SQLiteError) {
        let end = used + statement.parameterCount
        try statement.bindAll(Array(values[used..<min(end, values.count)]))
        used = end
        try statement.run()
      } catch {
        throw reader.located(error)
      }
    }
    guard used == values.count else {
      throw SQLiteError(
        code: .parameterCount,
        message: "the script takes \(used) values, and not \(values.count)", sql: script)
    }
  }
}
