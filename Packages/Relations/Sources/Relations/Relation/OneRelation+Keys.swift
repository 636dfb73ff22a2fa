internal import SQLiteCore

extension OneRelation {
  /// Follows a row that has another key, as the foreign key does.
  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey) {
    guard table == Target.Row.self, case .one(_, let rules) = relationKind else { return }
    let new: StoredKey
    switch rules.onUpdate {
    case .cascade: new = StoredKey(key as? Target.ID)
    case .setNull: new = .none
    // What became of it, the next fetch tells; or the change was refused.
    case .setDefault, .restrict, .noAction: return
    }
    with { state in
      if state.key.values == former {
        state.key = new
        if new == .none { state.forget() }
      }
      if state.savedKey.values == former { state.savedKey = new }
    }
  }
}
