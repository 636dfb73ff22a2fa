internal import SQLiteCore

/// Determines the writes that save models, including new models that they refer to.
///
/// It reads the models on the caller's actor; the writer receives only the resulting plan.
@usableFromInline
struct UnitOfWork {
  let session: ModelSession
  var plan = FlushPlan()
  /// The models to write, by type.
  var saved: [ObjectIdentifier: any AnySavedModels] = [:]
  /// Closures to call after the commit, with the keys that SQLite has generated.
  var completions: [(FlushResult) -> Void] = []
  /// The rows' hooks to call after the commit or the rollback.
  var afterCommit: [() -> Void] = []
  var afterRollback: [() -> Void] = []
  /// The lists that this save writes.
  var lists: [any AnyManyRelation] = []
  /// Updates that have not been added to the plan yet.
  var updateBatch: UpdateBatch?
  /// The types whose tables are written.
  var types: [any Table.Type] = []
  /// The step of each model, except models found by a ``ChangedColumnScan``, which are marked in their entries.
  var places: [ObjectIdentifier: Int] = [:]
  /// Values in place of a step: the model's dependencies are being added, or the model is not written by a single step.
  static let beingAdded = -1, notWritten = -2
  var bindings: [ObjectIdentifier: RowValues] = [:]

  /// Updates of rows with the keys of rows that are inserted after them.
  var deferredUpdates: [(column: Int, model: ObjectIdentifier, write: RowWrite)] = []
  /// Closures to call when all rows have their keys.
  var savedKeyHandlers: [() -> Void] = []
  /// Closures to call after `savedKeyHandlers`, which update references to changed keys.
  var keyChangeHandlers: [() -> Void] = []
  /// The rows to delete, to mark as deleted or to restore.
  var deletions: [Deletion] = []

  /// The unique revision of this save, at which its writes are determined.
  let revision: UInt64

  init(_ session: ModelSession) {
    self.session = session
    revision = session.clock.tick()
  }

  // MARK: Models

  /// Adds a model, unless it equals its row.
  mutating func add<M: Model>(_ model: M) throws {
    guard places[ObjectIdentifier(model)] == nil else { return }
    let map = session.identities(of: M.self)
    let identity = map.identity(of: model)
    if let identity, identity.isMarkedPlanned(at: revision) { return }
    var known = identity?.known
    if known?.isDeleted == true {
      map.forget(model)
      known = nil
    }
    if known == nil {
      if model.value.id.isUnset, let made = M.ID.make() { model.value.id = made }
      try map.add(model, changedAt: revision, in: session)
      known = map.entry(of: model)
    }
    guard let entry = known else { return }
    guard !entry.isGone else {
      throw RelationError(
        .missingRow, "the row was deleted", table: M.Value.tableName, key: entry.savedKey.literal)
    }
    let metadata = try TableMetadata.of(M.Value.self)
    register(metadata)
    places[ObjectIdentifier(model)] = Self.beingAdded
    let relations = metadata.relations.isEmpty ? [] : try RelationList.of(model.value)
    for one in relations.lazy.compactMap(\.asToOneRelation) {
      if let other = one.loadedModel, session.isNew(other) { try add(other) }
    }
    if entry.saved == nil {
      try insert(model, metadata, relations)
    } else {
      try update(model, metadata, entry, relations)
    }
    guard relations.contains(where: { $0.asToManyRelation?.isChanged ?? false }) else { return }
    let place = places[ObjectIdentifier(model)].flatMap { $0 >= 0 ? $0 : nil }
    let owner = RelationOwner(
      session: session, type: metadata.type, key: StoredKey(model.value.id), model: model)
    try save(lists: relations, of: owner, metadata, place)
  }

