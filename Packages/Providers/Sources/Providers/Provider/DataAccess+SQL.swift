public import SQLiteCore

extension DataAccess {
  /// Runs SQL for its effect: one statement, or several, of which all are done or none.
  ///
  /// ```swift
  /// let id = try provider.execute("INSERT INTO Person (Name) VALUES (?)", withParameters: ["Ada"])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: One statement or several.
  ///   - parameters: A value for each parameter, in the order of the statements; `nil` is NULL.
  /// - Returns: What the last statement came to: for an `INSERT` the id of the row that was inserted last, or, in tables
  ///   that have none, how many there were; 0 where none was. For an `UPDATE` and a `DELETE`, how many rows were changed.
  ///   For all else 1.
  /// - Throws: `SQLiteError` of the statement that fails, and where in it; as ``write(_:)``.
  @discardableResult
  public func execute(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    try write { try $0.execute(sql, parameters.map(SQLiteValue.bindable)) }
  }

  /// Runs a query, and reads all of its rows.
  ///
  /// ```swift
  /// let record = try provider.query("SELECT * FROM Category WHERE id = ?", withParameters: [1])
  /// print(record["name"])
  /// ```
  ///
  /// A statement that writes and gives rows, by `RETURNING`, does so.
  ///
  /// - Parameters:
  ///   - sql: One statement.
  ///   - parameters: A value for each parameter; `nil` is NULL.
  /// - Throws: `SQLiteError` where the text is not one statement, or it fails; as ``read(_:)``.
  public func query(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> RecordSet {
    let values = parameters.map(SQLiteValue.bindable)
    let isOfWriter = isAboutWrites(sql)
    if !isOfWriter, let read = try read({ try $0.records(sql, values, unlessWriting: true) }) {
      return read
    }
    return try write { connection in
      try connection.records(sql, values, unlessWriting: false) ?? RecordSet(columns: [])
    }
  }

  /// Hands each row of a query to `body`, as it is read.
  ///
  /// - Throws: What `body` throws, which ends it; as ``query(_:withParameters:)``.
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
  /// Runs SQL for its effect: one statement, or several, of which all are done or none.
  ///
  /// `BEGIN`, `COMMIT` and `ROLLBACK`, each alone, do what ``beginTransaction()``, ``endTransaction()`` and
  /// ``rollbackTransaction()`` do.
  ///
  /// - Returns: As ``DataAccess/execute(_:withParameters:)``.
  /// - Throws: As that one, and as those three.
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

  /// Runs SQL for its effect, on a thread of its own.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled, and nothing is done then.
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

  /// Runs a query, and reads all of its rows, on a thread of its own.
  ///
  /// - Throws: As the synchronous form; `CancellationError` where the task was cancelled.
  public func query(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> RecordSet {
    let isOfWriter = isAboutWrites(sql)
    let read =
      try await isOfWriter
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

  /// The rows of a query, read as they are consumed.
  ///
  /// ```swift
  /// for try await record in try provider.records("SELECT * FROM Person") { print(record) }
  /// ```
  ///
  /// Each iteration runs the query once, and sees one moment. Of a source that is held in memory, as a file's is,
  /// nothing else is read or written while rows are consumed: other tasks wait, and what the task that consumes them does
  /// with the source is refused with `nestedAccess`.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notOpen``, with ``ProviderError/Code/transactionOpen`` while a
  ///   transaction is that ``beginTransaction()`` began. Errors of the query are thrown by its iteration.
  public func records(
    _ sql: SQL, withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) throws -> Database.RowStream<Record> {
    guard !session.isInTransaction else {
      throw ProviderError(
        .transactionOpen, "rows are streamed outside of a transaction that stays open")
    }
    let header = KeptColumns()
    return try session.source().database.rows(
      sql, values: parameters.map { $0 ?? SQLiteValue.null }
    ) { row in
      try Record(header.columns(of: row.columnNames), row.values)
    }
  }
}

extension DataAccess {
  /// Whether a query may ask what was written last, which only the connection knows that writes.
  fileprivate func isAboutWrites(_ sql: SQL) -> Bool {
    let sql = sql.text
    guard sql.utf8.contains(UInt8(ascii: "(")) else { return false }
    let text = sql.lowercased()
    guard text.contains("last_insert_rowid") || text.contains("changes") else { return false }
    return !((self as? any DataProvider)?.isReadOnly ?? false)
  }
}

extension SQLiteValue {
  /// What is bound for a parameter.
  static func bindable(_ value: (any SQLiteBindable)?) -> any SQLiteBindable {
    value ?? SQLiteValue.null
  }
}

extension Connection {
  /// The rows of a statement; `nil` where it writes and is not to.
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
