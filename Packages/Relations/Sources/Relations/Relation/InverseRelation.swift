internal import SQLiteCore

/// The to-one relation of a list's rows that leads back to the list's owner.
protocol InverseRelation<Target>: Sendable {
  associatedtype Target: TableModel

  /// The table of the list's owner.
  var ownerTable: any Table.Type { get }

  /// The columns of the rows that have the owner's key.
  func columns() throws -> [String]

  /// The relation of a row.
  func relation(of row: Target.Row) -> any AnyOneRelation

  /// Has a row be in the list of an owner, or in none.
  func setOwner(of target: Target, _ owner: RelationOwner?, isNew: Bool)

  /// Has rows that were read be in the list of an owner.
  ///
  /// - Returns: Those that are in it, and were not taken elsewhere here.
  func admit(_ targets: [Target], to owner: RelationOwner) -> [Target]
}

/// The same by its key path: a list is made for each row, and keeps no more of it than this.
struct InverseProperty<Target: TableModel, Owner: TableModel>: InverseRelation {
  let path: any KeyPath<Target.Row, OneRelation<Owner>> & Sendable

  var ownerTable: any Table.Type { Owner.Row.self }

  func columns() throws -> [String] { try ToOneProperty(path).columns() }

  func relation(of row: Target.Row) -> any AnyOneRelation { row[keyPath: path] }

  func setOwner(of target: Target, _ owner: RelationOwner?, isNew: Bool) {
    // A value that was fetched has its owner's key.
    if let owner, owner.model == nil, !isNew { return }
    target.row[keyPath: path].setListOwner(owner, isNew: isNew)
  }

  func admit(_ targets: [Target], to owner: RelationOwner) -> [Target] {
    // A value that was fetched has its owner's key.
    guard Target.self is any Model.Type else { return targets }
    let key = owner.currentStoredKey
    let model = owner.model == nil ? nil : owner
    var collation = KeyCollation.binary
    if case .other = key { collation = owner.session.keyCollation(of: owner.type) }
    let others = targets.indices.filter {
      !targets[$0].row[keyPath: path].isAdmitted(to: model, key, collation)
    }
    if others.isEmpty { return targets }
    let left = Set(others)
    return targets.indices.filter { !left.contains($0) }.map { targets[$0] }
  }
}
