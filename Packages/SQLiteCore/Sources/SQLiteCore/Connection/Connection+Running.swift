extension Statement {
  /// The changes that a statement made.
  public struct Changes: Hashable, Sendable {
    /// The number of rows that the statement itself inserted, updated or deleted.
    public let count: Int
    /// The rowid of the connection's last inserted row.
    public let lastInsertedRowID: RowID

    @usableFromInline
    init(count: Int, lastInsertedRowID: RowID) {
      self.count = count
      self.lastInsertedRowID = lastInsertedRowID
    }
  }
}

extension Connection {
  /// Executes a single statement.
  ///
  /// ```swift
  /// try connection.run("UPDATE player SET score = score + ? WHERE id = ?", 10, 42)
  /// ```
  ///
  /// - Returns: The number of changed rows. Result rows are ignored.
  /// - Throws: The errors of ``prepare(_:)``; ``SQLiteError`` with code ``SQLiteError/Code/parameterCount`` if the
  ///   numbers of values and parameters differ, or with the error of the statement, such as
  ///   ``SQLiteError/Code/constraint`` and its subcodes, ``SQLiteError/Code/busy`` or ``SQLiteError/Code/readOnly``.
  ///   Changing no row is not an error.
  @discardableResult
  @inlinable
  public func run<each Value: SQLiteBindable>(
    _ sql: SQL, _ values: repeat each Value
  ) throws(SQLiteError) -> Statement.Changes {
    let statement = try checkoutStatement(sql, repeat each values)
    defer { checkinStatement(statement) }
    return try finish(statement)
  }

  /// Executes a single statement with a value's columns as its parameters.
  ///
  /// ```swift
  /// try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", of: player)
  /// ```
  ///
  /// - Throws: The same errors as ``run(_:_:)``; any error that binding a value throws.
  @discardableResult
  @inlinable
  public func run<Value: RowEncodable & ~Copyable>(
    _ sql: SQL, of value: borrowing Value
  ) throws -> Statement.Changes {
    let statement = try checkoutStatementWithoutValues(sql)
    defer { checkinStatement(statement) }
    try statement.bindAll(of: value)
    return try finish(statement)
  }

  /// Executes a single statement for each of `values`, with the value's columns as parameters: the fastest way to
  /// insert many rows.
  ///
  /// Inside a transaction it is even faster, and atomic.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   try connection.run("INSERT INTO player (id, name) VALUES (?, ?)", ofEach: players)
  /// }
  /// ```
  ///
  /// - Returns: The total number of changed rows, and the rowid of the last inserted row.
  /// - Throws: The errors of ``run(_:of:)`` for the first value that fails. The values before it are written, unless an
  ///   enclosing transaction is rolled back.
  @discardableResult
  public func run<Value: RowEncodable>(
    _ sql: SQL, ofEach values: [Value]
  ) throws -> Statement.Changes {
    try run(sql, ofEach: ContiguousArray(values).span)
  }

  /// Executes a single statement for each of `values`, with the value's columns as parameters.
  ///
  /// Not specialized for the type of the values, which are borrowed and not copied: copying a value retains each of its
  /// strings and blobs.
  ///
  /// - Throws: The same errors as ``run(_:_:)``; any error that binding a value throws.
  @discardableResult
  public func run<Value: RowEncodable & ~Copyable>(
    _ sql: SQL, ofEach values: Span<Value>
  ) throws -> Statement.Changes {
    let statement = try checkoutStatementWithoutValues(sql)
    defer { checkinStatement(statement) }
    var count = 0
    for index in values.indices {
      try statement.bindAll(of: values[index])
      count += try changes(by: statement)
    }
    return Statement.Changes(count: count, lastInsertedRowID: lastInsertedRowID)
  }

  /// Executes a single statement, with parameter values as an array.
  ///
  /// - Throws: The same errors as ``run(_:_:)``.
  @discardableResult
  public func run(_ sql: SQL, values: [any SQLiteBindable]) throws(SQLiteError) -> Statement.Changes
  {
    let statement = try checkoutStatement(sql, values: values)
    defer { checkinStatement(statement) }
    return try finish(statement)
  }

