internal import SQLiteCore

extension ModelSession {
  /// Whether a model has no row yet.
  func isNew(_ model: some Model) -> Bool {
    let entry = identities(of: type(of: model)).entry(of: model)
    return entry.map { $0.saved == nil && !$0.isGone } ?? true
  }

  /// Saves models: those that are new are inserted, of the others the columns that have changed are updated.
  ///
  /// All is one transaction. What is new and referred to is saved with them. Nothing is noted in memory before it is committed:
  /// after an error all is as it was, and may be saved again.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/missingRow`` where a row that is to be updated is gone, with
  ///   ``RelationError/Code/invalidKey`` where a new row has no key; `SQLiteError` of a constraint.
  public func save(_ models: [any Model]) async throws {
    var builder = SaveBuilder(self)
    for model in models { try builder.add(model) }
    _ = try await run(&builder)
  }

  /// Saves a model: see ``save(_:)-(_)``.
  public func save(_ model: some Model) async throws { try await save([model]) }

  /// Saves rows: each is inserted, or takes the place of the row with its key.
  ///
  /// - Returns: The rows with the keys that they have by now.
  /// - Throws: As ``save(_:)-(_)``.
  @discardableResult
  public func save<Row: Table>(_ rows: [Row]) async throws -> [Row] {
    var builder = SaveBuilder(self)
    var added: [(write: Int, row: Row)] = []
    for row in rows { added.append(try builder.add(value: row)) }
    let made = try await run(&builder)
    return added.map { write, row in
      var row = row
      if let rowID = made.keys[write], let id = Row.ID(madeBySQLite: rowID) { row.id = id }
      return row
    }
  }

  /// Saves a row: see ``save(_:)-([Row])``.
  @discardableResult
  public func save<Row: Table>(_ row: Row) async throws -> Row {
    try await save([row]).first ?? row
  }

  /// Saves every model of this session that has changed, or those of some types.
  ///
  /// - Throws: As ``save(_:)-(_)``.
  public func saveChanges(of types: [any Model.Type]? = nil) async throws {
    let wanted = types.map { $0.map { identities(ofAny: $0) } } ?? allIdentities
    try await save(wanted.flatMap { $0.changedModels() })
  }

  private func identities(ofAny type: any Model.Type) -> any AnyIdentityMap {
    func open<M: Model>(_ type: M.Type) -> any AnyIdentityMap { identities(of: type) }
    return open(type)
  }

  private func run(_ builder: inout SaveBuilder) async throws -> SaveResult {
    builder.finish()
    for type in builder.types { try await prepare(type) }
    let plan = builder.plan
    let completions = builder.completions
    guard !plan.writes.isEmpty || !plan.links.isEmpty || !plan.deletes.isEmpty else {
      for completion in completions { completion(SaveResult()) }
      return SaveResult()
    }
    let made = try await database.write { try $0.run(plan) }
    for completion in completions { completion(made) }
    for link in plan.deletes {
      for map in allIdentities { map.noteDeleted(link.shape.type, [link.key]) }
    }
    return made
  }

  // MARK: Deleting

  private func noteDeleted(_ model: some Model) {
    identities(of: type(of: model)).noteDeleted(model)
  }

  /// The key that a row has in the database: a model's may have been changed by hand.
  private func savedKey<M: TableModel>(of model: M) -> M.ID? {
    func open<Known: Model>(_ model: Known) -> M.ID? {
      identities(of: Known.self).entry(of: model)?.savedKey as? M.ID
    }
    return (model as? any Model).flatMap { open($0) }
  }

  /// Deletes the rows of models, or rows. Those that are not there are passed over.
  ///
  /// What rows that refer to them become, their foreign keys say; models of these are as their rows then.
  ///
  /// - Throws: `SQLiteError` with code `constraintForeignKey` where a row that refers to one of them forbids it. Then nothing is
  ///   deleted.
  public func delete<M: TableModel>(_ models: [M]) async throws {
    try await delete(M.self, models.filter { !$0.id.isUnset }.map { savedKey(of: $0) ?? $0.id })
    // Those that are new have no rows.
    for case let model as any Model in models { noteDeleted(model) }
  }

  /// Deletes the rows of keys: see ``delete(_:)``.
  public func delete<M: TableModel>(_ type: M.Type, _ ids: [M.ID]) async throws {
    try await prepare(M.Row.self)
    let shape = try TableShape.of(M.Row.self)
    let keys = ids.map(\.keyValues)
    let rereadings = try allIdentities.compactMap { map in
      try map.rereading(after: M.Row.self, keys, in: self)
    }
    let reread = try await database.write { connection in
      for part in KeySet(columns: shape.keyNames).conditions(for: keys) {
        try connection.run("\(shape.deleteSQL) WHERE \(part.condition)", values: part.arguments)
      }
      return try rereadings.map { try $0.read(connection) }
    }
    for map in allIdentities { map.noteDeleted(M.Row.self, keys) }
    for (rereading, rows) in zip(rereadings, reread) { rereading.note(rows) }
  }
}
