public import SQLiteCore

/// What reads and writes the tables of a source: a provider that has one open, or a transaction of it.
///
/// All that is done with tables is here, so that it can be done in either:
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
  /// Reads, with all that `body` reads of one moment; the calling thread waits for its turn.
  ///
  /// - Throws: What `body` throws; `SQLiteError` with code `readOnly` where it writes, unless in a ``DataTransaction``,
  ///   with `nestedAccess` inside another access to the same source; ``ProviderError`` with ``ProviderError/Code/notOpen``.
  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result

  /// Writes: all that `body` does is kept, or nothing. The calling thread waits for its turn.
  ///
  /// - Throws: What `body` throws; as ``read(_:)``; ``ProviderError`` with ``ProviderError/Code/readOnly``.
  @discardableResult
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result
}

/// A transaction of a provider, for as long as its closure runs.
///
/// ```swift
/// try provider.transaction { transaction in
///   try transaction.execute("UPDATE Account SET sum = sum - 10 WHERE id = 1")
///   try transaction.execute("UPDATE Account SET sum = sum + 10 WHERE id = 2")
/// }
/// ```
public struct DataTransaction: DataAccess {
  /// The connection that it runs on.
  public let connection: Connection
  /// The keys that were written back into objects, for the case that all is undone.
  let keys: AdoptedKeys

  init(_ connection: Connection, _ keys: AdoptedKeys = AdoptedKeys()) {
    self.connection = connection
    self.keys = keys
  }

  /// Reads what the transaction sees. What `body` writes is not refused here, as it is by a provider, but a part of the
  /// transaction.
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
  /// Runs `body` in a transaction: all that it does is kept, or nothing. In a transaction, it is a savepoint.
  ///
  /// Where it is undone, instances that were saved in it have the keys again that they had before.
  ///
  /// - Throws: What `body` throws; as ``write(_:)``.
  @discardableResult
  public func transaction<Result>(
    _ body: (DataTransaction) throws -> Result
  ) throws -> Result {
    let keys = AdoptedKeys()
    do {
      let result = try write { try body(DataTransaction($0, keys)) }
      (self as? DataTransaction)?.keys.add(keys)
      return result
    } catch {
      keys.restore()
      throw error
    }
  }
}

extension DataAccess {
  /// Whether there is a table, or a view, of a name.
  ///
  /// - Throws: As ``read(_:)``.
  public func tableExists(_ name: String) throws -> Bool {
    try read { try $0.hasTable(name) }
  }

  /// The names of all tables and views.
  ///
  /// - Throws: As ``read(_:)``.
  public func tableNames() throws -> [String] {
    try read { try $0.tables().map(\.name.name) }
  }

  /// The columns of a table with their types, and its constraints.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; as ``read(_:)``.
  public func getTableSchema(forTableName name: String) throws -> TableSchema {
    try read { try $0.existingTable(name) }
  }

  /// Counts the rows of a table.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - filter: What stands behind `WHERE` in SQL; all rows are counted where it is blank.
  ///   - parameters: A value for each parameter of the filter.
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; `SQLiteError` of the filter; as ``read(_:)``.
  public func countRows(
    inTable name: String, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable)?] = []
  ) throws -> Int {
    try read { try $0.countRows(name, filter, parameters.map(SQLiteValue.bindable)) }
  }

  /// The largest value of a table's integer key; 0 where there is none.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; `SQLiteError` where it has no such column; as
  ///   ``read(_:)``.
  public func lastIntID(forTable name: String, withKey key: String) throws -> Int {
    try read { try $0.lastIntID(name, key) }
  }

  /// The last id that a table gave a row by itself; 0 where it has given none.
  ///
  /// Where the table does not remember them, which takes `AUTOINCREMENT`, it is the largest id that there is.
  ///
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``; as ``read(_:)``.
  public func lastAutoID(forTable name: String) throws -> Int {
    try read { try $0.lastAutoID(name) }
  }

  /// The number that the source keeps for its app: `PRAGMA user_version`.
  ///
  /// - Throws: As ``read(_:)``.
  public func databaseVersion() throws -> Int {
    try read { try $0.pragma("user_version", as: Int.self) ?? 0 }
  }
}

extension DataProvider {
  /// Whether there is a table, or a view, of a name.
  ///
  /// - Throws: As the synchronous form.
  public func tableExists(_ name: String) async throws -> Bool {
    try await read { try $0.hasTable(name) }
  }

  /// The names of all tables and views.
  ///
  /// - Throws: As the synchronous form.
  public func tableNames() async throws -> [String] {
    try await read { try $0.tables().map(\.name.name) }
  }

  /// The columns of a table with their types, and its constraints.
  ///
  /// - Throws: As the synchronous form.
  public func getTableSchema(forTableName name: String) async throws -> TableSchema {
    try await read { try $0.existingTable(name) }
  }

  /// Counts the rows of a table.
  ///
  /// - Throws: As the synchronous form.
  public func countRows(
    inTable name: String, filteredBy filter: SQL = "",
    withParameters parameters: [(any SQLiteBindable & Sendable)?] = []
  ) async throws -> Int {
    try await read { try $0.countRows(name, filter, parameters.map(SQLiteValue.bindable)) }
  }

  /// The largest value of a table's integer key.
  ///
  /// - Throws: As the synchronous form.
  public func lastIntID(forTable name: String, withKey key: String) async throws -> Int {
    try await read { try $0.lastIntID(name, key) }
  }

  /// The last id that a table gave a row by itself.
  ///
  /// - Throws: As the synchronous form.
  public func lastAutoID(forTable name: String) async throws -> Int {
    try await read { try $0.lastAutoID(name) }
  }
}

extension Connection {
  /// - Throws: ``ProviderError`` with ``ProviderError/Code/unknownTable``.
  func existingTable(_ name: String) throws -> TableSchema {
    guard let table = try table(name) else {
      throw ProviderError(.unknownTable, "there is no such table", table: name)
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
    throw ProviderError(.unknownTable, "there is no such table", table: name)
  }

  fileprivate func countRows(
    _ name: String, _ filter: SQL, _ values: [any SQLiteBindable]
  ) throws -> Int {
    try requireTable(name)
    let condition: SQL = filter.isBlank ? "" : "WHERE (\n\(sql: filter)\n)"
    return try value(
      Int.self, "SELECT count(*) FROM \(identifier: name) \(sql: condition)", values: values) ?? 0
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
