internal import SQLiteCore

/// Finds out which columns of models have changed, where that is all that can have: what is written and noted of them is no more than
/// that.
///
/// It is so of types that are read directly, without hooks, versions or conflicts that matter. A model whose relations have
/// changed, or lead to instances, is left to ``SaveBuilder/add(_:)``.
struct PlainUpdates<M: Model> {
  private let shape: TableShape
  private let reading: RowReading<M.Value>
  private var changes = ColumnChanges()
  /// Where they are noted, as soon as there are any.
  private var saved: SavedModels<M>?

  enum Outcome {
    case added
    /// The model is as its row, and was held when that was told.
    case unchanged(heldAt: UInt64?)
    /// More is to be looked at.
    case other
  }

  /// `nil` for a type of which more is to be asked.
  init?(_ shape: TableShape) {
    guard !shape.hasHooks, shape.version == nil, shape.conflictPolicy == .keepMine,
      let direct = shape.direct(M.Value.self), direct.isPlain
    else { return nil }
    self.shape = shape
    reading = direct.reading
  }

  /// Adds what has changed of a model.
  mutating func add(
    _ model: M, _ identity: Identity, to builder: inout SaveBuilder
  ) -> Outcome {
    guard let plain = identity.plainRow else { return .other }
    let row = model.value
    guard reading.findChanges(row, plain.row, &changes), StoredKey(row.id) == plain.key else {
      return .other
    }
    if changes.places.isEmpty { return .unchanged(heldAt: plain.heldAt) }
    let saved = saved ?? builder.models(M.self, shape)
    self.saved = saved
    builder.append(changes, plain.key, shape)
    builder.notePlain(model)
    saved.plain.append(model, identity, row, changes.places)
    return .added
  }
}

extension Identity {
  /// The row that was saved, and its key, where it leads to no instances.
  fileprivate var plainRow: (row: any Table, key: StoredKey, heldAt: UInt64?)? {
    with { state in
      guard !state.isGone, !state.isForgotten, case .row(let row) = state.saved else { return nil }
      return (row, state.savedKey, state.held == nil ? nil : state.heldAt)
    }
  }

  /// Notes that the row was saved with nothing else changed but its columns.
  ///
  /// - Returns: Whether it is known as it was read.
  fileprivate func noteSaved(
    _ row: any Table, at now: UInt64, plannedAt moment: UInt64
  ) -> Bool {
    var former: (SavedRow?, (any Model)?)
    let isDone = with { state -> Bool in
      guard !state.isGone, case .row = state.saved, state.savedAt <= moment else { return false }
      former = (state.saved, state.held)
      state.saved = .row(row)
      state.savedAt = now
      if state.heldAt <= moment { state.held = nil }
      return true
    }
    // What was known before is let go behind the lock.
    withExtendedLifetime(former) {}
    return isDone
  }
}

extension IdentityMap {
  /// Adds all models that are not as their rows, in the order in which they came.
  func addChanged(to builder: inout SaveBuilder) throws {
    let all = with(\.all)
    // What is no table may be told of, but is never of the session.
    if all.isEmpty { return }
    guard var plain = PlainUpdates<M>(try TableShape.of(M.Value.self)) else {
      for model in changedModels() { try builder.add(model) }
      return
    }
    for identity in all {
      guard let model = identity.model as? M, builder.places[ObjectIdentifier(model)] == nil else {
        continue
      }
      switch plain.add(model, identity, to: &builder) {
      case .added: break
      case .unchanged(let heldAt): if let heldAt { release(identity, toldUntil: heldAt) }
      case .other:
        if isToBeSaved(model, identity) { try builder.add(model) }
      }
    }
  }

  /// Notes that instances were saved of which columns alone were changed, and so nothing but their rows is other than it was.
  func noteSaved(
    _ saved: PlainSaves, plannedAt moment: UInt64, in session: ModelSession
  ) {
    if saved.identities.isEmpty { return }
    let now = clock.tick()
    for (place, identity) in saved.identities.enumerated() {
      // A relation may have been loaded meanwhile, or the row fetched.
      if identity.noteSaved(saved.rows[place], at: now, plannedAt: moment) { continue }
      guard let model = identity.model as? M, let row = saved.rows[place] as? M.Value,
        let relations = try? RelationList.of(row)
      else { continue }
      noteSaved(
        model, row, relations, plannedAt: moment, written: saved.written[place], in: session)
    }
  }
}
