public import SQLiteCore

extension ModelSession {
  /// Whether a model has no row yet.
  func isNew(_ model: some Model) -> Bool {
    identities(of: type(of: model)).identity(of: model)?.with { $0.saved == nil } ?? true
  }

  /// Saves models: those that are new are inserted, of the others the columns that have changed are updated.
  ///
  /// All is one transaction. What is new and referred to is saved with them. Nothing is noted in memory before it is committed:
  /// after an error all is as it was, and may be saved again. Saves of one session follow one another: what is to be written is
  /// found out when those are done that were asked for before.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` where a row that is to be updated is gone, with
  ///   ``RelationError/Code/invalidKey`` where a new row has no key; `SQLiteError` of a constraint.
  public func save(_ models: [any Model]) async throws {
    try await inTurn { builder in
      try builder.add(models)
      _ = try await run(&builder)
    }
  }

  /// Saves a model: see ``save(_:)-(_)``.
  public func save(_ model: some Model) async throws { try await save([model]) }

  /// Saves rows: each is inserted, or takes the place of the row with its key.
  ///
  /// - Returns: The rows as they were written, with the keys and versions that they have by now.
  /// - Throws: As ``save(_:)-(_)``.
  @discardableResult
  public func save<Row: Table>(_ rows: [Row]) async throws -> [Row] {
    let (added, made) = try await inTurn { builder in
      var added: [(step: Int, row: Row)] = []
      for row in rows { added.append(try builder.add(value: row)) }
      return (added, try await run(&builder))
    }
    guard let version = try TableMetadata.of(Row.self).version else {
      return added.map { step, row in row.withKey(made.keys[step]) }
    }
    return try added.map { step, row in
      let row = row.withKey(made.keys[step])
      guard let number = made.returned[step]?.first else { return row }
      return try row.withVersion(number, at: version)
    }
  }

  /// Saves a row: see ``save(_:)-([Row])``.
  @discardableResult
  public func save<Row: Table>(_ row: Row) async throws -> Row {
    try await save([row]).first ?? row
  }

  /// Saves every model of this session that has changed, or those of some types.
  ///
  /// - Throws: As `save(_:)`.
  public func saveChanges(of types: [any Model.Type]? = nil) async throws {
    let wanted = types.map { $0.map { identities(ofAny: $0) } } ?? allIdentities
    try await inTurn { builder in
      for models in wanted { try models.addChanged(to: &builder) }
      _ = try await run(&builder)
    }
  }

  private func identities(ofAny type: any Model.Type) -> any AnyIdentityMap {
    func open<M: Model>(_ type: M.Type) -> any AnyIdentityMap { identities(of: type) }
    return open(type)
  }

  /// Saves models, deletes others, and does other work, all in one transaction.
  ///
  /// ```swift
  /// let count = try await session.write(saving: [album], deleting: [draft]) { connection in
  ///   try connection.run("INSERT INTO journal (entry) VALUES ('published')")
  ///   return try connection.value(Int.self, "SELECT count(*) FROM Album") ?? 0
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - models: They are saved first: see `save(_:)`.
  ///   - deleted: They are deleted next: see ``delete(_:)``.
  ///   - body: It runs on the writer's thread. What it throws undoes everything, and is thrown again. Models that the session has
  ///     are told nothing of what it writes: the next fetch tells them.
  /// - Throws: As `save(_:)`, ``delete(_:)`` and `body`. In `body`, another access to the database is an `SQLiteError` with
  ///   code `nestedAccess`: use the connection, and its savepoints.
  @discardableResult
  public func write<Result: Sendable>(
    saving models: [any Model] = [], deleting deleted: [any Model] = [],
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await inTurn { builder in
      try builder.add(models)
      for model in deleted { try builder.delete(model) }
      return try await run(&builder, body).result
    }
  }

  /// Saves models and deletes others, in one transaction: see ``write(saving:deleting:_:)``.
  public func save(_ models: [any Model], deleting deleted: [any Model]) async throws {
    try await write(saving: models, deleting: deleted) { _ in }
  }

  func run(_ builder: inout SaveBuilder) async throws -> SaveResult {
    builder.finish()
    if builder.plan.isEmpty {
      try await noteCommit(builder, SaveResult(), [])
      return SaveResult()
    }
    return try await run(&builder) { _ in }.made
  }

