internal import SQLiteCore

/// A list of any row type.
protocol AnyManyRelation: AnyRelation {
  /// The session of the owner.
  var session: ModelSession? { get }

  /// Adds the list's changes to a save.
  func save(_ owner: ListOwner, _ unitOfWork: inout UnitOfWork) throws

  /// Records that the owner is new and has no rows.
  func markOwnerNew()

  /// Records that a save has ended, whether it was committed or not.
  func endSave()

  /// Records that rows of any table were deleted.
  func applyDeletion(_ type: any Table.Type, _ deletedKeys: KeyMap<Void>, at revision: UInt64)
}

/// The owner of a list to save.
struct ListOwner {
  let owner: RelationOwner
  let metadata: TableMetadata
  /// The property of the list.
  let property: String
  /// The owner's key; `nil` if ``step`` generates it.
  let key: [SQLiteValue]?
  let step: Int?
}

extension ManyRelation: AnyManyRelation {
  var asToManyRelation: (any AnyManyRelation)? { self }

  func save(_ owner: ListOwner, _ unitOfWork: inout UnitOfWork) throws {
    // Apply the changes that have been received from other connections.
    applyPendingRefresh()
    let state = with { state in
      state.numberElements()
      state.schedule.beginSave()
      return state
    }
    unitOfWork.lists.append(self)
    let all = state.elements + state.tail
    let added = all.indices.filter { all[$0].position == nil }
    switch kind {
    case .inverse(let inverse, _):
      for place in added { try add(all[place].object, inverse, owner, &unitOfWork) }
      let numbers = Set(added.map { all[$0].number })
      unitOfWork.addCommitHandler { _ in self.recordSave(numbers) }
    case .path(_, _, let links):
      guard let links else {
        throw RelationError(
          .readOnlyRelation, "the list is read through other tables and can't be changed",
          table: owner.metadata.table, column: owner.property)
      }
      try save(links, all, added, removed: state.removedLinks, owner, &unitOfWork)
    case .links(let onDeleteTarget):
      var steps: [Int: Int] = [:]
      for place in added { steps[all[place].number] = try add(all[place].object, &unitOfWork) }
      let table = LinkTable(
        owner: owner.metadata, property: owner.property, target: Target.Row.self,
        onDeleteTarget: onDeleteTarget)
      let write = LinkWrite(state, table, owner, steps)
      let saved = SavedList(
        state, steps, isChecked: try TableMetadata.of(Target.Row.self).deleted == nil)
      unitOfWork.add(write) { changes, result in self.recordSave(saved, changes, result) }
    }
  }

  // MARK: Rows

  /// Adds a row that was added to the list, if the row is new.
  ///
  /// - Returns: The step that generates its key; `nil` if it has a key.
  private func add(_ object: Target, _ unitOfWork: inout UnitOfWork) throws -> Int? {
    if let model = object as? any Model { return try unitOfWork.addReturningStep(model) }
    // A value with a key has been saved before, or is saved by the code that set the key.
    guard object.id.isUnset else { return nil }
    return try unitOfWork.add(value: object.row).step
  }

  private func add(
    _ object: Target, _ inverse: any InverseRelation<Target>, _ owner: ListOwner,
    _ unitOfWork: inout UnitOfWork
  ) throws {
    if let model = object as? any Model {
      if owner.owner.model == nil { inverse.setOwner(of: object, owner.owner, isNew: true) }
      try unitOfWork.add(model)
    } else {
      guard owner.key != nil else {
        throw RelationError(
          .invalidKey, "the row has no key yet: save it before rows are added to its lists",
          table: owner.metadata.table, column: owner.property)
      }
      inverse.setOwner(of: object, owner.owner, isNew: true)
      _ = try unitOfWork.add(value: object.row)
    }
  }

  // MARK: Links

  /// Adds the link rows to insert and to delete.
  private func save(
    _ links: LinkRows<Target>, _ all: [Element], _ added: [Int], removed: [[SQLiteValue]],
    _ owner: ListOwner, _ unitOfWork: inout UnitOfWork
  ) throws {
    let metadata = try TableMetadata.of(links.type)
    unitOfWork.deleteLinks(metadata, removed)
    var newKeys: [Int: [SQLiteValue]] = [:]
    for place in added {
      let object = all[place].object
      if let model = object as? any Model {
        try unitOfWork.add(model)
      } else if object.id.isUnset || owner.key == nil && owner.owner.model == nil {
        throw RelationError(
          .invalidKey, "values must be saved before they are linked",
          table: Target.Row.tableName)
      }
      let link = links.makeLink(all[place].newLink, owner.owner, object)
      newKeys[all[place].number] = try unitOfWork.addLink(link)
    }
    let keys = newKeys
    unitOfWork.addCommitHandler { _ in
      self.updateAfterSave { state in
        let deletedKeys = Set(removed)
        state.removedLinks.removeAll { deletedKeys.contains($0) }
        for (number, key) in keys.sorted(by: { $0.key < $1.key })
        where state.removedNumbers.remove(number) != nil && !key.isEmpty {
          state.removedLinks.append(key)
        }
        state.removeSavedTail(Set(keys.keys))
        for place in state.elements.indices {
          guard let key = keys[state.elements[place].number] else { continue }
          state.elements[place].position = 0
          state.elements[place].link = key
          state.elements[place].newLink = nil
        }
        // A link whose key SQLite generated is available after the next fetch.
        if keys.values.contains(where: \.isEmpty) { state.cursor = nil }
        state.updateIsChanged()
      }
    }
  }

  var session: ModelSession? { owner?.session }

  // MARK: After a save

  func markOwnerNew() {
    metadata { $0.isLoaded = true }
  }

  func endSave() { resume { $0.endSave() } }

  /// Updates the shown rows after a save. Rows that were received but not shown yet are read again.
  private func updateAfterSave(_ body: (inout State) -> Void) {
    let revision = session?.clock.tick()
    let (differs, missed) = with { state in
      let before = state.metadata.registrar.map { _ in
        (state.elements.map(\.object.id), state.hasMore)
      }
      state.preserveShownOrder()
      body(&state)
      if let revision { state.schedule.recordWrite(at: revision) }
      state.metadata.version += 1
      let differs = before.map { $0 != (state.elements.map(\.object.id), state.hasMore) } ?? false
      // The received rows may have been read before the commit.
      defer { state.pendingResult = nil }
      return (differs, state.pendingResult == nil ? nil : state.subscription)
    }
    missed?.requestRefresh(of: self)
    if differs { mutate {} }
  }

  private func recordSave(_ numbers: Set<Int>) {
    updateAfterSave { state in
      state.removeSavedTail(numbers)
      for place in state.elements.indices where numbers.contains(state.elements[place].number) {
        state.elements[place].position = 0
      }
      state.updateIsChanged()
    }
  }

  private func recordSave(_ saved: SavedList<Target>, _ changes: LinkChanges, _ result: FlushResult)
  {
    updateAfterSave { state in
      state.applySavedPositions(saved, changes, result)
      state.updateIsChanged()
    }
  }
}
