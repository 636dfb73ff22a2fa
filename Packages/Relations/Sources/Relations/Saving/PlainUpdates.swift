internal import SQLiteCore

/// Finds out which columns of models have changed, where that is all that can have: what is written and noted of them is no more than
/// that.
///
/// It is so of types that are read directly, without hooks, versions or conflicts that matter. A model whose relations have
/// changed, or lead to instances, is left to ``SaveBuilder/add(_:)``.
struct PlainUpdates<M: Model> {
  private let shape: TableShape
  private let direct: DirectShape<M.Value>

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
    self.direct = direct
  }

  /// Adds what has changed of a model.
  func add(_ model: M, _ identity: Identity, to builder: inout SaveBuilder) -> Outcome {
    guard let plain = identity.plainRow, let old = plain.row as? M.Value else { return .other }
    let row = model.value
    guard StoredKey(row.id) == plain.key, direct.hasSameRelations(row, old) else { return .other }
    let changed = direct.changedColumns(row, old)
    if changed.isEmpty { return .unchanged(heldAt: plain.heldAt) }
    guard let values = direct.values(of: row, at: changed) else { return .other }
    builder.note(shape)
    builder.append(changed, values, plain.key, shape)
    builder.note(SavedModels<M>.Plain(identity: identity, model: model, row: row), shape)
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
}

extension IdentityMap {
  /// Adds all models that are not as their rows, in the order in which they came.
  func addChanged(to builder: inout SaveBuilder) throws {
    guard let plain = PlainUpdates<M>(try TableShape.of(M.Value.self)) else {
      for model in changedModels() { try builder.add(model) }
      return
    }
    for identity in with(\.all) {
      guard let model = identity.model as? M else { continue }
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
    _ saved: [SavedModels<M>.Plain], plannedAt moment: UInt64, in session: ModelSession
  ) {
    let now = clock.tick()
    for saved in saved {
      let former = saved.identity.with { state -> Identity.State? in
        // A relation may have been loaded meanwhile.
        guard !state.isGone, case .row = state.saved else { return nil }
        let former = state
        state.saved = .row(saved.row)
        state.savedAt = now
        if state.heldAt <= moment { state.held = nil }
        return former
      }
      guard former == nil, let relations = try? RelationList.of(saved.row) else { continue }
      noteSaved(saved.model, saved.row, relations, plannedAt: moment, in: session)
    }
  }
}