  private func run<Result: Sendable>(
    _ builder: inout SaveBuilder, _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> (made: SaveResult, result: Result) {
    builder.finish()
    for type in builder.types { try await prepare(type) }
    let plan = builder.plan
    let rereadings = try builder.deletions.flatMap { deletion in
      try allIdentities.compactMap { try $0.rereading(after: deletion, in: self) }
    }
    let made: (made: SaveResult, result: Result, rows: [any Sendable])
    do {
      made = try await database.write { connection in
        let made = try connection.run(plan)
        let result = try body(connection)
        return (made, result, try rereadings.map { try $0.read(connection) })
      }
    } catch {
      builder.noteRollback()
      throw error
    }
    try await noteCommit(builder, made.made, Array(zip(rereadings, made.rows)))
    return (made.made, made.result)
  }

  private func noteCommit(
    _ builder: SaveBuilder, _ result: SaveResult, _ reread: [(Rereading, any Sendable)]
  ) async throws {
    for deletion in builder.deletions {
      let keys = deletion.keys.filter { !result.kept.contains($0) }
      let moment = clock.tick()
      let gone = KeyGroup(keys, keyCollation(of: deletion.shape.type))
      for map in allIdentities {
        map.noteDeleted(deletion.shape.type, gone, deletion.deed, at: moment)
      }
    }
    for (rereading, rows) in reread { rereading.note(rows) }
    let conflicting = builder.noteCommit(result)
    for link in builder.plan.deletes {
      let deed = link.shape.deleted == nil ? Deletion.Deed.delete : .mark
      let moment = clock.tick()
      let gone = KeyGroup([link.key], keyCollation(of: link.shape.type))
      for map in allIdentities {
        map.noteDeleted(link.shape.type, gone, deed, at: moment)
      }
    }
    for call in builder.afterCommit { call() }
    for models in conflicting { try await models.fetchConflicting(in: self) }
  }
}

extension ModelSession {
  /// Deletes the rows of models, or rows. Those that are not there are passed over.
  ///
  /// What rows that refer to them become, their foreign keys say; models of these are as their rows then.
  ///
  /// Rows of a type with a ``Table/deletedColumn`` are marked as deleted, and stay:
  ///
  /// - Fetches, lists, relations and counts leave them out, but for those that ask with `includingDeleted`, and SQL of your own. A
  ///   to-one relation keeps its key, and asking for its object is an error as for a row that is gone.
  /// - Unique indexes of the type don't count them: their values can be used again.
  /// - Foreign keys do nothing, as the rows are there. But rows are marked along with them, and with the same moment, whose
  ///   to-one relation to them is declared with `onDelete: .cascade`, where that type has a ``Table/deletedColumn`` too, and the
  ///   deleted one leads to it: by a list, say.
  /// - ``restore(_:)`` takes the marks away, ``deletePermanently(_:)`` deletes as ever.
  ///
  /// - Throws: `SQLiteError` with code `constraintForeignKey` where a row that refers to one of them forbids it;
  ///   ``RelationError`` with code ``RelationError/Code/conflict`` where one has another version by now. Then nothing is deleted.
  public func delete<M: TableModel>(_ models: [M]) async throws {
    try await inTurn { builder in
      try builder.delete(models)
      _ = try await run(&builder)
    }
  }

  /// Deletes the rows of keys, whatever their versions: see ``delete(_:)``.
  public func delete<M: TableModel>(_ type: M.Type, _ ids: [M.ID]) async throws {
    try await delete(type, ids, nil)
  }

  /// Takes away what marks rows as deleted, and those that were marked along with them.
  ///
  /// Where the mark is a flag, and not a moment, it can't be told which rows those are: they stay deleted.
  ///
  /// - Throws: `SQLiteError` with code `constraintUnique` where another row has a unique value by now. Then nothing is restored.
  public func restore<M: TableModel>(_ models: [M]) async throws {
    try await inTurn { builder in
      try builder.delete(models, checksVersions: false, .restore)
      _ = try await run(&builder)
    }
  }

  /// Deletes rows, also of a type whose rows are only marked as deleted otherwise.
  ///
  /// - Throws: As ``delete(_:)``.
  public func deletePermanently<M: TableModel>(_ models: [M]) async throws {
    try await inTurn { builder in
      try builder.delete(models, .delete)
      _ = try await run(&builder)
    }
  }

  func noteDeleted(_ model: some Model) {
    identities(of: type(of: model)).noteDeleted(model)
  }

  private func delete<M: TableModel>(
    _ type: M.Type, _ ids: [M.ID], _ deed: Deletion.Deed?
  ) async throws {
    try await inTurn { builder in
      if try TableMetadata.of(M.Row.self).hasHooks {
        // The rows take part in their being deleted.
        let rows = try await fetch(M.Row.self, ids, includingDeleted: true)
        try builder.delete(rows, checksVersions: false, deed)
      } else {
        try builder.delete(M.Row.self, keys: ids.map(\.keyValues), deed)
      }
      _ = try await run(&builder)
    }
  }
}
