internal import SQLiteCore

extension TableMetadata {
  /// Returns the three-way merge of a row: columns that were not changed in memory take their values
  /// from the database.
  ///
  /// - Parameters:
  ///   - before: The columns of the common ancestor.
  ///   - relations: The relations of `mine`, which are kept.
  func merged<Row: Table>(
    before: [SQLiteValue], mine: Row, theirs: Row, _ relations: [any AnyRelation]
  ) throws -> Row {
    let binding = makeBinding()
    let (mine, theirs) = (try binding.values(of: mine), try binding.values(of: theirs))
    var unchanged: [String: any AnyRelation] = [:]
    var merged = theirs
    for place in mine.indices where place != version && mine[place] != before[place] {
      merged[place] = mine[place]
    }
    for (name, relation) in zip(relationNames, relations) {
      // A relation with a changed key is replaced.
      if columnIndexes(of: name).contains(where: { merged[$0] != mine[$0] }) { continue }
      unchanged[name] = relation
    }
    return try row(Row.self, of: merged, keeping: unchanged)
  }
}

extension IdentityMap {
  /// Returns the merged value of a changed model whose row was fetched; `nil` if the model is not
  /// merged.
  func merged(
    _ model: M, _ entry: Identity.State, _ fetched: ModelSession.FetchedRow<M.Value>
  ) -> M.Value? {
    guard M.Value.conflictPolicy == .keepMine, !isSame(fetched, entry),
      let metadata = try? TableMetadata.of(M.Value.self)
    else { return nil }
    // If a value of the row can't be written, saving it reports the error.
    guard let before = try? entry.savedValues(of: M.Value.self, metadata, metadata.makeBinding())
    else {
      return nil
    }
    return try? metadata.merged(
      before: before, mine: model.value, theirs: fetched.row,
      model.value.relations())
  }

  /// Returns the state after a save of some columns, if the row was fetched during the save: the
  /// other columns have the fetched values.
  ///
  /// - Returns: `nil` if the row was not fetched, or all columns were written.
  func merged(
    _ row: M.Value, _ relations: [any AnyRelation], _ written: [Int]?, over entry: Identity.State,
    since revision: UInt64
  ) -> (SavedRow, RelationReferences)? {
    guard let written, entry.savedAt > revision, let metadata = try? TableMetadata.of(M.Value.self)
    else {
      return nil
    }
    let binding = metadata.makeBinding()
    guard var values = try? entry.savedValues(of: M.Value.self, metadata, binding),
      let mine = try? binding.values(of: row)
    else { return nil }
    for place in written { values[place] = mine[place] }
    return (.values(values), RelationReferences.strong(relations).weakened(of: nil))
  }

  /// Sets an instance to the merged value.
  func replaceValue(
    with merged: M.Value, of model: M, _ identity: Identity, _ entry: Identity.State,
    _ fetched: ModelSession.FetchedRow<M.Value>, in session: ModelSession
  ) {
    guard let relations = try? merged.relations() else { return }
    for (relation, former) in zip(relations, entry.alignedRelations) {
      if let former, former !== relation { relation.adoptState(former) }
    }
    let (row, references) = savedState(of: fetched.row, relations)
    // Rows that were read before may be older than the merged row.
    let revision = clock.tick()
    model.value = merged
    attach(model, relations, in: session)
    replace(identity) { state in
      state.saved = row
      state.references = references
      state.savedAt = revision
      // A model may report the assignment as a change, but only its former changes retain it.
      state.retainedModel = entry.retainedModel
    }
  }
}

extension RelationError {
  /// Returns the current row in the database of a conflict; `nil` for other errors.
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
  /// - Throws: `SQLiteError` if a value does not suit its property.
  public func currentRow<M: TableModel>(_ type: M.Type) throws -> M.Row? {
    guard let currentValues else { return nil }
    let metadata = try TableMetadata.of(M.Row.self)
    let values = metadata.columns.map { currentValues[$0.name] ?? .null }
    return try metadata.row(M.Row.self, of: values)
  }
}
