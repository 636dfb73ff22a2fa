internal import Observe
internal import SQLiteCore

/// An identity map of any model type.
protocol AnyIdentityMap: AnyObject, Sendable {
  /// Adds the instances that differ from their rows to a save, in the order of their registration.
  func addChanged(to unitOfWork: inout UnitOfWork) throws

  /// Returns a read of the rows that a deletion of other rows may have changed; `nil` if there are
  /// none.
  func refetch(after deletion: Deletion, in session: ModelSession) throws -> Refetch?

  /// Records that rows of any table were deleted or marked as deleted.
  func applyDeletion(
    _ deleted: any Table.Type, _ keys: KeyMap<Void>, _ operation: Deletion.Operation,
    at revision: UInt64)

  /// Sets the comparison of the rows' keys, which follows SQLite's collations.
  func setCollation(_ collation: (any Table.Type) -> KeyCollation)

  /// Records that a row of another table has a new key, and updates the relations that refer to it.
  func applyKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey)

  /// Refreshes the instances whose rows have changed.
  ///
  /// - Parameter changes: The committed changes; `nil` if they are unknown.
  func refresh(_ changes: ChangeSet?, in session: ModelSession) async throws -> ModelSession.Changes

  /// Removes the entries of released instances.
  func purgeReleasedInstances()
}

extension IdentityMap: AnyIdentityMap {
  func setCollation(_ collation: (any Table.Type) -> KeyCollation) {
    setCollation(collation(M.Value.self))
  }

  /// Returns the instances that differ from their rows, in the order of their registration.
  func changedModels() -> [M] {
    with(\.all).compactMap { identity in
      guard let model = identity.model as? M else { return nil }
      return needsSave(model, identity) ? model : nil
    }
  }

  /// Returns whether an instance differs from its row. An unchanged instance is released.
  func needsSave(_ model: M, _ identity: Identity) -> Bool {
    let entry = identity.currentState
    if entry.isRowDeleted || entry.isRemoved { return false }
    if isChanged(model, entry) { return true }
    if entry.retainedModel != nil { identity.release(changedUntil: entry.retainedSince) }
    return false
  }

  /// Records that an instance was saved.
  ///
  /// An instance whose row was deleted in the meantime is left unchanged.
  ///
  /// - Parameters:
  ///   - row: The written row with its key.
  ///   - value: The new value of the instance; `nil` to change only its key.
  ///   - revision: The revision at which the save was planned. An instance with later changes stays
  ///     retained.
  ///   - values: The row's columns, if known.
  ///   - written: The indexes of the written columns, unless all columns were written.
  func recordSave(
    _ model: M, _ row: M.Value, _ relations: [any AnyRelation], plannedAt revision: UInt64,
    becoming value: M.Value? = nil, values: [SQLiteValue]? = nil, written: [Int]? = nil,
    in session: ModelSession
  ) {
    guard let identity = identity(of: model) else { return }
    let entry = identity.currentState
    if entry.isRowDeleted { return }
    // An instance that was fetched during the save may have other relations now.
    let relations =
      entry.savedAt > revision ? (try? model.value.relations()) ?? relations : relations
    // A model may report this assignment as a change, which must not retain it.
    if let value { model.value = value }
    if model.value.id.isUnset { model.value.id = row.id }
    let key = StoredKey(row.id)
    let now = clock.tick()
    let (saved, references) =
      merged(row, relations, written, over: entry, since: revision)
      ?? savedState(of: row, relations, values)
    let isRetained = entry.retainedModel != nil && entry.retainedSince > revision
    with { index in
      index.move(identity, to: key)
      identity.with { state in
        state.saved = saved
        state.savedKey = key
        state.references = references
        state.savedAt = now
        state.retainedModel = isRetained ? model : nil
      }
    }
    // The former state is released here, outside the lock.
    withExtendedLifetime(entry) {}
    if !entry.hasRelations(relations) { attach(model, relations, in: session) }
  }

  func applyKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey) {
    // Foreign keys can't refer to another database.
    guard table.autoDBSettings == M.Value.autoDBSettings,
      let metadata = try? TableMetadata.of(M.Value.self),
      metadata.references.contains(where: { $0.target == table })
    else { return }
    for one in with(\.all).flatMap(\.currentState.relations).lazy.compactMap(\.asToOneRelation) {
      one.applyKeyChange(table, former, key)
    }
  }
}