  mutating func insert<M: Model>(
    _ model: M, _ metadata: TableMetadata, _ relations: [any AnyRelation]
  ) throws {
    let before = model.value
    var row = before
    if metadata.hasHooks { try row.willBeSaved(.insert) }
    var write = RowWrite(
      metadata: metadata, operation: .insert, values: try binding(metadata).values(of: row), key: []
    )
    let isKeyGenerated = row.id.isUnset
    if isKeyGenerated { try deferKeyToSQLite(M.Value.self, &write) }
    let late = deferUnknownKeys(for: &write, relations)
    let place = append(.row(write))
    places[ObjectIdentifier(model)] = place
    if metadata.hasHooks { call(row, .insert, place) }
    postpone(late, metadata, place: isKeyGenerated ? place : nil, row.id.keyValues)
    register(
      SavedModels<M>.Saved(
        model: model, before: metadata.hasHooks ? before : nil, row: row, relations: relations,
        values: write.values, place: FlushResult.Place(step: place, row: 0)), metadata)
    addSavedKeyHandlers(relations)
  }

  /// Lets SQLite generate the key of a row.
  func deferKeyToSQLite<Row: Table>(_ type: Row.Type, _ write: inout RowWrite) throws {
    guard Row.ID.isGeneratedBySQLite else {
      throw RelationError(
        .invalidKey, "the key of the row is not set", table: write.metadata.table,
        column: write.metadata.keyNames.first)
    }
    write.isKeyGenerated = true
    write.values[write.metadata.key[0]] = .null
  }

  mutating func update<M: Model>(
    _ model: M, _ metadata: TableMetadata, _ entry: Identity.State, _ relations: [any AnyRelation]
  ) throws {
    let binding = binding(metadata)
    guard let key = entry.savedKey.values,
      let old = try entry.savedValues(of: M.Value.self, metadata, binding)
    else { return }
    let before = model.value
    var row = before
    // A changed key is updated in the table, and foreign keys that refer to it follow.
    guard !row.id.isUnset else {
      throw RelationError(
        .invalidKey, "the key of the row was removed", table: metadata.table,
        key: entry.savedKey.literal)
    }
    var write = RowWrite(
      metadata: metadata, operation: .update([]), values: try binding.values(of: row), key: key)
    let late = deferUnknownKeys(for: &write, relations)
    var changed = self.changed(write, old)
    if !changed.isEmpty, metadata.hasHooks {
      try row.willBeSaved(.update, former: try former(M.Value.self, entry, metadata, old))
      write.values = try binding.values(of: row)
      write.deferredKeys = []
      _ = deferUnknownKeys(for: &write, relations)
      changed = self.changed(write, old)
    }
    if key != row.id.keyValues {
      let (session, id) = (session, row.id)
      keyChangeHandlers.append {
        for map in session.allIdentities { map.applyKeyChange(M.Value.self, key, id) }
      }
    }
    postpone(late, metadata, place: nil, row.id.keyValues)
    addSavedKeyHandlers(relations)
    guard !changed.isEmpty else {
      places[ObjectIdentifier(model)] = Self.notWritten
      // Changes that are only in memory are recorded as saved.
      return register(
        SavedModels<M>.Saved(
          model: model, before: nil, row: row, relations: relations, values: write.values,
          written: [], place: nil), metadata)
    }
    let place: FlushResult.Place
    if let version = metadata.version {
      write.version = old[version]
      write.values[version] = Self.next(old[version])
      row = try rebuild(row, metadata, write.values, relations)
    } else if metadata.conflictPolicy != .keepMine {
      write.original = original(M.Value.self, metadata, key, old)
    }
    if write.deferredKeys.isEmpty, write.original == nil {
      place = append(changed, of: write)
      places[ObjectIdentifier(model)] = Self.notWritten
    } else {
      place = FlushResult.Place(
        step: append(
          .row(
            RowWrite(
              metadata: metadata, operation: .update(changed), values: write.values, key: write.key,
              deferredKeys: write.deferredKeys, original: write.original, version: write.version))),
        row: 0)
      places[ObjectIdentifier(model)] = Self.notWritten
    }
    if metadata.hasHooks { call(row, .update, nil) }
    let isOther = metadata.hasHooks || metadata.version != nil
    register(
      SavedModels<M>.Saved(
        model: model, before: isOther ? before : nil, row: row, relations: relations,
        values: write.values, written: changed, place: place), metadata)
  }

