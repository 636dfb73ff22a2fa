internal import SQLiteCore

/// Those of any model.
protocol AnyIdentityMap: Sendable {
  /// Adds the instances that are not as their rows to what is saved, in the order in which they came.
  func addChanged(to builder: inout SaveBuilder) throws

  /// What reads the rows anew that deleting others, or marking them, may have changed; `nil` where there are none.
  func rereading(after deletion: Deletion, in session: ModelSession) throws -> Rereading?

  /// Notes that rows were deleted, or marked so, of whatever table.
  func noteDeleted(
    _ deleted: any Table.Type, _ keys: KeyGroup, _ deed: Deletion.Deed, at moment: UInt64)

  /// Has the keys of the rows be compared as SQLite does.
  func setCollation(_ collation: (any Table.Type) -> KeyCollation)

  /// Notes that a row of another table has another key, which those that refer to it follow.
  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey)
}

extension IdentityMap: AnyIdentityMap {
  func setCollation(_ collation: (any Table.Type) -> KeyCollation) {
    setCollation(collation(M.Value.self))
  }

  /// The instances that are not as their rows, in the order in which they came.
  func changedModels() -> [M] {
    with(\.all).compactMap { identity in
      guard let model = identity.model as? M else { return nil }
      return isToBeSaved(model, identity) ? model : nil
    }
  }

  /// Whether an instance is not as its row. One that is, is held no longer.
  func isToBeSaved(_ model: M, _ identity: Identity) -> Bool {
    let known = identity.known
    if known.isGone || known.isForgotten { return false }
    if isChanged(model, known) { return true }
    if known.held != nil { identity.release(toldUntil: known.heldAt) }
    return false
  }

  /// Notes that an instance was saved.
  ///
  /// One that was deleted meanwhile is not known any longer, and stays so.
  ///
  /// - Parameters:
  ///   - row: As it was written, with its key.
  ///   - value: What the instance becomes; `nil` where it stays as it is, but for the key.
  ///   - moment: When it was found what is to be written: it is held on for what was changed since.
  ///   - values: The columns of the row, where they are known.
  ///   - written: The places of the columns that were written, where these were not all.
  func noteSaved(
    _ model: M, _ row: M.Value, _ relations: [any AnyRelation], plannedAt moment: UInt64,
    becoming value: M.Value? = nil, values: [SQLiteValue]? = nil, written: [Int]? = nil,
    in session: ModelSession
  ) {
    guard let identity = identity(of: model) else { return }
    let known = identity.known
    if known.isGone { return }
    // Fetched while it was saved, it may have others by now.
    let relations =
      known.savedAt > moment ? (try? RelationList.of(model.value)) ?? relations : relations
    // A model may tell of this as of a change, and is not held for it.
    if let value { model.value = value }
    if model.value.id.isUnset { model.value.id = row.id }
    let key = StoredKey(row.id)
    let now = clock.tick()
    let (saved, references) =
      merged(row, relations, written, over: known, since: moment) ?? kept(row, relations, values)
    let isHeld = known.held != nil && known.heldAt > moment
    with { index in
      index.move(identity, to: key)
      identity.with { state in
        state.saved = saved
        state.savedKey = key
        state.references = references
        state.savedAt = now
        state.held = isHeld ? model : nil
      }
    }
    // What was known before is let go here, and not under the lock.
    withExtendedLifetime(known) {}
    if !known.hasRelations(relations) { attach(model, relations, in: session) }
  }

  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey) {
    // No foreign key leads to another database.
    guard table.autoDBSettings == M.Value.autoDBSettings,
      let shape = try? TableMetadata.of(M.Value.self),
      shape.references.contains(where: { $0.target == table })
    else { return }
    for one in with(\.all).flatMap(\.known.relations).lazy.compactMap(\.asOne) {
      one.noteKeyChange(table, former, key)
    }
  }
}

extension [any AnyRelation] {
  /// Says whose properties they are, in the order in which the type encodes them.
  func attach(_ owner: RelationOwner) {
    // It was made as the row was fetched.
    guard !isEmpty, let shape = try? TableMetadata.of(owner.type) else { return }
    for (relation, property) in zip(self, shape.relationNames) {
      relation.attach(owner, property)
    }
  }
}

/// The relations of a row, in the order in which it encodes them.
enum RelationList {
  static func of<Row: Table>(_ row: Row) throws -> [any AnyRelation] {
    let shape = try TableMetadata.of(Row.self)
    if shape.relations.isEmpty { return [] }
    if let accessors = shape.accessors(Row.self) { return accessors.relations(of: row) }
    return try RowEncoder.Properties(of: row).all.compactMap { $0.value as? any AnyRelation }
  }
}
