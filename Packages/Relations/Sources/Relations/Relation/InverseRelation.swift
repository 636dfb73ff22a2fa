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

  init<Owner: TableModel>(
    _ path: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable
  ) {
    ownerTable = Owner.Row.self
    relation = { $0[keyPath: path] }
    let property = ToOneProperty(path)
    columns = { try property.columns() }
    setOwner = { target, owner, isNew in
      // A value that was fetched has its owner's key.
      if let owner, owner.model == nil, !isNew { return }
      let model = owner?.model as? any Model & Sendable
      target.row[keyPath: path].setListOwner(model, key: owner?.id as? Owner.ID, isNew: isNew)
    }
  }
}
