internal import SQLiteCore

/// Merges what was made of a row here with what was made of it elsewhere: columns that were not changed here are theirs.
struct RowMerge {
  private let shape: TableMetadata
  private let binding: RowValues

  init(_ shape: TableMetadata) {
    self.shape = shape
    binding = shape.makeBinding()
  }

  /// - Parameters:
  ///   - before: The columns of what both began with.
  ///   - relations: Those of `mine`, which stay its.
  func row<Row: Table>(
    before: [SQLiteValue], mine: Row, theirs: Row, _ relations: [any AnyRelation]
  ) throws -> Row {
    let (mine, theirs) = (try binding.values(of: mine), try binding.values(of: theirs))
    var kept: [String: any AnyRelation] = [:]
    var merged = theirs
    for place in mine.indices where place != shape.version && mine[place] != before[place] {
      merged[place] = mine[place]
    }
    for (name, relation) in zip(shape.relationNames, relations) {
      // One that leads elsewhere by now is another one.
      if shape.places(of: name).contains(where: { merged[$0] != mine[$0] }) { continue }
      kept[name] = relation
    }
    return try shape.row(Row.self, of: merged, keeping: kept)
  }
}

extension IdentityMap {
  /// What a model with changes becomes when its row is fetched; `nil` where it stays as it is, or becomes what the row says.
  func merged(
    _ model: M, _ known: Identity.State, _ fetched: ModelSession.FetchedRow<M.Value>
  ) -> M.Value? {
    guard M.Value.conflictPolicy == .keepMine, !isSame(fetched, known),
      let shape = try? TableMetadata.of(M.Value.self)
    else { return nil }
    // Where values of a row can't be written, saving it tells.
    guard let before = try? known.savedValues(of: M.Value.self, shape, shape.makeBinding()) else {
      return nil
    }
    return try? RowMerge(shape).row(
      before: before, mine: model.value, theirs: fetched.row,
      RelationList.of(model.value))
  }

  /// What is known of a row of which some columns were written, where it was fetched while they were: the others are as they were
  /// fetched.
  ///
  /// - Returns: `nil` where it was not, or all were written.
  func merged(
    _ row: M.Value, _ relations: [any AnyRelation], _ written: [Int]?, over known: Identity.State,
    since moment: UInt64
  ) -> (SavedRow, RelationReferences)? {
    guard let written, known.savedAt > moment, let shape = try? TableMetadata.of(M.Value.self)
    else {
      return nil
    }
    let binding = shape.makeBinding()
    guard var values = try? known.savedValues(of: M.Value.self, shape, binding),
      let mine = try? binding.values(of: row)
    else { return nil }
    for place in written { values[place] = mine[place] }
    return (.values(values), RelationReferences(relations).unheld(of: nil))
  }

  /// Makes an instance what was merged of its changes and its row.
  func become(
    _ merged: M.Value, _ model: M, _ identity: Identity, _ known: Identity.State,
    _ fetched: ModelSession.FetchedRow<M.Value>, in session: ModelSession
  ) {
    guard let relations = try? RelationList.of(merged) else { return }
    for (relation, former) in zip(relations, known.alignedRelations) {
      if let former, former !== relation { relation.takeOver(former) }
    }
    let (row, references) = kept(fetched.row, relations)
    // What was read before is older, perhaps, than what was merged.
    let moment = clock.tick()
    model.value = merged
    attach(model, relations, in: session)
    replace(identity) { state in
      state.saved = row
      state.references = references
      state.savedAt = moment
      // A model may tell of this as of a change; it has those that it had.
      state.held = known.held
    }
  }
}

extension RelationError {
  /// The row of a conflict as it is in the database; `nil` of other errors.
  ///
  /// ```swift
  /// do {
  ///   try await album.save()
  /// } catch let error as RelationError where error.code == .conflict {
  ///   let theirs = try error.currentRow(Album.self)
  ///   print("has become", theirs?.name ?? "nothing")
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` where a value does not suit its property.
  public func currentRow<M: TableModel>(_ type: M.Type) throws -> M.Row? {
    guard let currentValues else { return nil }
    let shape = try TableMetadata.of(M.Row.self)
    let values = shape.columns.map { currentValues[$0.name] ?? .null }
    return try shape.row(M.Row.self, of: values)
  }
}
