internal import SQLiteCore

extension ModelSession {
  /// Inserts rows, or updates the existing rows that they conflict with.
  ///
  /// ```swift
  /// let saved = try await session.upsert(tags, onConflict: ["name"], updating: ["color"])
  /// ```
  ///
  /// An existing row keeps its key and all columns that are not updated; rows are never replaced.
  ///
  /// - Parameters:
  ///   - rows: The rows, which are written in one transaction.
  ///   - target: The columns of the key or of a unique index that identify an existing row; `nil`
  ///     for the key.
  ///   - updated: The columns to update in an existing row; `nil` for all columns except the key
  ///     and the target. If empty, an existing row is not changed.
  /// - Returns: The rows with their keys in the database. Other columns of existing rows are not
  ///   fetched.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the table has
  ///   no such column; `SQLiteError` if the target is not unique, or another constraint rejects a
  ///   row. After an error, no row is written.
  @discardableResult
  public func upsert<Row: Table>(
    _ rows: [Row], onConflict target: [String]? = nil, updating updated: [String]? = nil
  ) async throws -> [Row] {
    let rule = try TableMetadata.of(Row.self).upsertRule(target, updated)
    let (added, result) = try await serializingSaves { unitOfWork in
      var added: [(step: Int, row: Row)] = []
      for row in rows { added.append(try unitOfWork.add(value: row, rule)) }
      return (added, try await run(&unitOfWork))
    }
    return try added.map { step, row in try row.withKey(result.returned[step] ?? []) }
  }

  /// Inserts the rows of models, or updates the existing rows that they conflict with: see
  /// ``upsert(_:onConflict:updating:)-([Row],_,_)``.
  ///
  /// - Returns: The models of the rows, refreshed from the database: the given models, or for
  ///   existing rows with other keys, the models of these rows.
  @discardableResult
  public func upsert<M: Model>(
    _ models: [M], onConflict target: [String]? = nil, updating updated: [String]? = nil
  ) async throws -> [M] {
    let rows = try await upsert(models.map(\.value), onConflict: target, updating: updated)
    let map = identities(of: M.self)
    for (model, row) in zip(models, rows) {
      if map.entry(of: model)?.saved == nil { map.remove(model) }
      guard model.value.id.isUnset || model.value.id == row.id, map.model(for: row.id) == nil
      else { continue }
      model.value.id = row.id
      try map.add(model, changedAt: clock.tick(), in: self)
      map.recordSave(
        model, row, try model.value.relations(), plannedAt: clock.now, in: self)
    }
    return try await fetch(M.self, rows.map(\.id), includingDeleted: true)
  }
}

extension TableMetadata {
  fileprivate func upsertRule(_ target: [String]?, _ updated: [String]?) throws -> UpsertRule {
    let target = try target.map { try $0.map(columnIndex(named:)) } ?? key
    let updated =
      try updated.map { try $0.map(columnIndex(named:)) }
      ?? columns.indices.filter { !key.contains($0) && !target.contains($0) }
    return UpsertRule(target: target, updated: updated, returned: key)
  }
}

extension Table {
  /// Returns the row with another key.
  fileprivate func withKey(_ values: [SQLiteValue]) throws -> Self {
    let metadata = try TableMetadata.of(Self.self)
    if values.isEmpty || values == id.keyValues { return self }
    if values.count == 1, case .integer(let number) = values[0],
      let id = ID(generatedBySQLite: number)
    {
      var row = self
      row.id = id
      return row
    }
    var all = try metadata.makeBinding().values(of: self)
    for (place, value) in zip(metadata.key, values) { all[place] = value }
    return try metadata.row(Self.self, of: all, keeping: relations())
  }

  /// Returns the row with another version.
  func withVersion(_ number: SQLiteValue, at place: Int) throws -> Self {
    let metadata = try TableMetadata.of(Self.self)
    var all = try metadata.makeBinding().values(of: self)
    if all[place] == number { return self }
    all[place] = number
    return try metadata.row(Self.self, of: all, keeping: relations())
  }
}
