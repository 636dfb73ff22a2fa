public import SQLiteCore

/// Read and write access to the tables of a source: a provider with an open source, or one of its
/// transactions.
///
/// Code that uses this protocol works with both:
///
/// ```swift
/// func archive(in access: some DataAccess) throws {
///   try access.execute("INSERT INTO Archive SELECT * FROM Task WHERE done")
///   try access.execute("DELETE FROM Task WHERE done")
/// }
/// try archive(in: provider)
/// try provider.transaction { try archive(in: $0) }
/// ```
public protocol DataAccess {
  /// Calls `body` with a connection that reads one snapshot. The calling thread waits for the
  /// connection.
  ///
  /// - Throws: Any error that `body` throws; `SQLiteError` with code `readOnly` if `body` writes,
  ///   except in a ``DataTransaction``, or with code `nestedAccess` inside another access to the
  ///   same source; ``ProviderError`` with ``ProviderError/Code/notOpen``.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Calls `body` in a transaction, which is rolled back if `body` throws. The calling thread waits
  /// for the connection.
  ///
  /// - Throws: Any error that `body` throws; the same errors as ``read(_:)``; ``ProviderError``
  ///   with ``ProviderError/Code/readOnly``.
  @discardableResult
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result
}

/// A provider's transaction, which is valid while its closure runs.
///
/// ```swift
/// try provider.transaction { transaction in
///   try transaction.execute("UPDATE Account SET sum = sum - 10 WHERE id = 1")
///   try transaction.execute("UPDATE Account SET sum = sum + 10 WHERE id = 2")
/// }
/// ```
public struct DataTransaction: DataAccess {
  /// The transaction's connection.
  public let connection: Connection
  /// The former keys of objects whose keys the transaction has changed.
  let undoLog: KeyUndoLog

  init(_ connection: Connection, _ undoLog: KeyUndoLog = KeyUndoLog()) {
    self.connection = connection
    self.undoLog = undoLog
  }

  /// Reads the transaction's state. Unlike a provider's `read`, this method permits writes, which
  /// become part of the transaction.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try body(connection)
  }

  @discardableResult
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try connection.savepoint { try body(connection) }
  }
}

@available(*, unavailable) extension DataTransaction: Sendable {}

extension DataAccess {
  /// Calls `body` in a transaction, which is rolled back if `body` throws. Inside a transaction, it
  /// is a savepoint.
  ///
  /// A rollback also restores the keys of instances that were saved in the transaction.
  ///
  /// - Throws: Any error that `body` throws; the same errors as ``write(_:)``.
  @discardableResult
  public func transaction<Result>(
    _ body: (DataTransaction) throws -> Result
  ) throws -> Result {
    let undoLog = KeyUndoLog()
    do {
      let result = try write { try body(DataTransaction($0, undoLog)) }
      (self as? DataTransaction)?.undoLog.append(contentsOf: undoLog)
      return result
    } catch {
      undoLog.restore()
      throw error
    }
  }
}

extension DataAccess {
  /// Returns whether a table or view exists.
  ///
  /// - Throws: The same errors as ``read(_:)``.
  public func tableExists(_ name: String) throws -> Bool {
    try read { try $0.hasTable(name) }
  }

  /// Returns the names of all tables and views.
  ///
  /// - Throws: The same errors as ``read(_:)``.
  public func tableNames() throws -> [String] {
    try read { try $0.tables().map(\.name.name) }
  }

  /// Returns the columns of a table with their types, and its constraints.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; the same errors as
  ///   ``read(_:)``.
  public func getTableSchema(forTableName name: String) throws -> TableSchema {
    try read { try $0.existingTable(name) }
  }

  /// Returns the number of a table's rows.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - filter: The SQL condition after `WHERE`; if it is blank, all rows are counted.
  ///   - parameters: The values of the filter's parameters.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; `SQLiteError` if the
  ///   filter is invalid; the same errors as ``read(_:)``.
  public func countRows(
    inTable name: String, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    try read { try $0.countRows(name, filter, parameters.map(SQLiteValue.bindable)) }
  }

  /// Returns the largest value of a table's integer key; 0 if there is none.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; `SQLiteError` if the
  ///   column does not exist; the same errors as ``read(_:)``.
  public func lastIntID(forTable name: String, withKey key: String) throws -> Int {
    try read { try $0.lastIntID(name, key) }
  }

  /// Returns the last key that a table assigned automatically; 0 if there is none.
  ///
  /// Without `AUTOINCREMENT`, which records it, this is the largest rowid.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; the same errors as
  ///   ``read(_:)``.
  public func lastAutoID(forTable name: String) throws -> Int {
    try read { try $0.lastAutoID(name) }
  }

  /// Returns the application's version number in the source: `PRAGMA user_version`.
  ///
  /// - Throws: The same errors as ``read(_:)``.
  public func databaseVersion() throws -> Int {
    try read { try $0.pragma("user_version", as: Int.self) ?? 0 }
  }
}

extension DataProvider {
  /// Returns whether a table or view exists.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func tableExists(_ name: String) async throws -> Bool {
    try await read { try $0.hasTable(name) }
  }

  /// Returns the names of all tables and views.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func tableNames() async throws -> [String] {
    try await read { try $0.tables().map(\.name.name) }
  }

  /// Returns the columns of a table with their types, and its constraints.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func getTableSchema(forTableName name: String) async throws -> TableSchema {
    try await read { try $0.existingTable(name) }
  }

  /// Returns the number of a table's rows.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func countRows(
    inTable name: String, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> Int {
    try await read { try $0.countRows(name, filter, parameters.map(SQLiteValue.bindable)) }
  }

  /// Returns the largest value of a table's integer key.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func lastIntID(forTable name: String, withKey key: String) async throws -> Int {
    try await read { try $0.lastIntID(name, key) }
  }

  /// Returns the last key that a table assigned automatically.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func lastAutoID(forTable name: String) async throws -> Int {
    try await read { try $0.lastAutoID(name) }
  }
}

extension Connection {
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``.
  func existingTable(_ name: String) throws -> TableSchema {
    guard let table = try table(name) else {
      throw ProviderError(.unknownTable, "the table does not exist", table: name)
    }
    return table
  }

  func hasTable(_ name: String) throws -> Bool {
    try value(
      Int.self,
      """
      SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE
      """, name) != nil
  }

  private func requireTable(_ name: String) throws {
    guard try !hasTable(name) else { return }
    throw ProviderError(.unknownTable, "the table does not exist", table: name)
  }

  fileprivate func countRows(
    _ name: String, _ filter: SQL, _ values: [any SQLiteBindable]
  ) throws -> Int {
    try requireTable(name)
    return try value(
      Int.self, "SELECT count(*) FROM \(identifier: name)" + SQL.clauses(filter: filter),
      values: values) ?? 0
  }

  fileprivate func lastIntID(_ name: String, _ key: String) throws -> Int {
    try requireTable(name)
    let last = try value(
      Int?.self, "SELECT max(\(identifier: key)) FROM \(identifier: name)")
    return (last ?? nil) ?? 0
  }

  fileprivate func lastAutoID(_ name: String) throws -> Int {
    let table = try existingTable(name)
    if table.columns.contains(where: \.isAutoincrement) {
      return try value(
        Int.self, "SELECT seq FROM sqlite_sequence WHERE name = ? COLLATE NOCASE", name) ?? 0
    }
    guard table.kind == .table, let id = table.rowIDName else { return 0 }
    let last = try value(Int?.self, "SELECT max(\(unsafe: id)) FROM \(identifier: name)")
    return (last ?? nil) ?? 0
  }
}
