internal import SQLiteCore

/// Reads rows of instances anew, in the transaction that may have changed them.
///
/// What it has read is noted after the commit, without waiting for anything: nothing is half noted.
struct Rereading: Sendable {
  let read: @Sendable (Connection) throws -> any Sendable
  let note: @Sendable (any Sendable) -> Void
}

extension IdentityMap {
  func rereading(after deletion: Deletion, in session: ModelSession) throws -> Rereading? {
    let shape = try TableShape.of(M.Value.self)
    let isFollowing = try shape.follows(deletion.shape)
    // Rows that are marked stay, and so may those that have another version.
    let isKept =
      deletion.shape.type == M.Value.self && (deletion.deed != .delete || deletion.versions != nil)
    guard isFollowing.direct || isFollowing.distant || isKept else { return nil }
    let gone = Set(deletion.keys)
    let known = with { state in
      state.entries.values.filter { $0.model != nil && $0.saved != nil }
    }
    var ids: [M.ID] = []
    for entry in known {
      guard let id = entry.savedKey else { continue }
      let isMeant = isKept && gone.contains(id.keyValues)
      if isFollowing.distant || isMeant || Self.refers(entry, to: gone) { ids.append(id) }
    }
    if ids.isEmpty { return nil }
    let wanted = ids
    let moment = clock.now
    return Rereading(
      read: { connection in
        try connection.fetchRows(M.Value.self, shape, keys: wanted, includingDeleted: true)
      },
      note: { [self] rows in
        guard let rows = rows as? [FetchedRow<M.Value>] else { return }
        noteReread(rows, of: wanted, at: moment, in: session)
      })
  }

  private static func refers(_ entry: Entry, to gone: Set<[SQLiteValue]>) -> Bool {
    entry.relations.all.contains { relation in
      relation.asOne.map { gone.contains($0.savedColumnValues) } ?? false
    }
  }

  private func noteReread(
    _ rows: [FetchedRow<M.Value>], of ids: [M.ID], at moment: UInt64, in session: ModelSession
  ) {
    var missing = Set(ids)
    for row in rows {
      missing.remove(row.row.id)
      _ = instance(of: row.read(at: moment), in: session)
    }
    with { state in
      for id in missing where (state.entries[id]?.savedAt ?? 0) <= moment {
        state.noteGone(.keyed(id))
      }
    }
  }

  func noteDeleted(
    _ deleted: any Table.Type, _ keys: [[SQLiteValue]], _ deed: Deletion.Deed
  ) {
    if deed == .restore { return }
    if deleted == M.Value.self, deed == .delete { noteDeleted(Set(keys)) }
    let lists = with { state in
      state.entries.values.filter { $0.model != nil } + state.singles.values
    }.flatMap(\.relations.all)
    for list in lists.lazy.compactMap(\.asList) { list.noteDeleted(deleted, keys) }
  }

  /// Notes that rows were deleted here: nothing that refers to their instances has them be made again.
  private func noteDeleted(_ keys: Set<[SQLiteValue]>) {
    let gone = with { state in
      let ids = state.entries.keys.filter { keys.contains($0.keyValues) }
      let held = ids.compactMap { state.entries[$0]?.model }
      for id in ids { state.noteGone(.keyed(id), isDeleted: true) }
      return held
    }
    withExtendedLifetime(gone) {}
  }

  /// Notes that an instance was deleted, whether it had a row or not.
  func noteDeleted(_ model: M) {
    let id = model.value.id
    with { state in
      if let place = state.place(of: model, id) { state.noteGone(place, isDeleted: true) }
    }
  }

  /// Forgets an instance: it is a new one.
  func forget(_ model: M) {
    let id = model.value.id
    let released = with { state -> Entry? in
      guard let place = state.place(of: model, id) else { return nil }
      defer { state[place] = nil }
      return state[place]
    }
    withExtendedLifetime(released) {}
  }
}

extension TableShape {
  /// Whether rows change, or go, as rows of another table are deleted: those that refer to them, or to rows that go with them.
  fileprivate func follows(_ deleted: TableShape) throws -> (direct: Bool, distant: Bool) {
    var direct = false
    var distant = false
    var seen: [any Table.Type] = []
    var next: [(shape: TableShape, isFirst: Bool)] = [(self, true)]
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
        next.append((try TableShape.of(reference.target), false))
      }
    }
    return (direct, distant)
  }
}
