internal import SQLiteCore

/// Determines the writes that save models, including new models that they refer to.
///
/// It reads the models on the caller's actor; the writer receives only the resulting plan.
@usableFromInline
struct SaveBuilder {
  let session: ModelSession
  var plan = SavePlan()
  /// The models to write, by type.
  var saved: [ObjectIdentifier: any AnySavedModels] = [:]
  /// Closures to call after the commit, with the keys that SQLite has generated.
  var completions: [(SaveResult) -> Void] = []
  /// The rows' hooks to call after the commit or the rollback.
  var afterCommit: [() -> Void] = []
  var afterRollback: [() -> Void] = []
  /// The lists that this save writes.
  var lists: [any AnyManyRelation] = []
  /// Updates that have not been added to the plan yet.
  var run: UpdateRun?
  /// The types whose tables are written.
  var types: [any Table.Type] = []
  /// The step of each model, except models found by a ``PlainSearch``, which are marked in their entries.
  var places: [ObjectIdentifier: Int] = [:]
  /// Values in place of a step: the model's dependencies are being added, or the model is not written by a single step.
  static let beingAdded = -1, notWritten = -2
  var bindings: [ObjectIdentifier: RowValues] = [:]

  /// Updates of rows with the keys of rows that are inserted after them.
  var postponed: [(column: Int, model: ObjectIdentifier, write: RowWrite)] = []
  /// Closures to call when all rows have their keys.
  var notes: [() -> Void] = []
  /// Closures to call after `notes`, which update references to changed keys.
  var keyNotes: [() -> Void] = []
  /// The rows to delete, to mark as deleted or to restore.
  var deletions: [Deletion] = []

  /// The unique revision of this save, at which its writes are determined.
  let moment: UInt64

  init(_ session: ModelSession) {
    self.session = session
    moment = session.clock.tick()
  }

  // MARK: Models

  /// Adds a model, unless it equals its row.
  mutating func add<M: Model>(_ model: M) throws {
    guard places[ObjectIdentifier(model)] == nil else { return }
    let map = session.identities(of: M.self)
    let identity = map.identity(of: model)
    if let identity, identity.isPlanned(at: moment) { return }
    var known = identity?.known
    if known?.isDeleted == true {
      map.forget(model)
      known = nil
    }
    if known == nil {
      if model.value.id.isUnset, let made = M.ID.make() { model.value.id = made }
      try map.add(model, toldAt: moment, in: session)
      known = map.entry(of: model)
    }
    guard let entry = known else { return }
    guard !entry.isGone else {
      throw RelationError(
        .missingRow, "the row was deleted", table: M.Value.tableName, key: entry.savedKey.literal)
    }
    let shape = try TableMetadata.of(M.Value.self)
    note(shape)
    places[ObjectIdentifier(model)] = Self.beingAdded
    let relations = shape.relations.isEmpty ? [] : try RelationList.of(model.value)
    for one in relations.lazy.compactMap(\.asOne) {
      if let other = one.loadedModel, session.isNew(other) { try add(other) }
    }
    if entry.saved == nil {
      try insert(model, shape, relations)
    } else {
      try update(model, shape, entry, relations)
    }
    guard relations.contains(where: { $0.asList?.isChanged ?? false }) else { return }
    let place = places[ObjectIdentifier(model)].flatMap { $0 >= 0 ? $0 : nil }
    let owner = RelationOwner(
      session: session, type: shape.type, key: StoredKey(model.value.id), model: model)
    try save(lists: relations, of: owner, shape, place)
  }

  mutating func insert<M: Model>(
    _ model: M, _ shape: TableMetadata, _ relations: [any AnyRelation]
  ) throws {
    let before = model.value
    var row = before
    if shape.hasHooks { try row.willBeSaved(.insert) }
    var write = RowWrite(
      shape: shape, deed: .insert, values: try binding(shape).values(of: row), key: [])
    let isNumbered = row.id.isUnset
    if isNumbered { try leaveKey(M.Value.self, &write) }
    let late = borrowKeys(for: &write, relations)
    let place = append(.row(write))
    places[ObjectIdentifier(model)] = place
    if shape.hasHooks { call(row, .insert, place) }
    postpone(late, shape, place: isNumbered ? place : nil, row.id.keyValues)
    note(
      SavedModels<M>.Saved(
        model: model, before: shape.hasHooks ? before : nil, row: row, relations: relations,
        values: write.values, place: SaveResult.Place(step: place, row: 0)), shape)
    noteWhenSaved(relations)
  }

  /// Lets SQLite generate the key of a row.
  func leaveKey<Row: Table>(_ type: Row.Type, _ write: inout RowWrite) throws {
    guard Row.ID.isMadeBySQLite else {
      throw RelationError(
        .invalidKey, "the key of the row is not set", table: write.shape.table,
        column: write.shape.keyNames.first)
    }
    write.isNumbered = true
    write.values[write.shape.key[0]] = .null
  }

