internal import Primitives
public import SQLiteCore

extension DataAccess {
  /// Executes one or several SQL statements, all of them or none.
  ///
  /// ```swift
  /// let id = try provider.execute("INSERT INTO Person (Name) VALUES (?)", withParameters: ["Ada"])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One or several statements.
  ///   - parameters: The values of the parameters, in the order of the statements; `nil` is NULL.
  /// - Returns: The result of the last statement. For an `INSERT`, the rowid of the last inserted
  ///   row, or the number of inserted rows for a table without rowids; 0 if no row was inserted.
  ///   For an `UPDATE` or a `DELETE`, the number of changed rows. For any other statement, 1.
  /// - Throws: `SQLiteError` with the failing statement and the position in it; the same errors as
  ///   ``write(_:)``.
  @discardableResult
  public func execute(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    try write { try $0.execute(sql, parameters.map(SQLiteValue.bindable)) }
  }

  /// Runs a query, and returns all of its rows.
  ///
  /// ```swift
  /// let record = try provider.query("SELECT * FROM Category WHERE id = ?", withParameters: [1])
  /// print(record["name"])
  /// ```
  ///
  /// A statement can write and return rows, with `RETURNING`.
  ///
  /// - Parameters:
  ///   - sql: A single statement.
  ///   - parameters: The values of the parameters; `nil` is NULL.
  /// - Throws: `SQLiteError` if the text is not a single statement, or if the statement fails; the
  ///   same errors as ``read(_:)``.
  public func query(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> RecordSet {
    let values = parameters.map(SQLiteValue.bindable)
    let needsWriter = readsWriterState(sql)
    if !needsWriter, let read = try read({ try $0.records(sql, values, unlessWriting: true) }) {
      return read
    }
    return try write { connection in
      try connection.records(sql, values, unlessWriting: false) ?? RecordSet(columns: [])
    }
  }

  /// Calls `body` with each row of a query, without reading the next row first.
  ///
  /// - Throws: Any error that `body` throws, which ends the query; the same errors as
  ///   ``query(_:withParameters:)``.
  public func forEachRecord(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable)?] = [],
    _ body: (Record) throws -> Void
  ) throws {
    try read { connection in
      try connection.withStatement(sql, values: parameters.map(SQLiteValue.bindable)) {
        statement in
        let columns = RecordColumns(statement.columnNames)
        while try statement.step() { try body(Record(columns, try statement.row.values)) }
      }
    }
  }
}

extension DataProvider {
  /// Executes one or several SQL statements, all of them or none.
  ///
  /// `BEGIN`, `COMMIT` and `ROLLBACK`, as single statements, call ``beginTransaction()``,
  /// ``endTransaction()`` and ``rollbackTransaction()``.
  ///
  /// - Returns: The same result as ``DataAccess/execute(_:withParameters:)``.
  /// - Throws: The same errors as that method and these three.
  @discardableResult
  public func execute(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    if parameters.isEmpty, let statement = TransactionStatement(sql.text) {
      return try execute(statement)
    }
    return try write { try $0.execute(sql, parameters.map(SQLiteValue.bindable)) }
  }

  private func execute(_ statement: TransactionStatement) throws -> Int {
    switch statement {
    case .begin: try beginTransaction()
    case .commit: try endTransaction()
    case .rollBack: try rollbackTransaction()
    }
    return 1
  }

  /// Executes SQL statements on another thread.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled, in which case no statement is executed.
  @discardableResult
  public func execute(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> Int {
    if parameters.isEmpty, let statement = TransactionStatement(sql.text) {
      try Task.checkCancellation()
      return try await performBlocking { [self] in try execute(statement) }
    }
    return try await write { try $0.execute(sql, parameters.map(SQLiteValue.bindable)) }
  }

  /// Runs a query on another thread, and returns all of its rows.
  ///
  /// - Throws: The same errors as the synchronous form; `CancellationError` if the task was
  ///   cancelled.
  public func query(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> RecordSet {
    let needsWriter = readsWriterState(sql)
    let read =
      try await needsWriter
      ? nil
      : read { connection in
        try connection.records(sql, parameters.map(SQLiteValue.bindable), unlessWriting: true)
      }
    if let read { return read }
    return try await write { connection in
      try connection.records(sql, parameters.map(SQLiteValue.bindable), unlessWriting: false)
        ?? RecordSet(columns: [])
    }
  }

  /// Returns a stream of a query's rows, which are read on demand.
  ///
  /// ```swift
  /// for try await record in try provider.records("SELECT * FROM Person") { print(record) }
  /// ```
  ///
  /// Each iteration runs the query once, on one snapshot. While rows of an in-memory source,
  /// including an open file, are consumed, the source can't be accessed otherwise: other tasks
  /// wait, and accesses by the consuming task fail with `nestedAccess`.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen``, or with
  ///   ``ProviderError/Code/transactionOpen`` while a transaction is open that
  ///   ``beginTransaction()`` began. The iteration throws the query's errors.
  public func records(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) throws -> Database.RowStream<Record> {
    guard !session.isInTransaction else {
      throw ProviderError(
        .transactionOpen, "rows can't be streamed while a transaction is open")
    }
    // Created for the first row.
    let header = Mutex<RecordColumns?>(nil)
    return try session.source().database.rows(
      sql, values: parameters.map { $0 ?? SQLiteValue.null }
    ) { row in
      let names = row.columnNames
      let columns = header.withLock { header in
        if let header, header.names == names { return header }
        let columns = RecordColumns(names)
        header = columns
        return columns
      }
      return try Record(columns, row.values)
    }
  }
}

extension DataAccess {
  /// Returns whether a query can depend on the last write, whose state only the writing connection
  /// has.
  fileprivate func readsWriterState(_ sql: SQL) -> Bool {
    let sql = sql.text
    guard sql.utf8.contains(UInt8(ascii: "(")) else { return false }
    let text = sql.lowercased()
    guard text.contains("last_insert_rowid") || text.contains("changes") else { return false }
    return !((self as? any DataProvider)?.isReadOnly ?? false)
  }
}

extension SQLiteValue {
  /// Returns the value to bind for a parameter.
  static func bindable(_ value: (any SQLiteBindable)?) -> any SQLiteBindable {
    value ?? SQLiteValue.null
  }
}

extension Connection {
  /// Returns the rows of a statement; `nil` if `unlessWriting` is set and the statement writes.
  func records(
    _ sql: SQL, _ values: [any SQLiteBindable], unlessWriting: Bool
  ) throws -> RecordSet? {
    try withStatement(sql, values: values) { statement in
      if unlessWriting, !statement.isReadOnly { return nil }
      var rows: [[SQLiteValue]] = []
      while try statement.step() { try rows.append(statement.row.values) }
      return RecordSet(RecordColumns(statement.columnNames), rows)
    }
  }
}
