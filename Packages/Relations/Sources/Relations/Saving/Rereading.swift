internal import SQLiteCore

/// A read of instances' rows, in the transaction that may have changed them.
///
/// The result is recorded after the commit without suspension, so that no other task sees a partial update.
struct Rereading: Sendable {
  let read: @Sendable (Connection) throws -> any Sendable
  let note: @Sendable (any Sendable) -> Void
}

extension IdentityMap {
  func rereading(after deletion: Deletion, in session: ModelSession) throws -> Rereading? {
    let shape = try TableMetadata.of(M.Value.self)
    let isFollowing = try shape.follows(deletion.shape)
    // Marked rows still exist. Rows with another version may exist too.
    let isKept =
      deletion.shape.type == M.Value.self && (deletion.deed != .delete || deletion.versions != nil)
    guard isFollowing.direct || isFollowing.distant || isKept else { return nil }
    let gone = KeyGroup(deletion.keys, session.keyCollation(of: deletion.shape.type))
    var ids: [M.ID] = []
    for identity in with(\.allKeyed) where identity.model != nil {
      let known = identity.known
      guard known.saved != nil, let id = known.savedKey.key(as: M.ID.self) else { continue }
      let isMeant = isKept && gone.contains(id.keyValues)
      if isFollowing.distant || isMeant || Self.refers(known, to: gone) { ids.append(id) }
    }
    if ids.isEmpty { return nil }
    let wanted = ids
    let moment = clock.now
    return Rereading(
      read: { connection in
        try connection.fetchRows(M.Value.self, shape, keys: wanted, includingDeleted: true)
      },
      note: { [self] rows in
        guard let rows = rows as? [ModelSession.FetchedRow<M.Value>] else { return }
        noteReread(rows, of: wanted, at: moment, in: session)
      })
  }

  private static func refers(_ known: Identity.State, to gone: KeyGroup) -> Bool {
    known.relations.contains { relation in
      relation.asOne.map { gone.contains($0.savedColumnValues) } ?? false
    }
  }

  private func noteReread(
    _ rows: [ModelSession.FetchedRow<M.Value>], of ids: [M.ID], at moment: UInt64,
    in session: ModelSession
  ) {
    let found = KeyGroup(
      rows.map(\.row.id.keyValues), session.keyCollation(of: M.Value.self))
    for row in rows {
      _ = instance(of: row.read(at: moment), in: session)
    }
    let missing = ids.filter { !found.contains($0.keyValues) }
    noteGone(missing.map { StoredKey($0) }) { $0.savedAt <= moment }
  }

  func noteDeleted(
    _ deleted: any Table.Type, _ keys: KeyGroup, _ deed: Deletion.Deed, at moment: UInt64
  ) {
    if deed == .restore { return }
    if deleted == M.Value.self, deed == .delete { noteDeleted(keys) }
    for list in with(\.all).flatMap(\.known.relations).lazy.compactMap(\.asList) {
      list.noteDeleted(deleted, keys, at: moment)
    }
  }

  /// Records that rows were deleted by this session. Saves of rows that refer to their instances don't insert these
  /// again.
  private func noteDeleted(_ keys: KeyGroup) {
    let gone = with { index in
      let identities = index.allKeyed.filter { identity in
        keys.contains(identity.with(\.place).values ?? [])
      }
      let held = identities.map { ($0, $0.model) }
      for identity in identities { index.noteGone(identity, isDeleted: true) }
      return held
    }
    withExtendedLifetime(gone) {}
  }

  /// Records that the rows with the given keys were deleted, if their state satisfies `isGone`.
  func noteGone(_ keys: [StoredKey], where isGone: @Sendable (Identity.State) -> Bool) {
    let gone = with { index in
      let identities = keys.compactMap { index[$0] }.filter { isGone($0.known) }
      let held = identities.map { ($0, $0.model) }
      for identity in identities { index.noteGone(identity) }
      return held
    }
    withExtendedLifetime(gone) {}
  }

  /// Records that an instance was deleted, whether it had a row or not.
  func noteDeleted(_ model: M) {
    guard let identity = identity(of: model) else { return }
    with { $0.noteGone(identity, isDeleted: true) }
  }

  /// Removes an instance from the session, which makes it a new one.
  func forget(_ model: M) {
    guard let identity = identity(of: model) else { return }
    let former = with { $0.forget(identity) }
    withExtendedLifetime(former) {}
  }
}

extension TableMetadata {
  /// Returns whether a deletion in another table changes or deletes rows of this table: because they refer to the
  /// deleted rows, or to rows deleted by a cascade.
  fileprivate func follows(_ deleted: TableMetadata) throws -> (direct: Bool, distant: Bool) {
    var direct = false
    var distant = false
    var seen: [any Table.Type] = []
    var next: [(shape: TableMetadata, isFirst: Bool)] = [(self, true)]
    while let (shape, isFirst) = next.popLast() {
      for reference in shape.references
      where reference.target.autoDBSettings == shape.type.autoDBSettings {
        let action = reference.rules.onDelete
        guard action == .cascade || isFirst && (action == .setNull || action == .setDefault) else {
          continue
        }
        if reference.target == deleted.type {
          if isFirst { direct = true } else { distant = true }
        }
        guard !seen.contains(where: { $0 == reference.target }) else { continue }
        seen.append(reference.target)
        next.append((try TableMetadata.of(reference.target), false))
      }
    }
    return (direct, distant)
  }
}
