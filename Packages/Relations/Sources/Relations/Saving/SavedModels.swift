internal import SQLiteCore

/// Models of one type that a save writes.
final class SavedModels<M: Model> {
  struct Saved {
    let model: M
    /// What the model was when the save was begun, where what is written is not the same.
    let before: M.Value?
    let row: M.Value
    let relations: [any AnyRelation]
    let values: [SQLiteValue]
    /// The places of the columns that are written, where these are not all.
    var written: [Int]?
    /// Where it is written; `nil` where it was as its row.
    let place: SaveResult.Place?
  }

  private let shape: TableMetadata
  private var saved: [Saved] = []
  /// Those of which columns alone were changed.
  var plain: [PlainSaves] = []
  private var conflicting: [M.ID] = []

  /// When it was found what is to be written.
  private let moment: UInt64

  init(shape: TableMetadata, plannedAt moment: UInt64) {
    self.shape = shape
    self.moment = moment
  }

  func append(_ model: Saved) { saved.append(model) }
}

/// Those of any type.
protocol AnySavedModels {
  /// Notes that all was committed.
  ///
  /// - Returns: Whether there are rows that were changed elsewhere.
  func noteSaved(_ result: SaveResult, _ session: ModelSession) -> Bool

  /// Has the models that were not saved become what their rows say.
  func fetchConflicting(in session: ModelSession) async throws
}

extension SavedModels: AnySavedModels {
  func noteSaved(_ result: SaveResult, _ session: ModelSession) -> Bool {
    let map = session.identities(of: M.self)
    for number in plain.indices {
      map.noteSaved(&plain[number], plannedAt: moment, in: session)
    }
    for saved in saved {
      var row = saved.row
      var values: [SQLiteValue]? = saved.values
      if let step = saved.place?.step, let key = result.keys[step] {
        row = row.withKey(key)
        values?[shape.key[0]] = .integer(key)
      }
      var value = self.value(saved, row)
      if let place = saved.place, result.conflicts.contains(place) {
        conflicting.append(row.id)
        // What it says now counts as its row, until that is fetched.
        row = value ?? saved.model.value
        value = nil
        values = nil
        for one in saved.relations.lazy.compactMap(\.asOne) { one.noteWhenSaved()() }
      }
      map.noteSaved(
        saved.model, row, saved.relations, plannedAt: moment, becoming: value, values: values,
        written: value == nil ? saved.written : nil, in: session)
      if !saved.relations.isEmpty {
        saved.relations.noteOwner(saved.model.value, isUnsaved: false)
      }
    }
    return !conflicting.isEmpty
  }

  /// What a model becomes where its row was written otherwise than it was.
  private func value(_ saved: Saved, _ row: M.Value) -> M.Value? {
    guard var before = saved.before else { return nil }
    var value = saved.model.value
    if before.id.isUnset { before.id = row.id }
    if value.id.isUnset { value.id = row.id }
    if value == before { return row }
    // It was changed while it was saved.
    guard var values = try? shape.makeBinding().values(of: before) else { return nil }
    // The relations are shared: they have the keys of now.
    for place in shape.relationNames.flatMap({ shape.places(of: $0) }) {
      values[place] = saved.values[place]
    }
    return try? RowMerge(shape).row(before: values, mine: value, theirs: row, saved.relations)
  }

  func fetchConflicting(in session: ModelSession) async throws {
    _ = try await session.fetch(M.self, conflicting, includingDeleted: true)
  }
}
