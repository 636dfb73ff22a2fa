internal import SQLiteCore

// Keys that are generated during the save, and the steps of the plan.
extension UnitOfWork {
  // MARK: Generated keys

  /// Replaces keys that are not generated yet with placeholders.
  ///
  /// - Returns: The columns whose keys are generated after the row is written, because the rows
  ///   form a cycle.
  func deferUnknownKeys(
    for write: inout RowWrite, _ relations: [any AnyRelation]
  ) -> [(column: Int, model: ObjectIdentifier)] {
    var deferred: [(column: Int, model: ObjectIdentifier)] = []
    for (name, relation) in zip(write.metadata.relationNames, relations) {
      guard let one = relation.asToOneRelation, let other = one.loadedModel,
        let column = write.metadata.columnIndex(of: name), let step = steps[ObjectIdentifier(other)]
      else { continue }
      if step == Self.beingAdded {
        if Self.hasNoKey(other) { deferred.append((column, ObjectIdentifier(other))) }
      } else if step >= 0, plan.isKeyGenerated(step) {
        write.deferredKeys.append((column: column, step: step))
      }
      if Self.hasNoKey(other) { write.values[column] = .null }
    }
    return deferred
  }

  static func hasNoKey(_ model: some Model) -> Bool { model.value.id.isUnset }

  mutating func deferUpdates(
    _ deferred: [(column: Int, model: ObjectIdentifier)], _ metadata: TableMetadata, step: Int?,
    _ key: [SQLiteValue]
  ) {
    for (column, model) in deferred {
      let values = [SQLiteValue](repeating: .null, count: metadata.columns.count)
      let write = RowWrite(
        metadata: metadata, operation: .update([column]), values: values, key: key, keyStep: step)
      deferredUpdates.append((column, model, write))
    }
  }

  /// Adds handlers that mark the relations' current keys as saved. Keys that change during the save
  /// stay unsaved.
  mutating func addSavedKeyHandlers(_ relations: [any AnyRelation]) {
    for one in relations.lazy.compactMap(\.asToOneRelation) where one.isChanged {
      savedKeyHandlers.append(one.savedKeyHandler())
    }
  }

  /// Adds the steps that depend on all other steps.
  mutating func finish() {
    for (column, model, write) in deferredUpdates {
      guard let step = steps[model] else { continue }
      var write = write
      write.deferredKeys = [(column: column, step: step)]
      _ = append(.row(write))
    }
    deferredUpdates = []
    flush()
    for handler in savedKeyHandlers { completions.append { _ in handler() } }
    savedKeyHandlers = []
    for handler in keyChangeHandlers { completions.append { _ in handler() } }
    keyChangeHandlers = []
  }

  /// Records that the plan was committed.
  ///
  /// - Returns: The models whose rows were changed by other connections, and so must be fetched.
  func finishCommit(_ result: FlushResult) -> [any AnySavedModels] {
    let conflicting = saved.values.filter { $0.recordSave(result, session) }
    for completion in completions { completion(result) }
    return conflicting
  }

  /// Records that the plan was rolled back.
  func finishRollback() {
    for call in afterRollback { call() }
  }

  // MARK: Steps

  mutating func append(_ step: FlushPlan.Step) -> Int {
    flush()
    plan.steps.append(step)
    return plan.steps.count - 1
  }

  /// Appends an update to the current batch if it changes the same columns; otherwise begins a new
  /// batch.
  mutating func append(_ changed: [Int], of write: RowWrite) -> FlushResult.RowIndex {
    if !(updateBatch?.isUpdate(of: changed, write.metadata) ?? false) {
      flush()
      updateBatch = UpdateBatch(metadata: write.metadata, changed: changed)
    }
    for place in changed { updateBatch?.parameters.append(write.values[place]) }
    updateBatch?.parameters.append(contentsOf: write.key)
    if let version = write.version { updateBatch?.parameters.append(version) }
    defer { updateBatch?.count += 1 }
    return FlushResult.RowIndex(step: plan.steps.count, row: updateBatch?.count ?? 0)
  }

  /// Appends updates to the current batch if they change the same columns; otherwise begins a new
  /// batch.
  mutating func append(_ updates: UpdateBatch) {
    if updateBatch?.isUpdate(of: updates.changed, updates.metadata) ?? false {
      updateBatch?.parameters += updates.parameters
      updateBatch?.count += updates.count
    } else {
      flush()
      updateBatch = updates
    }
  }

  mutating func flush() {
    guard let updateBatch else { return }
    self.updateBatch = nil
    plan.steps.append(.updates(updateBatch))
  }
}
