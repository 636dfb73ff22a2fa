public import SQLiteCore

/// An argument of a query.
public typealias QueryArgument = any SQLiteBindable & Sendable

extension SQL {
  /// Returns the SQL with arguments for the parameters in its text.
  func withArguments(_ arguments: [QueryArgument]) -> SQL {
    arguments.isEmpty ? self : SQL(self, values: arguments)
  }
}

extension ModelSession {
  /// Returns the rows that a query selects.
  ///
  /// ```swift
  /// let albums = try await session.fetchAll(
  ///   Album.self, "WHERE artist = ? ORDER BY name LIMIT 10", ["The Cure"])
  /// ```
  ///
  /// - Parameters:
  ///   - type: A model, with one instance for each row, or a table.
  ///   - sql: The SQL after `SELECT … FROM` and the table.
  ///   - arguments: The values of the parameters.
  ///   - includingDeleted: Whether to include rows that are marked as deleted: see
  ///     ``Table/deletedColumn``.
  /// - Throws: `SQLiteError` if the statement can't be compiled or fails, or if a row can't be
  ///   read; ``RelationError`` if the type can't be a table, or its table can't be migrated to
  ///   match it.
  public func fetchAll<M: TableModel>(
    _ type: M.Type, _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    includingDeleted: Bool = false
  ) async throws -> [M] {
    let revision = clock.now
    try await prepare(M.Row.self)
    let metadata = try TableMetadata.of(M.Row.self)
    let select = includingDeleted ? metadata.selectAllSQL : metadata.selectSQL
    let rows = try await database.read { connection in
      try connection.readRows(M.Row.self, metadata, "\(unsafe: select) \(sql: sql)", arguments)
    }
    return M.instances(of: rows.read(at: revision), in: self)
  }

  /// Returns the first row that a query selects; `nil` if there is none.
  ///
  /// - Throws: The same errors as `fetchAll(_:_:_:)`.
  public func fetchOne<M: TableModel>(
    _ type: M.Type, _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    includingDeleted: Bool = false
  ) async throws -> M? {
    try await prepare(M.Row.self)
    let metadata = try TableMetadata.of(M.Row.self)
    let revision = clock.now
    let select = includingDeleted ? metadata.selectAllSQL : metadata.selectSQL
    let row = try await database.read { connection in
      try connection.readRows(
        M.Row.self, metadata, "\(unsafe: select) \(sql: sql)", arguments, isFirst: true
      ).all.first
    }
    return row.map { M.instance(of: $0.read(at: revision), in: self) }
  }

  /// Returns the row with a key; `nil` if there is none.
  ///
  /// - Throws: The same errors as `fetchAll(_:_:_:)`.
  public func find<M: TableModel>(
    _ type: M.Type, _ id: M.ID, includingDeleted: Bool = false
  ) async throws -> M? {
    let metadata = try TableMetadata.of(M.Row.self)
    return try await fetchOne(
      type, "WHERE \(unsafe: metadata.keyCondition)", id.keyValues,
      includingDeleted: includingDeleted)
  }

  /// Returns the row with a key.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` if there is no such
  ///   row; the same errors as `fetchAll(_:_:_:)`.
  public func fetch<M: TableModel>(_ type: M.Type, _ id: M.ID) async throws -> M {
    guard let found = try await find(type, id) else {
      throw RelationError(
        .missingRow, "there is no row with the key", table: M.Row.tableName, key: id.literal)
    }
    return found
  }

  /// Returns the rows with the given keys, in the order of the keys. Missing rows are omitted.
  ///
  /// - Throws: The same errors as `fetchAll(_:_:_:)`.
  public func fetch<M: TableModel>(
    _ type: M.Type, _ ids: [M.ID], includingDeleted: Bool = false
  ) async throws -> [M] {
    try await prepare(M.Row.self)
    let metadata = try TableMetadata.of(M.Row.self)
    let revision = clock.now
    let rows = try await database.read { connection in
      try connection.readRows(
        M.Row.self, metadata, keys: ids, includingDeleted: includingDeleted
      ).all
    }
    var found = KeyMap<M>(keyCollation(of: M.Row.self))
    for row in rows {
      found[StoredKey(row.row.id)] = M.instance(of: row.read(at: revision), in: self)
    }
    return ids.compactMap { found[StoredKey($0)] }
  }
}