  @usableFromInline
  func finish(_ statement: Statement) throws(SQLiteError) -> Statement.Changes {
    Statement.Changes(count: try changes(by: statement), lastInsertedRowID: lastInsertedRowID)
  }

  /// Runs the statement and returns the number of rows that it changed.
  private func changes(by statement: Statement) throws(SQLiteError) -> Int {
    let before = handle.totalChangeCount
    try statement.run()
    // SQLite counts for the last statement that wrote, which may be another one.
    return handle.totalChangeCount != before ? Int(handle.changeCount) : 0
  }
}

/// Scripts whose statements have parameters or return rows.
extension Connection {
  /// Passes each statement of a script to `body`, which binds its values, runs it or reads its rows.
  ///
  /// A statement is compiled after `body` has returned from the previous one, so that it can use the previous one's
  /// effects. Statements that `body` does not run are skipped.
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
  /// - Throws: Any error that `body` throws; ``SQLiteError`` for a statement that does not compile. A statement's error
  ///   contains the script as its SQL, and the offset in the script.
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

  /// Executes a script of several statements. Result rows are ignored.
  ///
  /// Each statement consumes one value for each of its parameters, in order.
  ///
  /// ```swift
  /// try connection.execute(
  ///   "DELETE FROM tag WHERE name = \(old); INSERT INTO tag VALUES (\(new))")
  /// ```
  ///
  /// - Parameters:
  ///   - script: The statements. Interpolated values are bound.
  ///   - values: The values of the parameters that are written in the text.
  /// - Throws: ``SQLiteError`` for the first statement that fails; with code ``SQLiteError/Code/parameterCount`` if
  ///   there are too few values for a statement, which is not run then, or unused values after the last statement.
  ///   Statements before the failure remain effective, unless an enclosing transaction is rolled back.
  public func execute(
    _ script: SQL, values: [any SQLiteBindable] = []
  ) throws(SQLiteError) {
    let (script, values) = try script.resolved(with: values)
    var reader = try ScriptReader(script, handle)
    var boundCount = 0
    while let statement = try reader.next() {
      do throws(SQLiteError) {
        let end = boundCount + statement.parameterCount
        if end > boundCount || !values.isEmpty {
          try statement.bindAll(Array(values[boundCount..<min(end, values.count)]))
        }
        boundCount = end
        try statement.run()
      } catch {
        throw reader.located(error)
      }
    }
    guard boundCount == values.count else {
      throw SQLiteError(
        code: .parameterCount,
        message: "the script has \(boundCount) parameters, but \(values.count) values were given",
        sql: script)
    }
  }
}

/// Reads the statements of a script, and compiles each after the previous ones have run.
struct ScriptReader {
  private let text: SQLText
  private let connection: ConnectionHandle
  /// The offset of the remaining text.
  private var position = 0
  /// The offset of the last statement.
  private var start = 0

  init(_ script: String, _ connection: ConnectionHandle) throws(SQLiteError) {
    text = try SQLText(script)
    self.connection = connection
  }

  /// Returns the next statement, or `nil` if only white space and comments are left.
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

  /// Compiles the statement at `start`.
  private func compile() throws(SQLiteError) -> ConnectionHandle.Prepared {
    do throws(SQLiteError) {
      return try connection.prepare(text, from: start, persistent: false)
    } catch {
      guard error.offset == nil else { throw error }
      let semicolon = text.bytes.firstIndex { $0 == 59 }
      throw located(error, end: semicolon ?? text.count)
    }
  }

  /// Converts an error of the last statement to an error of the script.
  func located(_ error: SQLiteError) -> SQLiteError { located(error, end: position) }

  /// If SQLite reports no offset, uses the beginning of the statement, unless it is the only one.
  private func located(_ error: SQLiteError, end: Int) -> SQLiteError {
    let isOnly = start == 0 && text.isSpace(from: end)
    let offset =
      error.offset.map { start + $0.rawValue } ?? (isOnly ? nil : text.skippingSpace(from: start))
    return SQLiteError(
      code: error.code, message: error.message, sql: text.sql,
      offset: offset.map { SQLiteError.ByteOffset(rawValue: $0) }, expandedSQL: error.expandedSQL,
      column: error.column)
  }
}
