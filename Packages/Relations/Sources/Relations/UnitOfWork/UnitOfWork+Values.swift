internal import SQLiteCore

// Rows that are values, and rows to delete.
extension UnitOfWork {
  // MARK: Values

  /// Adds a row that is a value. It is inserted or replaces the row with the same key, unless
  /// `rule` specifies another action.
  ///
  /// - Returns: The index of the step, and the row to write.
  mutating func add<Row: Table>(
    value row: Row, _ rule: UpsertRule? = nil
  ) throws -> (step: Int, row: Row) {
    var row = row
    let metadata = try TableMetadata.of(Row.self)
    register(metadata)
    let relations = metadata.relations.isEmpty ? [] : try row.relations()
    for one in relations.lazy.compactMap(\.asToOneRelation) {
      if let other = one.loadedModel, session.isNew(other) { try add(other) }
    }
    let isNew = row.id.isUnset && rule == nil
    if metadata.hasHooks { try row.willBeSaved(isNew ? .insert : .upsert) }
    if row.id.isUnset, let newID = Row.ID.make() { row.id = newID }
    var write = RowWrite(
      metadata: metadata, operation: isNew ? .insert : .upsert(rule ?? metadata.replacing),
      values: try binding(metadata).values(of: row), key: row.id.keyValues)
    if row.id.isUnset { try deferKeyToSQLite(Row.self, &write) }
    _ = deferUnknownKeys(for: &write, relations)
    let step = append(.row(write))
    if metadata.hasHooks { addHooks(row, isNew ? .insert : .upsert, step) }
    if relations.isEmpty { return (step, row) }
    addSavedKeyHandlers(relations)
    // With an upsert rule, the resulting row may be an existing row with other values.
    guard rule == nil else { return (step, row) }
    let saved = row
    completions.append { [session] result in
      let key = saved.withKey(result.keys[step]).id
      relations.attach(RelationOwner(session: session, type: Row.self, key: StoredKey(key)))
    }
    let owner = RelationOwner(session: session, type: Row.self, key: StoredKey(row.id))
    try save(lists: relations, of: owner, metadata, step)
    return (step, row)
  }

  // MARK: Deletion

  /// Adds a model to delete or to mark as deleted.
  mutating func delete(_ model: some Model) throws { try delete([model]) }

  /// Adds models or rows to delete or to mark as deleted. New models have no rows and are removed
  /// from the session.
  mutating func delete<M: TableModel>(
    _ models: [M], checksVersions: Bool = true, _ operation: Deletion.Operation? = nil
  ) throws {
    let withKeys = models.filter { !$0.id.isUnset }
    let keys = withKeys.map { (savedKey(of: $0) ?? $0.id).keyValues }
    try delete(withKeys.map(\.row), keys, checksVersions: checksVersions, operation)
    if operation == .restore { return }
    completions.append { [session] result in
      for case let model as any Model in models where session.isNew(model) {
        session.applyDeletion(model)
      }
    }
  }

  /// Returns the key of a model's row in the database, since a model's `id` may have been changed.
  private func savedKey<M: TableModel>(of model: M) -> M.ID? {
    func open<Known: Model>(_ model: Known) -> M.ID? {
      session.identities(of: Known.self).entry(of: model)?.savedKey.key(as: M.ID.self)
    }
    return (model as? any Model).flatMap { open($0) }
  }

  private mutating func append(_ deletion: Deletion) {
    _ = append(.deletion(deletion))
    deletions.append(deletion)
  }

  /// Adds rows to delete or to mark as deleted.
  mutating func delete<Row: Table>(
    _ rows: [Row], _ keys: [[SQLiteValue]], checksVersions: Bool, _ operation: Deletion.Operation?
  ) throws {
    let metadata = try TableMetadata.of(Row.self)
    register(metadata)
    if rows.isEmpty { return }
    if metadata.hasHooks, operation != .restore {
      for var row in rows { try row.willBeSaved(.delete) }
    }
    let operation = operation ?? (metadata.deleted == nil ? .delete : .mark)
    var deletion = Deletion(metadata: metadata, operation: operation, keys: keys)
    if let version = metadata.version, checksVersions, metadata.conflictPolicy != .keepMine {
      let binding = binding(metadata)
      deletion.versions = try rows.map { try binding.values(of: $0)[version] }
    }
    append(deletion)
    if metadata.hasHooks, operation != .restore { for row in rows { addHooks(row, .delete, nil) } }
  }

