internal import SQLiteCore

// Lists, and the rows that are in them.
extension SaveBuilder {
  // MARK: Lists

  mutating func save(
    lists relations: [any AnyRelation], of owner: RelationOwner, _ shape: TableMetadata,
    _ place: Int?
  ) throws {
    let isNumbered = place.map { plan.isNumbered($0) } ?? false
    for (property, relation) in zip(shape.relationNames, relations) {
      guard let list = relation.asList, list.isChanged else { continue }
      let key = isNumbered ? nil : owner.currentKey
      try list.save(
        ListOwner(owner: owner, shape: shape, property: property, key: key, write: place), &self)
    }
  }

  /// Adds what is changed of a list of links.
  ///
  /// - Parameter completion: Is told what has become of the list.
  mutating func add(
    _ write: LinkWrite, _ completion: @escaping (LinkChanges, SaveResult) -> Void
  ) {
    let index = plan.links.count
    plan.links.append(write)
    completions.append { result in
      if result.lists.indices.contains(index) { completion(result.lists[index], result) }
    }
  }

  mutating func add(_ delete: LinkDelete) {
    plan.deletes.append(delete)
    note(delete.shape)
  }

  /// Adds a row that is a link.
  ///
  /// - Returns: Its key; empty where SQLite makes it.
  mutating func addLink(_ link: some Table) throws -> [SQLiteValue] {
    let added = try add(value: link)
    return plan.isNumbered(added.step) ? [] : added.row.id.keyValues
  }

  /// Adds a model, unless it is as its row.
  ///
  /// - Returns: The step that makes its key; `nil` where it has one.
  mutating func addWithWrite(_ model: some Model) throws -> Int? {
    try add(model)
    return places[ObjectIdentifier(model)].flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Has something be done once all is committed.
  mutating func whenDone(_ completion: @escaping (SaveResult) -> Void) {
    completions.append(completion)
  }
}
