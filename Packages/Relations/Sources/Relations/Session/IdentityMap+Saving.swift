internal import SQLiteCore

/// Those of any model.
protocol AnyIdentityMap: Sendable {
  /// The instances that are not as their rows, in the order in which they came.
  func changedModels() -> [any Model]

  /// What reads the rows anew that deleting others, or marking them, may have changed; `nil` where there are none.
  func rereading(after deletion: Deletion, in session: ModelSession) throws -> Rereading?

  /// Notes that rows were deleted, or marked so, of whatever table.
  func noteDeleted(
    _ deleted: any Table.Type, _ keys: [[SQLiteValue]], _ deed: Deletion.Deed)

  /// Notes that a row of another table has another key, which those that refer to it follow.
  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey)
}

extension IdentityMap: AnyIdentityMap {
  func changedModels() -> [any Model] {
    let entries = with { state in
      state.entries.values.filter { $0.model != nil }
        + state.singles.values.filter { $0.model != nil && !$0.isGone }
    }
    var changed: [M] = []
    var numbers: [Int] = []
    for entry in entries {
      guard let model = entry.model else { continue }
      if isChanged(model, entry) {
        changed.append(model)
        numbers.append(entry.number)
      } else if entry.held != nil {
        release(model, toldUntil: entry.heldAt)
      }
    }
    return numbers.indices.sorted { numbers[$0] < numbers[$1] }.map { changed[$0] }
  }

  /// Lets an instance go, unless it was told of changes since.
  private func release(_ model: M, toldUntil moment: UInt64) {
    let id = model.value.id
    with { state in
      guard let place = state.place(of: model, id), var entry = state[place],
        entry.heldAt <= moment
      else { return }
      entry.held = nil
      state[place] = entry
    }
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
  func noteSaved(
    _ model: M, _ row: M.Value, _ relations: [any AnyRelation], plannedAt moment: UInt64,
    becoming value: M.Value? = nil, values: [SQLiteValue]? = nil, in session: ModelSession
  ) {
    guard let entry = entry(of: model), !entry.isGone else { return }
    // A model may tell of this as of a change, and is not held for it.
    if let value { model.value = value }
    if model.value.id.isUnset { model.value.id = row.id }
    let id = model.value.id
    let now = clock.tick()
    let (saved, references) = kept(row, relations, values)
    let isHeld = entry.held != nil && entry.heldAt > moment
    let released = with { state -> M? in
      guard let place = state.place(of: model, id), var entry = state[place] else { return nil }
      let held = entry.held
      entry.saved = saved
      entry.savedKey = row.id
      entry.relations = references
      entry.savedAt = now
      entry.held = isHeld ? model : nil
      state.move(place, to: row.id, entry)
      return held
    }
    withExtendedLifetime(released) {}
    if !entry.relations.isSame(as: relations) { attach(model, relations, in: session) }
  }

  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey) {
    // No foreign key leads to another database.
    guard table.autoDBSettings == M.Value.autoDBSettings,
      let shape = try? TableShape.of(M.Value.self),
      shape.references.contains(where: { $0.target == table })
    else { return }
    let all = with { state in
      state.entries.values.filter { $0.model != nil } + state.singles.values
    }
    for one in all.flatMap(\.relations.all).lazy.compactMap(\.asOne) {
      one.noteKeyChange(table, former, key)
    }
  }
}

extension [any AnyRelation] {
  /// Says whose properties they are, in the order in which the type encodes them.
  func attach(_ owner: RelationOwner) {
    // It was made as the row was fetched.
    guard !isEmpty, let shape = try? TableShape.of(owner.type) else { return }
    for (relation, property) in zip(self, shape.relationNames) {
      relation.attach(owner, property)
    }
  }
}

/// The relations of a row, in the order in which it encodes them.
enum RelationList {
  static func of<Row: Table>(_ row: Row) throws -> [any AnyRelation] {
    let shape = try TableShape.of(Row.self)
    if shape.relations.isEmpty { return [] }
    if let direct = shape.direct(Row.self) { return direct.relations(of: row) }
    return try EncodedProperties(of: row).all.compactMap { $0.value as? any AnyRelation }
  }
}
