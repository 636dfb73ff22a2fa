internal import SQLiteCore
internal import Primitives

/// The instances of one model type in a session.
final class IdentityMap<M: Model>: Sendable {
  let clock: LogicalClock
  let saving = M.saving
  private let index = Mutex(IdentityIndex())

  init(_ clock: LogicalClock) { self.clock = clock }

  /// Sets the comparison of the rows' keys, which follows SQLite's collations.
  func setCollation(_ collation: KeyCollation) { index.withLock { $0.setCollation(collation) } }

  func with<Result: Sendable>(_ body: (inout IdentityIndex) throws -> Result) rethrows -> Result {
    try index.withLock { try body(&$0) }
  }

  // MARK: Lookup

  func model(for id: M.ID) -> M? { identity(at: StoredKey(id))?.model as? M }

  private func identity(at key: StoredKey) -> Identity? { index.withLock { $0[key] } }

  /// Returns the entry of an instance; `nil` if the session has none.
  func identity(of model: M) -> Identity? {
    let key = StoredKey(model.value.id)
    return index.withLock { $0.identity(of: model, key) }
  }

  /// Returns the entries of instances, in the same order; `nil` if the session lacks one of them.
  func identities(of models: [M]) -> [Identity]? {
    let keys = models.map { StoredKey($0.value.id) }
    return index.withLock { index in
      var found: [Identity] = []
      found.reserveCapacity(models.count)
      for (model, key) in zip(models, keys) {
        guard let identity = index.identity(of: model, key) else { return nil }
        found.append(identity)
      }
      return found
    }
  }

  /// Returns the state of an instance; `nil` if the session has none.
  func entry(of model: M) -> Identity.State? { identity(of: model)?.currentState }

  /// All live instances.
  var models: [M] { index.withLock(\.all).compactMap { $0.model as? M } }

  /// The number of entries, including entries of released instances.
  var entryCount: Int { index.withLock(\.count) }

  // MARK: Fetched rows

  /// Returns the instance of a row: the existing instance, refreshed unless it has changes, or a
  /// new one.
  func instance(of fetched: ModelSession.FetchedRow<M.Value>, in session: ModelSession) -> M {
    let key = StoredKey(fetched.row.id)
    if let identity = identity(at: key), let existing = identity.model as? M {
      refresh(existing, identity, with: fetched, in: session)
      return existing
    }
    let model = M(fetched.row)
    let added = Identity(
      model, RowSnapshot(fetched.row), key, .strong(fetched.relations))
    // Before another task can access the instance.
    attach(model, fetched.relations, in: session)
    if let other = index.withLock({ $0.add([added], at: [key])[0] }) {
      guard let existing = other.model as? M else { return instance(of: fetched, in: session) }
      refresh(existing, other, with: fetched, in: session)
      return existing
    }
    return model
  }

  /// Returns the instances of rows, in the same order: see ``instance(of:in:)``.
  func instances(of rows: ModelSession.FetchedRows<M.Value>, in session: ModelSession) -> [M] {
    func separateInstances() -> [M] {
      rows.rows.indices.map { instance(of: rows[$0], in: session) }
    }
    guard let accessors = rows.accessors else { return separateInstances() }
    let keys = saving.keys(rows.rows)
    let existing = index.withLock { index in keys.map { index[$0] } }
    var models = existing.map { $0?.model as? M }
    for place in models.indices {
      guard let model = models[place], let identity = existing[place] else { continue }
      refresh(model, identity, with: rows[place], in: session)
    }
    let new = models.indices.filter { models[$0] == nil }
    let areAllNew = new.count == keys.count
    let newKeys = areAllNew ? keys : new.map { keys[$0] }
    let newRows = areAllNew ? rows.rows : new.map { rows.rows[$0] }
    let (instances, identities) = saving.makeInstances(
      newRows, newKeys, accessors.relationNames, session)
    // A model may create its instances through another type's `saving`.
    guard let created = instances as? [M] else { return separateInstances() }
    let others = index.withLock { $0.add(identities, at: newKeys) }
    if areAllNew, others.isEmpty { return created }
    for (number, place) in new.enumerated() {
      // Some instances were created concurrently, or their row occurs twice.
      models[place] =
        others[number] == nil ? created[number] : instance(of: rows[place], in: session)
    }
    return models.compactMap(\.self)
  }

