internal import SQLiteCore

/// A list of any row type.
protocol AnyManyRelation: AnyRelation {
  /// The session of the owner.
  var session: ModelSession? { get }

  /// Adds the list's changes to a save.
  func save(_ owner: ListOwner, _ builder: inout SaveBuilder) throws

  /// Records that the owner is new and has no rows.
  func noteNewOwner()

  /// Records that a save has ended, whether it was committed or not.
  func endSave()

  /// Records that rows of any table were deleted.
  func noteDeleted(_ type: any Table.Type, _ gone: KeyGroup, at moment: UInt64)
}

/// The owner of a list to save.
struct ListOwner {
  let owner: RelationOwner
  let shape: TableMetadata
  /// The property of the list.
  let property: String
  /// The owner's key; `nil` if the step ``write`` generates it.
  let key: [SQLiteValue]?
  let write: Int?
}

extension ManyRelation: AnyManyRelation {
  var asList: (any AnyManyRelation)? { self }

  func save(_ owner: ListOwner, _ builder: inout SaveBuilder) throws {
    // Apply the changes that have been received from other connections.
    absorb()
    let state = with { state in
      state.numberElements()
      state.schedule.beginSave()
      return state
    }
    builder.lists.append(self)
    let all = state.elements + state.tail
    let added = all.indices.filter { all[$0].position == nil }
    switch kind {
    case .inverse(let inverse, _):
      for place in added { try add(all[place].object, inverse, owner, &builder) }
      let numbers = Set(added.map { all[$0].number })
      builder.whenDone { _ in self.noteSaved(numbers) }
    case .path(_, _, let links):
      guard let links else {
        throw RelationError(
          .readOnlyRelation, "the list is read through other tables and can't be changed",
          table: owner.shape.table, column: owner.property)
      }
      try save(links, all, added, removed: state.removedLinks, owner, &builder)
    case .links(let rules):
      var writes: [Int: Int] = [:]
      for place in added { writes[all[place].number] = try add(all[place].object, &builder) }
      let table = LinkTable(
        owner: owner.shape, property: owner.property, target: Target.Row.self, rules: rules)
      let write = LinkWrite(state, table, owner, writes)
      let saved = SavedList(
        state, writes, isChecked: try TableMetadata.of(Target.Row.self).deleted == nil)
      builder.add(write) { changes, result in self.noteSaved(saved, changes, result) }
    }
  }

  // MARK: Rows

  /// Adds a row that was added to the list, if the row is new.
  ///
  /// - Returns: The step that generates its key; `nil` if it has a key.
  private func add(_ object: Target, _ builder: inout SaveBuilder) throws -> Int? {
    if let model = object as? any Model { return try builder.addWithWrite(model) }
    // A value with a key has been saved before, or is saved by the code that set the key.
    guard object.id.isUnset else { return nil }
    return try builder.add(value: object.row).step
  }

  private func add(
    _ object: Target, _ inverse: any InverseRelation<Target>, _ owner: ListOwner,
    _ builder: inout SaveBuilder
  ) throws {
    if let model = object as? any Model {
      if owner.owner.model == nil { inverse.setOwner(of: object, owner.owner, isNew: true) }
      try builder.add(model)
    } else {
      guard owner.key != nil else {
        throw RelationError(
          .invalidKey, "the row has no key yet: save it before rows are added to its lists",
          table: owner.shape.table, column: owner.property)
      }
      inverse.setOwner(of: object, owner.owner, isNew: true)
      _ = try builder.add(value: object.row)
    }
  }

  // MARK: Links

  /// Adds the link rows to insert and to delete.
  private func save(
    _ links: LinkRows<Target>, _ all: [Element], _ added: [Int], removed: [[SQLiteValue]],
    _ owner: ListOwner, _ builder: inout SaveBuilder
  ) throws {
    let shape = try TableMetadata.of(links.type)
    for key in removed { builder.add(LinkDelete(shape: shape, key: key)) }
    var made: [Int: [SQLiteValue]] = [:]
    for place in added {
      let object = all[place].object
      if let model = object as? any Model {
        try builder.add(model)
      } else if object.id.isUnset || owner.key == nil && owner.owner.model == nil {
        throw RelationError(
          .invalidKey, "values must be saved before they are linked",
          table: Target.Row.tableName)
      }
      let link = links.make(all[place].newLink, owner.owner, object)
      made[all[place].number] = try builder.addLink(link)
    }
    let keys = made
    builder.whenDone { _ in
      self.noteChanged { state in
        let gone = Set(removed)
        state.removedLinks.removeAll { gone.contains($0) }
        for (number, key) in keys.sorted(by: { $0.key < $1.key })
        where state.removedNumbers.remove(number) != nil && !key.isEmpty {
          state.removedLinks.append(key)
        }
        state.noteSavedTail(Set(keys.keys))
        for place in state.elements.indices {
          guard let key = keys[state.elements[place].number] else { continue }
          state.elements[place].position = 0
          state.elements[place].link = key
          state.elements[place].newLink = nil
        }
        // A link whose key SQLite generated is available after the next fetch.
        if keys.values.contains(where: \.isEmpty) { state.cursor = nil }
        state.noteWhetherChanged()
      }
    }
  }

  var session: ModelSession? { owner?.session }

  // MARK: After a save

  func noteNewOwner() {
    metadata { $0.isLoaded = true }
  }

  func endSave() { resume { $0.endSave() } }

  /// Updates the shown rows after a save. Rows that a subscription has read before are read again.
  private func noteChanged(_ body: (inout State) -> Void) {
    let moment = session?.clock.tick()
    let (isOther, missed) = with { state in
      let before = state.metadata.registrar.map { _ in
        (state.elements.map(\.object.id), state.hasMore)
      }
      state.keepShown()
      body(&state)
      if let moment { state.schedule.noteWrite(at: moment) }
      state.metadata.version += 1
      let isOther = before.map { $0 != (state.elements.map(\.object.id), state.hasMore) } ?? false
      // The received rows may have been read before the commit.
      defer { state.life.arrived = nil }
      return (isOther, state.life.arrived == nil ? nil : state.follower)
    }
    missed?.touch(self)
    if isOther { mutate {} }
  }

  private func noteSaved(_ numbers: Set<Int>) {
    noteChanged { state in
      state.noteSavedTail(numbers)
      for place in state.elements.indices where numbers.contains(state.elements[place].number) {
        state.elements[place].position = 0
      }
      state.noteWhetherChanged()
    }
  }

  private func noteSaved(_ saved: SavedList<Target>, _ changes: LinkChanges, _ result: SaveResult) {
    noteChanged { state in
      state.take(saved, changes, result)
      state.noteWhetherChanged()
    }
  }
}
