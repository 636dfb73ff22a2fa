/// A relation that depends on other values of its owner.
protocol OwnerFollower: AnyRelation {
  /// Updates the relation from the owner's current row.
  func noteOwner(_ row: any Table, isUnsaved: Bool)
}

extension [any AnyRelation] {
  /// Updates the relations that depend on their owner's row.
  func noteOwner(_ row: any Table, isUnsaved: Bool) {
    for case let follower as any OwnerFollower in self {
      follower.noteOwner(row, isUnsaved: isUnsaved)
    }
  }
}

extension ModelSession {
  /// Updates the relations of a model that depend on its row.
  func noteOwner(_ model: some Model) {
    let row = model.value
    guard let shape = try? TableMetadata.of(type(of: row)),
      shape.relations.values.contains(where: { $0 is any OwnerFollower }),
      let relations = try? RelationList.of(row)
    else { return }
    relations.noteOwner(row, isUnsaved: isNew(model))
  }
}

extension RelationOwner {
  /// The owner's current row; `nil` if the owner is not an instance.
  var row: (any Table)? { model.map { Self.row(of: $0) } }

  private static func row(of model: some Model) -> any Table { model.value }
}
