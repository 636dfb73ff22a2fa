internal import SQLiteCore

// Keys that are generated during the save, and the steps of the plan.
extension SaveBuilder {
  // MARK: Generated keys

  /// Replaces keys that are not generated yet with placeholders.
  ///
  /// - Returns: The columns whose keys are generated after the row is written, because the rows
  ///   form a cycle.
  func borrowKeys(
    for write: inout RowWrite, _ relations: [any AnyRelation]
  ) -> [(column: Int, model: ObjectIdentifier)] {
    var late: [(column: Int, model: ObjectIdentifier)] = []
    for (name, relation) in zip(write.shape.relationNames, relations) {
      guard let one = relation.asOne, let other = one.loadedModel,
        let column = write.shape.place(of: name), let place = places[ObjectIdentifier(other)]
      else { continue }
      if place == Self.beingAdded {
        if Self.hasNoKey(other) { late.append((column, ObjectIdentifier(other))) }
      } else if place >= 0, plan.isNumbered(place) {
        write.borrowed.append(RowWrite.Borrowed(column: column, write: place))
      }
      if Self.hasNoKey(other) { write.values[column] = .null }
    }
    return late
  }

  static func hasNoKey(_ model: some Model) -> Bool { model.value.id.isUnset }

  mutating func postpone(
    _ late: [(column: Int, model: ObjectIdentifier)], _ shape: TableMetadata, place: Int?,
    _ key: [SQLiteValue]
  ) {
    for (column, model) in late {
      let values = [SQLiteValue](repeating: .null, count: shape.columns.count)
      let write = RowWrite(
        shape: shape, deed: .update([column]), values: values, key: key, keyWrite: place)
      postponed.append((column, model, write))
    }
  }

  /// Adds handlers that mark the relations' current keys as saved. Keys that change during the save
  /// stay unsaved.
  mutating func noteWhenSaved(_ relations: [any AnyRelation]) {
    for one in relations.lazy.compactMap(\.asOne) where one.isChanged {
      notes.append(one.noteWhenSaved())
    }
  }

  /// Adds the steps that depend on all other steps.
  mutating func finish() {
    for (column, model, write) in postponed {
      guard let place = places[model] else { continue }
      var write = write
      write.borrowed = [RowWrite.Borrowed(column: column, write: place)]
      _ = append(.row(write))
    }
    postponed = []
    flush()
    for note in notes { completions.append { _ in note() } }
    notes = []
    for note in keyNotes { completions.append { _ in note() } }
    keyNotes = []
  }

  /// Records that the plan was committed.
  ///
  /// - Returns: The models whose rows were changed by other connections, and so must be fetched.
  func noteCommit(_ result: SaveResult) -> [any AnySavedModels] {
    let conflicting = saved.values.filter { $0.noteSaved(result, session) }
    for completion in completions { completion(result) }
    return conflicting
  }

  /// Records that the plan was rolled back.
  func noteRollback() {
    for call in afterRollback { call() }
  }

  // MARK: Steps

  mutating func append(_ step: SavePlan.Step) -> Int {
    flush()
    plan.steps.append(step)
    return plan.steps.count - 1
  }

  /// Appends an update to the current batch if it changes the same columns; otherwise begins a new
  /// batch.
  mutating func append(_ changed: [Int], of write: RowWrite) -> SaveResult.Place {
    if !(run?.isUpdate(of: changed, write.shape) ?? false) {
      flush()
      run = UpdateRun(shape: write.shape, changed: changed)
    }
    for place in changed { run?.parameters.append(write.values[place]) }
    run?.parameters.append(contentsOf: write.key)
    if let version = write.version { run?.parameters.append(version) }
    defer { run?.count += 1 }
    return SaveResult.Place(step: plan.steps.count, row: run?.count ?? 0)
  }

  /// Appends updates to the current batch if they change the same columns; otherwise begins a new
  /// batch.
  mutating func append(_ updates: UpdateRun) {
    if run?.isUpdate(of: updates.changed, updates.shape) ?? false {
      run?.parameters += updates.parameters
      run?.count += updates.count
    } else {
      flush()
      run = updates
    }
  }

  mutating func flush() {
    guard let run else { return }
    self.run = nil
    plan.steps.append(.updates(run))
  }
}
