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
    in script: SQL, _ body: (Statement) throws -> Void
  ) throws {
    var reader = try ScriptReader(script.textWithoutValues(), handle)
    while let statement = try reader.next() {
      do {
        try body(statement)
      } catch let error as SQLiteError where error.sql?.hasSameBytes(as: statement.sql) == true {
        throw reader.located(error)
      }
      statement.reset()
    }
  }

  /// Runs several statements, one after another. Their rows are ignored.
  ///
  /// Each statement takes as many of the values as it has parameters, in their order.
  ///
  /// ```swift
  /// try connection.execute(
  ///   "DELETE FROM tag WHERE name = \(old); INSERT INTO tag VALUES (\(new))")
  /// ```
  ///
  /// - Parameters:
  ///   - script: The statements. Values that are interpolated are bound.
  ///   - values: The values of the parameters that the text has of its own.
  /// - Throws: ``SQLiteError`` of the first statement that fails; with code
  ///   ``SQLiteError/Code/parameterCount`` if there are too few values for a statement, which is
  ///   not run then, or if some are left after the last. What ran before stays done, unless a
  ///   transaction around it is rolled back.
  public func execute(
    _ script: SQL, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) {
    let (script, values) = try script.resolved(with: values)
    var reader = try ScriptReader(script, handle)
    var used = 0
    while let statement = try reader.next() {
      do throws(SQLiteError) {
        let end = used + statement.parameterCount
        if end > used || !values.isEmpty {
          try statement.bindAll(Array(values[used..<min(end, values.count)]))
        }
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

/// The statements of a script, each compiled when those before it have run.
struct ScriptReader {
  private let text: SQLText
  private let connection: ConnectionHandle
  /// Where the rest begins.
  private var position = 0
  /// Where the last statement begins.
  private var start = 0

  init(_ script: String, _ connection: ConnectionHandle) throws(SQLiteError) {
    text = try SQLText(script)
    self.connection = connection
  }

  /// The next statement; `nil` where only space and comments are left.
  mutating func next() throws(SQLiteError) -> Statement? {
    while position < text.count {
      start = position
      var prepared = try compile()
      position = prepared.length > 0 ? start + prepared.length : text.count
      if let compiled = prepared.statement.take() {
        let sql = String(Substring(text.sql.utf8.dropFirst(start).prefix(prepared.length)))
        return Statement(
          sql: sql, handle: compiled, access: prepared.access, connection: connection)
      }
    }
    return nil
  }

  /// Compiles what begins at `start`.
  private func compile() throws(SQLiteError) -> ConnectionHandle.Prepared {
    do throws(SQLiteError) {
      return try connection.prepare(text, from: start, persistent: false)
    } catch {
      guard error.offset == nil else { throw error }
      let semicolon = text.bytes.firstIndex { $0 == 59 }
      throw located(error, end: semicolon ?? text.count)
    }
  }

  /// The error of the last statement, as an error of the script.
  func located(_ error: SQLiteError) -> SQLiteError { located(error, end: position) }

  /// A fault of which SQLite knows no offset is told to be where its statement begins, unless there is no other.
  private func located(_ error: SQLiteError, end: Int) -> SQLiteError {
    let isOnly = start == 0 && text.isSpace(from: end)
    let place =
      error.offset.map { start + $0.rawValue } ?? (isOnly ? nil : text.skippingSpace(from: start))
    return SQLiteError(
      code: error.code, message: error.message, sql: text.sql,
      offset: place.map { SQLiteError.ByteOffset(rawValue: $0) }, expandedSQL: error.expandedSQL,
      column: error.column)
  }
}
