internal import SQLiteCore

/// Rows of a table that link owners with the rows of their lists.
struct LinkRows<Target: TableModel>: Sendable {
  let type: any Table.Type
  /// Has a row, or a new one, link an owner with a row.
  let make: @Sendable (_ link: (any Table)?, RelationOwner, Target) -> any Table

  init<Link: Table, Owner: TableModel>(
    _ owner: any KeyPath<Link, OneRelation<Owner>> & Sendable,
    _ target: any KeyPath<Link, OneRelation<Target>> & Sendable
  ) {
    type = Link.self
    make = { link, of, to in
      let row = (link as? Link) ?? Link()
      row[keyPath: owner].link(key: of.currentStoredKey, of.model as? Owner)
      row[keyPath: target].link(key: StoredKey(to.id), to)
      return row
    }
  }
}

extension OneRelation {
  /// Has the relation lead to a row.
  fileprivate func link(key: StoredKey, _ object: Target?) {
    with { state in
      state.key = key
      state.take(object)
    }
  }
}