  func changed(_ write: RowWrite, _ old: [SQLiteValue]) -> [Int] {
    var changed: [Int] = []
    for place in old.indices where place != write.metadata.version {
      if write.values[place] != old[place]
        || write.deferredKeys.contains(where: { $0.column == place })
      {
        changed.append(place)
      }
    }
    return changed
  }

  static func next(_ version: SQLiteValue) -> SQLiteValue {
    guard case .integer(let number) = version else { return version }
    return .integer(number &+ 1)
  }

  /// Returns the row that must still be in the database, for a type whose policy detects conflicts.
  func original<Row: Table>(
    _ type: Row.Type, _ metadata: TableMetadata, _ key: [SQLiteValue], _ values: [SQLiteValue]
  ) -> RowWrite.Original {
    RowWrite.Original(values: values) { connection in
      let found = try connection.fetchRows(
        Row.self, metadata,
        "\(unsafe: metadata.selectAllSQL) WHERE \(unsafe: metadata.keyCondition)", key,
        isFirst: true)
      return try found.first.map { try metadata.makeBinding().values(of: $0.row) }
    }
  }

  /// Returns the row that was saved.
  mutating func former<Row: Table>(
    _ type: Row.Type, _ entry: Identity.State, _ metadata: TableMetadata, _ values: [SQLiteValue]
  ) throws -> Row {
    if case .row(let kept) = entry.saved, let row = kept.row(as: Row.self) { return row }
    return try metadata.row(Row.self, of: values)
  }

  mutating func rebuild<Row: Table>(
    _ row: Row, _ metadata: TableMetadata, _ values: [SQLiteValue], _ relations: [any AnyRelation]
  ) throws -> Row {
    try metadata.row(
      Row.self, of: values,
      keeping: Dictionary(
        zip(metadata.relationNames, relations), uniquingKeysWith: { first, _ in first }))
  }

  mutating func register<M: Model>(_ model: SavedModels<M>.Saved, _ metadata: TableMetadata) {
    models(M.self, metadata).append(model)
  }

  /// Returns whether a model is written, or its dependencies are being added, other than by a ``ChangedColumnScan``.
  // `mutating` avoids a copy of this struct.
  @usableFromInline
  mutating func isAdded(_ model: AnyObject) -> Bool {
    !places.isEmpty && places[ObjectIdentifier(model)] != nil
  }

  mutating func models<M: Model>(_ type: M.Type, _ metadata: TableMetadata) -> SavedModels<M> {
    register(metadata)
    let key = ObjectIdentifier(M.self)
    if let known = saved[key] as? SavedModels<M> { return known }
    let made = SavedModels<M>(metadata: metadata, plannedAt: revision)
    saved[key] = made
    return made
  }

  /// Schedules the row's hooks after it is written.
  ///
  /// - Parameter place: The step that generates the row's key.
  mutating func call(_ row: some Table, _ operation: ModelSession.SaveOperation, _ place: Int?) {
    guard let hooked = row as? any SavingHooks else { return }
    _ = append(
      .call { connection, made in
        let row = hooked.withKey(place.flatMap { made[$0] })
        try row.didSave(operation, in: connection)
      })
    afterCommit.append { hooked.didCommit(operation) }
    afterRollback.append { hooked.didRollback(operation) }
  }

  // MARK: Helpers

  mutating func register(_ metadata: TableMetadata) {
    if !types.contains(where: { $0 == metadata.type }) { types.append(metadata.type) }
  }

  mutating func binding(_ metadata: TableMetadata) -> RowValues {
    if let known = bindings[ObjectIdentifier(metadata)] { return known }
    let made = metadata.makeBinding()
    bindings[ObjectIdentifier(metadata)] = made
    return made
  }
}

extension TableMetadata {
  func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}
