public import SQLiteCore

extension ModelSession {
  /// Returns whether a model has no row yet.
  func isNew(_ model: some Model) -> Bool {
    identities(of: type(of: model)).identity(of: model)?.with { $0.saved == nil } ?? true
  }

  /// Saves models: new models are inserted, and the changed columns of the others are updated.
  ///
  /// All writes are in one transaction, including new models that the saved models refer to. The
  /// models' state in memory is updated after the commit only: after an error, it is unchanged and
  /// can be saved again. Saves of one session are serialized; the changes to write are determined
  /// when the earlier saves have ended.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` if a row to update no
  ///   longer exists, with ``RelationError/Code/invalidKey`` if a new row has no key; `SQLiteError`
  ///   for a violated constraint.
  public func save(_ models: [any Model]) async throws {
    try await serializingSaves { unitOfWork in
      try unitOfWork.add(models)
      _ = try await run(&unitOfWork)
    }
  }

  /// Saves a model: see ``save(_:)-(_)``.
  public func save(_ model: some Model) async throws { try await save([model]) }

  /// Saves rows: each row is inserted, or replaces the row with the same key.
  ///
  /// - Returns: The written rows with their keys and versions.
  /// - Throws: The same errors as ``save(_:)-(_)``.
  @discardableResult
  public func save<Row: Table>(_ rows: [Row]) async throws -> [Row] {
    let (added, result) = try await serializingSaves { unitOfWork in
      var added: [(step: Int, row: Row)] = []
      for row in rows { added.append(try unitOfWork.add(value: row)) }
      return (added, try await run(&unitOfWork))
    }
    guard let version = try TableMetadata.of(Row.self).version else {
      return added.map { step, row in row.withKey(result.keys[step]) }
    }
    return try added.map { step, row in
      let row = row.withKey(result.keys[step])
      guard let number = result.returned[step]?.first else { return row }
      return try row.withVersion(number, at: version)
    }
  }

  /// Saves a row: see ``save(_:)-([Row])``.
  @discardableResult
  public func save<Row: Table>(_ row: Row) async throws -> Row {
    try await save([row]).first ?? row
  }

  /// Saves every model of this session that has changed, or every changed model of the given types.
  ///
  /// - Throws: The same errors as `save(_:)`.
  public func saveChanges(of types: [any Model.Type]? = nil) async throws {
    let wanted = types.map { $0.map { identities(ofAny: $0) } } ?? allIdentities
    try await serializingSaves { unitOfWork in
      for models in wanted { try models.addChanged(to: &unitOfWork) }
      _ = try await run(&unitOfWork)
    }
  }

  private func identities(ofAny type: any Model.Type) -> any AnyIdentityMap {
    func open<M: Model>(_ type: M.Type) -> any AnyIdentityMap { identities(of: type) }
    return open(type)
  }

  /// Saves models, deletes others and runs `body`, all in one transaction.
  ///
  /// ```swift
  /// let count = try await session.write(saving: [album], deleting: [draft]) { connection in
  ///   try connection.run("INSERT INTO journal (entry) VALUES ('published')")
  ///   return try connection.value(Int.self, "SELECT count(*) FROM Album") ?? 0
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - models: The models to save first: see `save(_:)`.
  ///   - deleted: The models to delete next: see ``delete(_:)``.
  ///   - body: Additional work, called on the writer's thread. An error that it throws rolls back
  ///     the transaction and is rethrown. Models are not updated from its writes until they are
  ///     next fetched.
  /// - Throws: The same errors as `save(_:)` and ``delete(_:)``, and any error thrown by `body`. In
  ///   `body`, another access to the database is an `SQLiteError` with code `nestedAccess`: use the
  ///   connection and its savepoints.
  @discardableResult
  public func write<Result: Sendable>(
    saving models: [any Model] = [], deleting deleted: [any Model] = [],
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await serializingSaves { unitOfWork in
      try unitOfWork.add(models)
      for model in deleted { try unitOfWork.delete(model) }
      return try await run(&unitOfWork, body).result
    }
  }

  /// Saves models and deletes others in one transaction: see ``write(saving:deleting:_:)``.
  public func save(_ models: [any Model], deleting deleted: [any Model]) async throws {
    try await write(saving: models, deleting: deleted) { _ in }
  }

  func run(_ unitOfWork: inout UnitOfWork) async throws -> FlushResult {
    unitOfWork.finish()
    if unitOfWork.plan.isEmpty {
      try await finishCommit(unitOfWork, FlushResult(), [])
      return FlushResult()
    }
    return try await run(&unitOfWork) { _ in }.flush
  }