  /// Adds the keys of rows to delete or to mark as deleted.
  mutating func delete<Row: Table>(
    _ type: Row.Type, keys: [[SQLiteValue]], _ operation: Deletion.Operation? = nil
  ) throws {
    let metadata = try TableMetadata.of(type)
    register(metadata)
    let operation = operation ?? (metadata.deleted == nil ? .delete : .mark)
    append(Deletion(metadata: metadata, operation: operation, keys: keys))
  }
}

// Lists and their rows.
extension UnitOfWork {
  // MARK: Lists

  mutating func save(
    lists relations: [any AnyRelation], of owner: RelationOwner, _ metadata: TableMetadata,
    _ step: Int?
  ) throws {
    let isKeyGenerated = step.map { plan.isKeyGenerated($0) } ?? false
    for (property, relation) in zip(metadata.relationNames, relations) {
      guard let list = relation.asToManyRelation, list.isChanged else { continue }
      let key = isKeyGenerated ? nil : owner.currentKey
      try list.save(
        ListOwner(owner: owner, metadata: metadata, property: property, key: key, step: step),
        &self)
    }
  }

  /// Adds the changes of a list of links.
  ///
  /// - Parameter completion: Called with the result after the commit.
  mutating func add(
    _ write: LinkWrite, _ completion: @escaping (LinkChanges, FlushResult) -> Void
  ) {
    let index = plan.links.count
    plan.links.append(write)
    completions.append { result in
      if result.lists.indices.contains(index) { completion(result.lists[index], result) }
    }
  }

  /// Adds the keys of link rows to delete, or to mark as deleted, before all other writes.
  mutating func deleteLinks(_ metadata: TableMetadata, _ keys: [[SQLiteValue]]) {
    if keys.isEmpty { return }
    plan.linkDeletions.append(
      Deletion(metadata: metadata, operation: metadata.deleted == nil ? .delete : .mark, keys: keys)
    )
    register(metadata)
  }

  /// Adds a link row.
  ///
  /// - Returns: Its key; empty if SQLite generates it.
  mutating func addLink(_ link: some Table) throws -> [SQLiteValue] {
    let added = try add(value: link)
    return plan.isKeyGenerated(added.step) ? [] : added.row.id.keyValues
  }

  /// Adds a model, unless it equals its row.
  ///
  /// - Returns: The step that generates its key; `nil` if it has a key.
  mutating func addReturningStep(_ model: some Model) throws -> Int? {
    try add(model)
    return steps[ObjectIdentifier(model)].flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Adds a closure to call after the commit.
  mutating func addCommitHandler(_ completion: @escaping (FlushResult) -> Void) {
    completions.append(completion)
  }
}

// Many models that are saved together.
extension UnitOfWork {
  /// Adds models in their order, except unchanged models. Consecutive models of one type are
  /// scanned together.
  mutating func add(_ models: [any Model]) throws {
    var rest = models[...]
    while let first = rest.first {
      let count = try add(first, sameTypeAs: rest)
      rest = rest.dropFirst(count)
    }
  }

  /// Adds the first model and the models after it that have the same type.
  ///
  /// - Returns: The number of added models.
  private mutating func add<M: Model>(
    _ first: M, sameTypeAs models: ArraySlice<any Model>
  ) throws -> Int {
    var sameType = [first]
    for model in models.dropFirst() {
      guard type(of: model) == M.self, let model = model as? M else { break }
      sameType.append(model)
    }
    try session.identities(of: M.self).add(sameType, to: &self)
    return sameType.count
  }
}
