internal import SQLiteCore

/// The to-one relation of a list's rows that leads back to the list's owner.
struct InverseRelation<Target: TableModel>: Sendable {
  /// Its columns.
  let columns: @Sendable () throws -> [String]
  let ownerTable: any Table.Type
  /// The relation of a row.
  let relation: @Sendable (Target.Row) -> any AnyOneRelation
  /// Has a row be in the list of an owner, or in none.
  let setOwner: @Sendable (Target, RelationOwner?, _ isNew: Bool) -> Void
  /// Has rows that were read be in the list of an owner: tells of each whether it is, and was not taken elsewhere here.
  let admit: @Sendable ([Target], RelationOwner) -> [Bool]

  init<Owner: TableModel>(
    _ path: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable
  ) {
    ownerTable = Owner.Row.self
    relation = { $0[keyPath: path] }
    let property = ToOneProperty(path)
    columns = { try property.columns() }
    admit = { targets, owner in
      // A value that was fetched has its owner's key.
      guard Target.self is any Model.Type else { return targets.map { _ in true } }
      let (model, key) = (owner.model, owner.currentStoredKey)
      return targets.map { $0.row[keyPath: path].isAdmitted(to: model, key) }
    }
    setOwner = { target, owner, isNew in
      // A value that was fetched has its owner's key.
      if let owner, owner.model == nil, !isNew { return }
      target.row[keyPath: path].setListOwner(
        owner?.model, key: owner?.currentStoredKey ?? .none, isNew: isNew)
    }
  }
}
