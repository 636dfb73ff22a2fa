internal import SQLiteCore

/// A read of instances' rows, in the transaction that may have changed them.
///
/// The result is recorded after the commit without suspension, so that no other task sees a partial
/// update.
struct Refetch: Sendable {
  let read: @Sendable (Connection) throws -> any Sendable
  let apply: @Sendable (any Sendable) -> Void
}

extension IdentityMap {
  func refetch(after deletion: Deletion, in session: ModelSession) throws -> Refetch? {
    let metadata = try TableMetadata.of(M.Value.self)
    let dependence = try metadata.dependence(on: deletion.metadata)
    // Marked rows still exist. Rows with another version may exist too.
    let isKept =
      deletion.metadata.type == M.Value.self
      && (deletion.operation != .delete || deletion.versions != nil)
    guard dependence.direct || dependence.byCascade || isKept else { return nil }
    let deleted = KeyMap<Void>(deletion.keys, session.keyCollation(of: deletion.metadata.type))
    var ids: [M.ID] = []
    for identity in with(\.keyedEntries) where identity.model != nil {
      let entry = identity.currentState
      guard entry.saved != nil, let id = entry.savedKey.key(as: M.ID.self) else { continue }
      let isDeletedRow = isKept && deleted.contains(id.keyValues)
      if dependence.byCascade || isDeletedRow || Self.refers(entry, to: deleted) { ids.append(id) }
    }
    if ids.isEmpty { return nil }
    let wanted = ids
    let revision = clock.now
    return Refetch(
      read: { connection in
        try connection.readRows(M.Value.self, metadata, keys: wanted, includingDeleted: true).all
      },
      apply: { [self] rows in
        guard let rows = rows as? [ModelSession.FetchedRow<M.Value>] else { return }
        applyRefetchedRows(rows, of: wanted, at: revision, in: session)
      })
  }

  private static func refers(_ entry: Identity.State, to deleted: KeyMap<Void>) -> Bool {
    entry.relations.contains { relation in
      relation.asToOneRelation.map { deleted.contains($0.savedColumnValues) } ?? false
    }
  }

  private func applyRefetchedRows(
    _ rows: [ModelSession.FetchedRow<M.Value>], of ids: [M.ID], at revision: UInt64,
    in session: ModelSession
  ) {
    let found = KeyMap<Void>(
      rows.map(\.row.id.keyValues), session.keyCollation(of: M.Value.self))
    for row in rows {
      _ = instance(of: row.read(at: revision), in: session)
    }
    let missing = ids.filter { !found.contains($0.keyValues) }
    markRowDeleted(missing.map { StoredKey($0) }) { $0.savedAt <= revision }
  }

  func applyDeletion(
    _ deleted: any Table.Type, _ keys: KeyMap<Void>, _ operation: Deletion.Operation,
    at revision: UInt64
  ) {
    if operation == .restore { return }
    if deleted == M.Value.self, operation == .delete { applyDeletion(keys) }
    for list in with(\.all).flatMap(\.currentState.relations).lazy.compactMap(\.asToManyRelation) {
      list.applyDeletion(deleted, keys, at: revision)
    }
  }

  /// Records that rows were deleted by this session. Saves of rows that refer to their instances
  /// don't insert these again.
  private func applyDeletion(_ keys: KeyMap<Void>) {
    let released = with { index in
      let identities = index.keyedEntries.filter { identity in
        keys.contains(identity.with(\.indexKey).values ?? [])
      }
      let models = identities.map { ($0, $0.model) }
      for identity in identities { index.markRowDeleted(identity, bySession: true) }
      return models
    }
    withExtendedLifetime(released) {}
  }

  /// Records that the rows with the given keys were deleted, if their state satisfies `condition`.
  func markRowDeleted(_ keys: [StoredKey], where condition: @Sendable (Identity.State) -> Bool) {
    let released = with { index in
      let identities = keys.compactMap { index[$0] }.filter { condition($0.currentState) }
      let models = identities.map { ($0, $0.model) }
      for identity in identities { index.markRowDeleted(identity) }
      return models
    }
    withExtendedLifetime(released) {}
  }

  /// Records that an instance was deleted, whether it had a row or not.
  func applyDeletion(_ model: M) {
    guard let identity = identity(of: model) else { return }
    with { $0.markRowDeleted(identity, bySession: true) }
  }

  /// Removes an instance from the session, which makes it a new one.
  func remove(_ model: M) {
    guard let identity = identity(of: model) else { return }
    let former = with { $0.remove(identity) }
    withExtendedLifetime(former) {}
  }
}

extension TableMetadata {
  /// Returns whether a deletion in another table changes or deletes rows of this table: because
  /// they refer to the deleted rows, or to rows deleted by a cascade.
  fileprivate func dependence(on deleted: TableMetadata) throws -> (direct: Bool, byCascade: Bool) {
    var direct = false
    var byCascade = false
    var seen: [any Table.Type] = []
    var next: [(metadata: TableMetadata, isFirst: Bool)] = [(self, true)]
    while let (metadata, isFirst) = next.popLast() {
      for reference in metadata.references
      where reference.target.autoDBSettings == metadata.type.autoDBSettings {
        let action = reference.rules.onDelete
        guard action == .cascade || isFirst && (action == .setNull || action == .setDefault) else {
          continue
        }
        if reference.target == deleted.type {
          if isFirst { direct = true } else { byCascade = true }
        }
        guard !seen.contains(where: { $0 == reference.target }) else { continue }
        seen.append(reference.target)
        next.append((try TableMetadata.of(reference.target), false))
      }
    }
    return (direct, byCascade)
  }
}
