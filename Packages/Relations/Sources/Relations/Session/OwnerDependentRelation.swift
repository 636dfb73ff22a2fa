/// A relation that depends on other values of its owner.
protocol OwnerDependentRelation: AnyRelation {
  /// Updates the relation from the owner's current row.
  func updateOwnerRow(_ row: any Table, isUnsaved: Bool)
}

extension [any AnyRelation] {
  /// Updates the relations that depend on their owner's row.
  func updateOwnerRow(_ row: any Table, isUnsaved: Bool) {
    for case let relation as any OwnerDependentRelation in self {
      relation.updateOwnerRow(row, isUnsaved: isUnsaved)
    }
  }
}

extension ModelSession {
  /// Updates the relations of a model that depend on its row.
  func updateOwnerRow(_ model: some Model) {
    let row = model.value
    guard let metadata = try? TableMetadata.of(type(of: row)),
      metadata.relations.values.contains(where: { $0 is any OwnerDependentRelation }),
      let relations = try? RelationList.of(row)
    else { return }
    relations.updateOwnerRow(row, isUnsaved: isNew(model))
  }
}

extension RelationOwner {
  /// The owner's current row; `nil` if the owner is not an instance.
  var row: (any Table)? { model.map { Self.row(of: $0) } }

  private static func row(of model: some Model) -> any Table { model.value }
}
