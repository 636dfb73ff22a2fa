internal import SQLiteCore

extension OneRelation {
  /// Follows a row that has another key, as the foreign key does.
  func noteKeyChange(_ table: any Table.Type, _ former: [SQLiteValue], _ key: any TableKey) {
    guard table == Target.Row.self, case .one(_, let rules) = relationKind else { return }
    func isFormer(_ known: Target.ID?) -> Bool { known?.keyValues == former }
    with { state in
      let new: Target.ID?
      switch rules.onUpdate {
      case .cascade: new = key as? Target.ID
      case .setNull: new = nil
      // What became of it, the next fetch tells; or the change was refused.
      case .setDefault, .restrict, .noAction: return
      }
      if isFormer(state.key) {
        state.key = new
        if new == nil { state.forget() }
      }
      if isFormer(state.savedKey) { state.savedKey = new }
    }
  }
}
