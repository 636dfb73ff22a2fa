internal import SQLiteCore

extension IdentityMap {
  /// What a model with changes becomes when its row is fetched; `nil` where it stays as it is, or becomes what the row says.
  func merged(_ model: M, _ entry: Entry, _ fetched: FetchedRow<M.Value>) -> M.Value? {
    guard M.Value.conflictPolicy == .keepMine, !isSame(fetched, entry),
      let shape = try? TableShape.of(M.Value.self)
    else { return nil }
    // Where values of a row can't be written, saving it tells.
    guard let before = try? entry.savedValues(shape, shape.makeBinding()) else { return nil }
    return try? RowMerge(shape).row(
      before: before, mine: model.value, theirs: fetched.row,
      RelationList.of(model.value))
  }

  /// Makes an instance what was merged of its changes and its row.
  func become(
    _ merged: M.Value, _ model: M, _ id: M.ID, _ entry: Entry, _ fetched: FetchedRow<M.Value>,
    in session: ModelSession
  ) {
    guard let relations = try? RelationList.of(merged) else { return }
    for (relation, former) in zip(relations, entry.relations.aligned) {
      if let former, former !== relation { relation.takeOver(former) }
    }
    let (row, references) = kept(fetched.row, relations)
    // What was read before is older, perhaps, than what was merged.
    let moment = clock.tick()
    model.value = merged
    attach(model, relations, in: session)
    let released = with { state -> M? in
      guard var now = state.entries[id], now.model === model else { return nil }
      let held = now.held
      now.saved = row
      now.relations = references
      now.savedAt = moment
      // A model may tell of this as of a change; it has those that it had.
      now.held = entry.held
      state.entries[id] = now
      return held
    }
    withExtendedLifetime(released) {}
  }
}