  mutating func update<M: Model>(
    _ model: M, _ shape: TableMetadata, _ entry: Identity.State, _ relations: [any AnyRelation]
  ) throws {
    let binding = binding(shape)
    guard let key = entry.savedKey.values,
      let old = try entry.savedValues(of: M.Value.self, shape, binding)
    else { return }
    let before = model.value
    var row = before
    // A changed key is updated in the table, and foreign keys that refer to it follow.
    guard !row.id.isUnset else {
      throw RelationError(
        .invalidKey, "the key of the row was removed", table: shape.table,
        key: entry.savedKey.literal)
    }
    var write = RowWrite(
      shape: shape, deed: .update([]), values: try binding.values(of: row), key: key)
    let late = borrowKeys(for: &write, relations)
    var changed = self.changed(write, old)
    if !changed.isEmpty, shape.hasHooks {
      try row.willBeSaved(.update, former: try former(M.Value.self, entry, shape, old))
      write.values = try binding.values(of: row)
      write.borrowed = []
      _ = borrowKeys(for: &write, relations)
      changed = self.changed(write, old)
    }
    if key != row.id.keyValues {
      let (session, id) = (session, row.id)
      keyNotes.append {
        for map in session.allIdentities { map.noteKeyChange(M.Value.self, key, id) }
      }
    }
    postpone(late, shape, place: nil, row.id.keyValues)
    noteWhenSaved(relations)
    guard !changed.isEmpty else {
      places[ObjectIdentifier(model)] = Self.notWritten
      // Changes that are only in memory are recorded as saved.
      return note(
        SavedModels<M>.Saved(
          model: model, before: nil, row: row, relations: relations, values: write.values,
          written: [], place: nil), shape)
    }
    let place: SaveResult.Place
    if let version = shape.version {
      write.version = old[version]
      write.values[version] = Self.next(old[version])
      row = try rebuild(row, shape, write.values, relations)
    } else if shape.conflictPolicy != .keepMine {
      write.original = original(M.Value.self, shape, key, old)
    }
    if write.borrowed.isEmpty, write.original == nil {
      place = append(changed, of: write)
      places[ObjectIdentifier(model)] = Self.notWritten
    } else {
      place = SaveResult.Place(
        step: append(
          .row(
            RowWrite(
              shape: shape, deed: .update(changed), values: write.values, key: write.key,
              borrowed: write.borrowed, original: write.original, version: write.version))),
        row: 0)
      places[ObjectIdentifier(model)] = Self.notWritten
    }
    if shape.hasHooks { call(row, .update, nil) }
    let isOther = shape.hasHooks || shape.version != nil
    note(
      SavedModels<M>.Saved(
        model: model, before: isOther ? before : nil, row: row, relations: relations,
        values: write.values, written: changed, place: place), shape)
  }

  func changed(_ write: RowWrite, _ old: [SQLiteValue]) -> [Int] {
    var changed: [Int] = []
    for place in old.indices where place != write.shape.version {
      if write.values[place] != old[place] || write.borrowed.contains(where: { $0.column == place })
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
    _ type: Row.Type, _ shape: TableMetadata, _ key: [SQLiteValue], _ values: [SQLiteValue]
  ) -> RowWrite.Original {
    RowWrite.Original(values: values) { connection in
      let found = try connection.fetchRows(
        Row.self, shape, "\(unsafe: shape.selectAllSQL) WHERE \(unsafe: shape.keyCondition)", key,
        isFirst: true)
      return try found.first.map { try shape.makeBinding().values(of: $0.row) }
    }
  }

  /// Returns the row that was saved.
  mutating func former<Row: Table>(
    _ type: Row.Type, _ entry: Identity.State, _ shape: TableMetadata, _ values: [SQLiteValue]
  ) throws -> Row {
    if case .row(let kept) = entry.saved, let row = kept.row(as: Row.self) { return row }
    return try shape.row(Row.self, of: values)
  }

  mutating func rebuild<Row: Table>(
    _ row: Row, _ shape: TableMetadata, _ values: [SQLiteValue], _ relations: [any AnyRelation]
  ) throws -> Row {
    try shape.row(
      Row.self, of: values,
      keeping: Dictionary(
        zip(shape.relationNames, relations), uniquingKeysWith: { first, _ in first }))
  }

  mutating func note<M: Model>(_ model: SavedModels<M>.Saved, _ shape: TableMetadata) {
    models(M.self, shape).append(model)
  }

  /// Returns whether a model is written, or its dependencies are being added, other than by a ``PlainSearch``.
  // `mutating` avoids a copy of this struct.
  @usableFromInline
  mutating func isAdded(_ model: AnyObject) -> Bool {
    !places.isEmpty && places[ObjectIdentifier(model)] != nil
  }

  mutating func models<M: Model>(_ type: M.Type, _ shape: TableMetadata) -> SavedModels<M> {
    note(shape)
    let key = ObjectIdentifier(M.self)
    if let known = saved[key] as? SavedModels<M> { return known }
    let made = SavedModels<M>(shape: shape, plannedAt: moment)
    saved[key] = made
    return made
  }

  /// Schedules the row's hooks after it is written.
  ///
  /// - Parameter place: The step that generates the row's key.
  mutating func call(_ row: some Table, _ deed: ModelSession.SaveOperation, _ place: Int?) {
    guard let hooked = row as? any SavingHooks else { return }
    _ = append(
      .call { connection, made in
        let row = hooked.withKey(place.flatMap { made[$0] })
        try row.didSave(deed, in: connection)
      })
    afterCommit.append { hooked.didCommit(deed) }
    afterRollback.append { hooked.didRollback(deed) }
  }

  // MARK: Helpers

  mutating func note(_ shape: TableMetadata) {
    if !types.contains(where: { $0 == shape.type }) { types.append(shape.type) }
  }

  mutating func binding(_ shape: TableMetadata) -> RowValues {
    if let known = bindings[ObjectIdentifier(shape)] { return known }
    let made = shape.makeBinding()
    bindings[ObjectIdentifier(shape)] = made
    return made
  }
}

extension TableMetadata {
  func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}