  private func run<Result: Sendable>(
    _ unitOfWork: inout UnitOfWork, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> (flush: FlushResult, result: Result) {
    unitOfWork.finish()
    for type in unitOfWork.types { try await prepare(type) }
    let plan = unitOfWork.plan
    let refetches = try unitOfWork.deletions.flatMap { deletion in
      try allIdentities.compactMap { try $0.refetch(after: deletion, in: self) }
    }
    let saved: (flush: FlushResult, result: Result, rows: [any Sendable])
    do {
      saved = try await database.write { connection in
        let flush = try connection.run(plan)
        let result = try body(connection)
        return (flush, result, try refetches.map { try $0.read(connection) })
      }
    } catch {
      unitOfWork.finishRollback()
      throw error
    }
    try await finishCommit(unitOfWork, saved.flush, Array(zip(refetches, saved.rows)))
    return (saved.flush, saved.result)
  }

  private func finishCommit(
    _ unitOfWork: UnitOfWork, _ result: FlushResult, _ refetched: [(Refetch, any Sendable)]
  ) async throws {
    for deletion in unitOfWork.deletions {
      applyDeletion(
        deletion, of: deletion.keys.filter { !result.conflictingDeletions.contains($0) })
    }
    for (refetch, rows) in refetched { refetch.apply(rows) }
    let conflicting = unitOfWork.finishCommit(result)
    for deletion in unitOfWork.plan.linkDeletions { applyDeletion(deletion, of: deletion.keys) }
    for call in unitOfWork.afterCommit { call() }
    for models in conflicting { try await models.fetchConflicting(in: self) }
  }

  /// Records that the rows with some of a deletion's keys were deleted or marked as deleted.
  private func applyDeletion(_ deletion: Deletion, of keys: [[SQLiteValue]]) {
    let type = deletion.metadata.type
    let revision = clock.tick()
    let deletedKeys = KeyMap<Void>(keys, keyCollation(of: type))
    for map in allIdentities {
      map.applyDeletion(type, deletedKeys, deletion.operation, at: revision)
    }
  }
}

extension ModelSession {
  /// Deletes the rows of models, or rows. Rows that don't exist are skipped.
  ///
  /// Foreign keys determine what happens to rows that refer to the deleted rows; the models of
  /// these rows are refreshed.
  ///
  /// Rows of a type with a ``Table/deletedColumn`` are not deleted but marked as deleted:
  ///
  /// - Fetches, lists, relations and counts omit them, except fetches with `includingDeleted` and
  ///   your own SQL. A to-one relation keeps its key; reading its object is the same error as for a
  ///   missing row.
  /// - Unique indexes of the type ignore them: their values can be used again.
  /// - Foreign key actions are not triggered, since the rows still exist. Instead, a row that
  ///   refers to a deleted row is marked with the same timestamp if its to-one relation is declared
  ///   with `onDelete: .cascade`, its type has a ``Table/deletedColumn`` too, and the deleted row's
  ///   type refers to that type, for example by a list.
  /// - ``restore(_:)`` removes the marks; ``deletePermanently(_:)`` deletes the rows.
  ///
  /// - Throws: `SQLiteError` with code `constraintForeignKey` if a row that refers to one of the
  ///   rows prevents its deletion; ``RelationError`` with code ``RelationError/Code/conflict`` if a
  ///   row's version has changed. After an error, no row is deleted.
  public func delete<M: TableModel>(_ models: [M]) async throws {
    try await serializingSaves { unitOfWork in
      try unitOfWork.delete(models)
      _ = try await run(&unitOfWork)
    }
  }

  /// Deletes the rows with the given keys, regardless of their versions: see ``delete(_:)``.
  public func delete<M: TableModel>(_ type: M.Type, _ ids: [M.ID]) async throws {
    try await delete(type, ids, nil)
  }

  /// Removes the deletion marks of rows, and of the rows that were marked together with them.
  ///
  /// If the mark is a flag and not a timestamp, rows that were marked together can't be determined,
  /// and they stay deleted.
  ///
  /// - Throws: `SQLiteError` with code `constraintUnique` if another row now has a unique value.
  ///   After an error, no row is restored.
  public func restore<M: TableModel>(_ models: [M]) async throws {
    try await serializingSaves { unitOfWork in
      try unitOfWork.delete(models, checksVersions: false, .restore)
      _ = try await run(&unitOfWork)
    }
  }

  /// Deletes rows, even if rows of their type are otherwise only marked as deleted.
  ///
  /// - Throws: The same errors as ``delete(_:)``.
  public func deletePermanently<M: TableModel>(_ models: [M]) async throws {
    try await serializingSaves { unitOfWork in
      try unitOfWork.delete(models, .delete)
      _ = try await run(&unitOfWork)
    }
  }

  func applyDeletion(_ model: some Model) {
    identities(of: type(of: model)).applyDeletion(model)
  }

  private func delete<M: TableModel>(
    _ type: M.Type, _ ids: [M.ID], _ operation: Deletion.Operation?
  ) async throws {
    try await serializingSaves { unitOfWork in
      if try TableMetadata.of(M.Row.self).hasHooks {
        // The rows are needed to call their hooks.
        let rows = try await fetch(M.Row.self, ids, includingDeleted: true)
        try unitOfWork.delete(rows, checksVersions: false, operation)
      } else {
        try unitOfWork.delete(M.Row.self, keys: ids.map(\.keyValues), operation)
      }
      _ = try await run(&unitOfWork)
    }
  }
}