  func attach(_ model: M, _ relations: [any AnyRelation], in session: ModelSession) {
    if relations.isEmpty { return }
    let owner = RelationOwner(
      session: session, type: M.Value.self, key: StoredKey(model.value.id), model: model)
    relations.attach(owner)
  }

  /// Refreshes an instance from its row. If the instance has changes, the type's conflict policy
  /// applies.
  private func refresh(
    _ model: M, _ identity: Identity, with fetched: ModelSession.FetchedRow<M.Value>,
    in session: ModelSession
  ) {
    let entry = identity.currentState
    guard entry.saved != nil, entry.savedAt <= fetched.revision else { return }
    if isChanged(model, entry) {
      if let merged = merged(model, entry, fetched) {
        return replaceValue(with: merged, of: model, identity, entry, fetched, in: session)
      }
      guard M.Value.conflictPolicy == .takeTheirs else { return }
    } else if isSame(fetched, entry) {
      return
    }
    for (relation, former) in zip(fetched.relations, entry.alignedRelations) {
      if let former { relation.adoptState(former) }
    }
    let (row, references) = savedState(of: fetched, like: entry)
    // A model may report this assignment as a change, which must not retain it.
    model.value = fetched.row
    attach(model, fetched.relations, in: session)
    replace(identity) { state in
      state.saved = row
      state.references = references
      state.retainedModel = entry.retainedModel
    }
  }

  /// Changes an entry's state, and releases the former state after the lock.
  func replace(_ identity: Identity, _ body: (inout Identity.State) -> Void) {
    let former = identity.with { state in
      let former = state
      body(&state)
      return former
    }
    withExtendedLifetime(former) {}
  }

  // MARK: New instances

  /// Registers an instance that is new or was created by the application, and retains it until it
  /// is saved.
  ///
  /// - Parameter revision: The session's revision when the instance got its changes. A save that
  ///   began at this revision or later releases it.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/foreignModel`` if another instance
  ///   has the key.
  func add(_ model: M, changedAt revision: UInt64, in session: ModelSession) throws {
    let relations = try model.value.relations()
    let id = model.value.id
    let key = id.isUnset ? StoredKey.none : StoredKey(id)
    let identity = Identity(model, .strong(relations))
    identity.with { state in
      state.retainedModel = model
      state.retainedSince = revision
    }
    func requireNoOther(_ index: IdentityIndex) throws {
      guard key != .none, let other = index[key]?.model, other !== model else { return }
      throw RelationError(
        .foreignModel, "the session has another instance for the row", table: M.Value.tableName,
        key: id.literal)
    }
    try with { try requireNoOther($0) }
    // Before another task can access the instance.
    attach(model, relations, in: session)
    for list in relations.lazy.compactMap(\.asToManyRelation) { list.markOwnerNew() }
    try with { index throws in
      try requireNoOther(index)
      index.add(identity, at: key)
    }
  }

  /// Returns whether the row with the given key was saved after `revision`, even if its instance
  /// has been released.
  func isSaved(_ id: M.ID, since revision: UInt64) -> Bool {
    identity(at: StoredKey(id))?.with { !$0.isRowDeleted && $0.savedAt > revision } ?? false
  }

  /// Returns the instance for a key for which a read has found no row: an instance that is new or
  /// was saved since.
  ///
  /// An instance whose row was deleted loses its key.
  func newInstance(for id: M.ID, since revision: UInt64) -> M? {
    guard let identity = identity(at: StoredKey(id)), let model = identity.model as? M else {
      return nil
    }
    let isNewer = with { index in
      if identity.with({ $0.saved == nil || $0.savedAt > revision }) { return true }
      index.markRowDeleted(identity)
      return false
    }
    return isNewer ? model : nil
  }

  // MARK: Changes

  /// Retains an instance until it is saved.
  func retainUntilSaved(_ model: M) {
    let revision = clock.tick()
    identity(of: model)?.with { state in
      if state.isRowDeleted { return }
      state.retainedModel = model
      state.retainedSince = revision
    }
  }
}
