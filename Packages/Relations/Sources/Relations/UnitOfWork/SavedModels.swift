internal import SQLiteCore

/// The models of one type that a save writes.
final class SavedModels<M: Model> {
  struct Saved {
    let model: M
    /// The model's value when the save began, if the written row differs from it.
    let before: M.Value?
    let row: M.Value
    let relations: [any AnyRelation]
    let values: [SQLiteValue]
    /// The indexes of the written columns, unless all columns are written.
    var written: [Int]?
    /// The update or insert that writes the model; `nil` if its row is unchanged.
    let update: FlushResult.RowIndex?
  }

  private let metadata: TableMetadata
  private var saved: [Saved] = []
  /// The models with changed columns only.
  var columnOnlySaves: [ColumnOnlySaves] = []
  private var conflicting: [M.ID] = []

  /// The revision at which the save was planned.
  private let revision: UInt64

  init(metadata: TableMetadata, plannedAt revision: UInt64) {
    self.metadata = metadata
    self.revision = revision
  }

  func append(_ model: Saved) { saved.append(model) }
}

/// The saved models of any type.
protocol AnySavedModels {
  /// Records that the save was committed.
  ///
  /// - Returns: Whether there are rows that other connections have changed.
  func recordSave(_ result: FlushResult, _ session: ModelSession) -> Bool

  /// Refreshes the models that were not saved from their rows.
  func fetchConflicting(in session: ModelSession) async throws
}

extension SavedModels: AnySavedModels {
  func recordSave(_ result: FlushResult, _ session: ModelSession) -> Bool {
    let map = session.identities(of: M.self)
    for number in columnOnlySaves.indices {
      map.recordSave(&columnOnlySaves[number], plannedAt: revision, in: session)
    }
    for saved in saved {
      var row = saved.row
      var values: [SQLiteValue]? = saved.values
      if let step = saved.update?.step, let key = result.keys[step] {
        row = row.withKey(key)
        values?[metadata.key[0]] = .integer(key)
      }
      var value = self.value(saved, row)
      if let update = saved.update, result.conflicts.contains(update) {
        conflicting.append(row.id)
        // The model's current value counts as its row until the row is fetched.
        row = value ?? saved.model.value
        value = nil
        values = nil
        for one in saved.relations.lazy.compactMap(\.asToOneRelation) { one.savedKeyHandler()() }
      }
      map.recordSave(
        saved.model, row, saved.relations, plannedAt: revision, becoming: value, values: values,
        written: value == nil ? saved.written : nil, in: session)
      if !saved.relations.isEmpty {
        saved.relations.updateOwnerRow(saved.model.value, isUnsaved: false)
      }
    }
    return !conflicting.isEmpty
  }

  /// Returns the new value of a model whose written row differs from its value.
  private func value(_ saved: Saved, _ row: M.Value) -> M.Value? {
    guard var before = saved.before else { return nil }
    var value = saved.model.value
    if before.id.isUnset { before.id = row.id }
    if value.id.isUnset { value.id = row.id }
    if value == before { return row }
    // The model was changed during the save.
    guard var values = try? metadata.makeBinding().values(of: before) else { return nil }
    // The relations are shared and have their current keys.
    for place in metadata.relationNames.flatMap({ metadata.columnIndexes(of: $0) }) {
      values[place] = saved.values[place]
    }
    return try? metadata.merged(before: values, mine: value, theirs: row, saved.relations)
  }

  func fetchConflicting(in session: ModelSession) async throws {
    _ = try await session.fetch(M.self, conflicting, includingDeleted: true)
  }
}
