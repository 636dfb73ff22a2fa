internal import SQLiteCore

extension ModelSession {
  /// Inserts rows, or updates those that they contradict.
  ///
  /// ```swift
  /// let saved = try await session.upsert(tags, onConflict: ["name"], updating: ["color"])
  /// ```
  ///
  /// A row that is there keeps its key, and all columns that are not named; nothing is ever replaced as a whole.
  ///
  /// - Parameters:
  ///   - rows: The rows, all in one transaction.
  ///   - target: The columns of the key, or of a unique index, by which a row is found: the key where it is `nil`.
  ///   - updated: What is updated of a row that is there: all columns but the key and those of the target where it is `nil`.
  ///     With an empty list it stays as it is.
  /// - Returns: The rows, with the keys that they have in the database. What else is there of a row, a fetch tells.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` where there is no such column; `SQLiteError` where
  ///   the target is not unique, or another constraint forbids a row. Then nothing is written.
  @discardableResult
  public func upsert<Row: Table>(
    _ rows: [Row], onConflict target: [String]? = nil, updating updated: [String]? = nil
  ) async throws -> [Row] {
    let rule = try TableMetadata.of(Row.self).upsertRule(target, updated)
    let (added, made) = try await inTurn { builder in
      var added: [(step: Int, row: Row)] = []
      for row in rows { added.append(try builder.add(value: row, rule)) }
      return (added, try await run(&builder))
    }
    return try added.map { step, row in try row.withKey(made.returned[step] ?? []) }
  }

  /// Inserts the rows of models, or updates those that they contradict: see ``upsert(_:onConflict:updating:)-([Row],_,_)``.
  ///
  /// - Returns: The models of the rows, which are as their rows: the ones that were given, or where a row was there with
  ///   another key, that row's.
  @discardableResult
  public func upsert<M: Model>(
    _ models: [M], onConflict target: [String]? = nil, updating updated: [String]? = nil
  ) async throws -> [M] {
    let rows = try await upsert(models.map(\.value), onConflict: target, updating: updated)
    let map = identities(of: M.self)
    for (model, row) in zip(models, rows) {
      if map.entry(of: model)?.saved == nil { map.forget(model) }
      guard model.value.id.isUnset || model.value.id == row.id, map.model(for: row.id) == nil
      else { continue }
      model.value.id = row.id
      try map.add(model, toldAt: clock.tick(), in: self)
      map.noteSaved(
        model, row, try RelationList.of(model.value), plannedAt: clock.now, in: self)
    }
    return try await fetch(M.self, rows.map(\.id), includingDeleted: true)
  }
}

extension TableMetadata {
  fileprivate func upsertRule(_ target: [String]?, _ updated: [String]?) throws -> UpsertRule {
    let target = try target.map { try $0.map(columnPlace) } ?? key
    let updated =
      try updated.map { try $0.map(columnPlace) }
      ?? columns.indices.filter { !key.contains($0) && !target.contains($0) }
    return UpsertRule(target: target, updated: updated, returned: key)
  }

  private func columnPlace(_ name: String) throws -> Int {
    guard let place = columns.firstIndex(where: { SQLName.isSame($0.name, name) }) else {
      throw RelationError(
        .schemaMismatch, "the table has no such column", table: table, column: name)
    }
    return place
  }
}

extension Table {
  /// The row with another key.
  fileprivate func withKey(_ values: [SQLiteValue]) throws -> Self {
    let shape = try TableMetadata.of(Self.self)
    if values.isEmpty || values == id.keyValues { return self }
    if values.count == 1, case .integer(let number) = values[0], let id = ID(madeBySQLite: number) {
      var row = self
      row.id = id
      return row
    }
    var all = try shape.makeBinding().values(of: self)
    for (place, value) in zip(shape.key, values) { all[place] = value }
    return try rebuilt(shape, all)
  }

  /// The row with another version.
  func withVersion(_ number: SQLiteValue, at place: Int) throws -> Self {
    let shape = try TableMetadata.of(Self.self)
    var all = try shape.makeBinding().values(of: self)
    if all[place] == number { return self }
    all[place] = number
    return try rebuilt(shape, all)
  }

  private func rebuilt(_ shape: TableMetadata, _ values: [SQLiteValue]) throws -> Self {
    let relations = zip(shape.relationNames, try RelationList.of(self))
    return try shape.row(
      Self.self, of: values,
      keeping: Dictionary(relations, uniquingKeysWith: { first, _ in first }))
  }
}
