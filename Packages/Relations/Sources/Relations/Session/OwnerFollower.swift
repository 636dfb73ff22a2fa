/// A relation that depends on other values of its owner.
protocol OwnerFollower: AnyRelation {
  /// Takes note of what the owner's row is by now.
  func noteOwner(_ row: any Table, isUnsaved: Bool)
}

extension [any AnyRelation] {
  /// Tells those that depend on it what their owner's row is by now.
  func noteOwner(_ row: any Table, isUnsaved: Bool) {
    for case let follower as any OwnerFollower in self {
      follower.noteOwner(row, isUnsaved: isUnsaved)
    }
  }
}

extension ModelSession {
  /// Tells relations of a model what its row is by now.
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
  /// The owner's row as it is here; `nil` where the owner is no instance.
  var row: (any Table)? { model.map { Self.row(of: $0) } }

  private static func row(of model: some Model) -> any Table { model.value }
}
