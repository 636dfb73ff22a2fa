public import SQLiteCore

/// What a query's parameter is given.
public typealias QueryArgument = any SQLiteBindable & Sendable

extension SQL {
  /// The SQL with the values of the parameters that its text has of its own, if any are given.
  func taking(_ arguments: [QueryArgument]) -> SQL {
    arguments.isEmpty ? self : SQL(self, values: arguments)
  }
}

extension ModelSession {
  /// The rows that a query finds.
  ///
  /// ```swift
  /// let albums = try await session.fetchAll(
  ///   Album.self, "WHERE artist = ? ORDER BY name LIMIT 10", ["The Cure"])
  /// ```
  ///
  /// - Parameters:
  ///   - type: A model, of which each row has its instance, or a table.
  ///   - sql: What stands behind `SELECT … FROM` and the table.
  ///   - arguments: The values of its parameters.
  ///   - includingDeleted: Whether rows are found too that are marked as deleted: see ``Table/deletedColumn``.
  /// - Throws: `SQLiteError` where the statement does not compile or fails, or a row can't be read; ``RelationError`` where the
  ///   type can't be a table, or its table can't be made what it says.
  public func fetchAll<M: TableModel>(
    _ type: M.Type, _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    includingDeleted: Bool = false
  ) async throws -> [M] {
    let moment = clock.now
    try await prepare(M.Row.self)
    let shape = try TableMetadata.of(M.Row.self)
    let select = includingDeleted ? shape.selectAllSQL : shape.selectSQL
    let rows = try await database.read { connection in
      try connection.readRows(M.Row.self, shape, "\(unsafe: select) \(sql: sql)", arguments)
    }
    return M.instances(of: rows.read(at: moment), in: self)
  }

  /// The first row that a query finds; `nil` where there is none.
  ///
  /// - Throws: As `fetchAll(_:_:_:)`.
  public func fetchOne<M: TableModel>(
    _ type: M.Type, _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    includingDeleted: Bool = false
  ) async throws -> M? {
    try await prepare(M.Row.self)
    let shape = try TableMetadata.of(M.Row.self)
    let moment = clock.now
    let select = includingDeleted ? shape.selectAllSQL : shape.selectSQL
    let row = try await database.read { connection in
      try connection.fetchRows(
        M.Row.self, shape, "\(unsafe: select) \(sql: sql)", arguments, isFirst: true
      ).first
    }
    return row.map { M.instance(of: $0.read(at: moment), in: self) }
  }

  /// The row of a key; `nil` where there is none.
  ///
  /// - Throws: As `fetchAll(_:_:_:)`.
  public func find<M: TableModel>(
    _ type: M.Type, _ id: M.ID, includingDeleted: Bool = false
  ) async throws -> M? {
    let shape = try TableMetadata.of(M.Row.self)
    return try await fetchOne(
      type, "WHERE \(unsafe: shape.keyCondition)", id.keyValues, includingDeleted: includingDeleted)
  }

  /// The row of a key.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` where there is none; as
  ///   `fetchAll(_:_:_:)`.
  public func fetch<M: TableModel>(_ type: M.Type, _ id: M.ID) async throws -> M {
    guard let found = try await find(type, id) else {
      throw RelationError(
        .missingRow, "there is no row with the key", table: M.Row.tableName, key: id.literal)
    }
    return found
  }

  /// The rows of keys, in the order of the keys. Those that are missing are left out.
  ///
  /// - Throws: As `fetchAll(_:_:_:)`.
  public func fetch<M: TableModel>(
    _ type: M.Type, _ ids: [M.ID], includingDeleted: Bool = false
  ) async throws -> [M] {
    try await prepare(M.Row.self)
    let shape = try TableMetadata.of(M.Row.self)
    let moment = clock.now
    let rows = try await database.read { connection in
      try connection.fetchRows(
        M.Row.self, shape, keys: ids, includingDeleted: includingDeleted)
    }
    var found = KeyMap<M>(keyCollation(of: M.Row.self))
    for row in rows {
      found[StoredKey(row.row.id)] = M.instance(of: row.read(at: moment), in: self)
    }
    return ids.compactMap { found[StoredKey($0)] }
  }
}
