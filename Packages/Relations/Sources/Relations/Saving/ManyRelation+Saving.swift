internal import SQLiteCore

/// Lists whatever their rows are.
protocol AnyManyRelation: AnyRelation {
  /// The session of the owner.
  var session: ModelSession? { get }

  /// Adds what is to be written so that the list is saved.
  func save(_ owner: ListOwner, _ builder: inout SaveBuilder) throws

  /// Notes that the owner is new: it has no rows.
  func noteNewOwner()

  /// Notes that rows were deleted, of whatever table.
  func noteDeleted(_ type: any Table.Type, _ keys: [[SQLiteValue]])
}

/// Whose list is saved.
struct ListOwner {
  let owner: RelationOwner
  let shape: TableShape
  /// The list.
  let property: String
  /// The owner's key; `nil` where ``write`` makes it.
  let key: [SQLiteValue]?
  let write: Int?
}

extension ManyRelation: AnyManyRelation {
  func save(_ owner: ListOwner, _ builder: inout SaveBuilder) throws {
    let state = with { $0 }
    let all = state.elements + state.tail
    let added = all.indices.filter { all[$0].position == nil }
    switch kind {
    case .inverse(let inverse, _):
      for place in added { try add(all[place].object, inverse, owner, &builder) }
      builder.whenDone { _ in self.noteSaved() }
    case .path(_, _, let links):
      guard let links else {
        throw RelationError(
          .readOnlyRelation, "the list is read by way of others, and can't be changed",
          table: owner.shape.table, column: owner.property)
      }
      try save(links, all, added, removed: state.removedLinks, owner, &builder)
    case .links(let rules):
      var writes: [Int: Int] = [:]
      for place in added { writes[place] = try add(all[place].object, &builder) }
      let table = LinkTable(
        owner: owner.shape, property: owner.property, target: Target.Row.self, rules: rules)
      let write = LinkWrite(
        table: table, owner: owner.key, ownerWrite: owner.write, removed: state.removed,
        runs: runs(all, writes))
      builder.add(write) { links, made in
        self.noteSaved(links, made, all, writes, removed: state.removed)
      }
    }
  }

  // MARK: Rows

  /// Adds a row that was added to the list, if it is new.
  ///
  /// - Returns: The write that makes its key, where it has none.
  private func add(_ object: Target, _ builder: inout SaveBuilder) throws -> Int? {
    if let model = object as? any Model { return try builder.addWithWrite(model) }
    // A value that has a key was saved before, or is saved by whoever gave it that.
    guard object.id.isUnset else { return nil }
    return try builder.add(value: object.row).step
  }

  private func add(
    _ object: Target, _ inverse: InverseRelation<Target>, _ owner: ListOwner,
    _ builder: inout SaveBuilder
  ) throws {
    if let model = object as? any Model {
      if owner.owner.model == nil { inverse.setOwner(object, owner.owner, true) }
      try builder.add(model)
    } else {
      guard owner.key != nil else {
        throw RelationError(
          .invalidKey, "the row has no key yet: save it before rows are added to its lists",
          table: owner.shape.table, column: owner.property)
      }
      inverse.setOwner(object, owner.owner, true)
      _ = try builder.add(value: object.row)
    }
  }

  // MARK: Links

  private func runs(_ all: [Element], _ writes: [Int: Int]) -> [LinkWrite.Run] {
    var runs: [LinkWrite.Run] = []
    var run: [LinkWrite.Element] = []
    for (place, element) in all.enumerated() {
      if let position = element.position {
        if !run.isEmpty { runs.append(LinkWrite.Run(before: position, elements: run)) }
        run = []
      } else if element.object.id.isUnset {
        run.append(LinkWrite.Element(write: writes[place]))
      } else {
        run.append(LinkWrite.Element(key: element.object.id.keyValues))
      }
    }
    if !run.isEmpty { runs.append(LinkWrite.Run(before: nil, elements: run)) }
    return runs
  }

  /// Adds the rows that become links, and those that are links no more.
  private func save(
    _ links: LinkRows<Target>, _ all: [Element], _ added: [Int], removed: [[SQLiteValue]],
    _ owner: ListOwner, _ builder: inout SaveBuilder
  ) throws {
    let shape = try TableShape.of(links.type)
    for key in removed { builder.add(LinkDelete(shape: shape, key: key)) }
    var made: [Int: [SQLiteValue]] = [:]
    for place in added {
      let object = all[place].object
      if let model = object as? any Model {
        try builder.add(model)
      } else if object.id.isUnset || owner.key == nil && owner.owner.model == nil {
        throw RelationError(
          .invalidKey, "rows that are values are saved before they are linked",
          table: Target.Row.tableName)
      }
      let link = links.make(all[place].newLink, owner.owner, object)
      made[place] = try builder.addLink(link)
    }
    let keys = made
    builder.whenDone { _ in
      self.with { state in
        let saved = Set(removed)
        state.removedLinks.removeAll { saved.contains($0) }
        state.noteSavedTail()
        for (place, key) in keys where state.elements.indices.contains(place) {
          state.elements[place].position = 0
          state.elements[place].link = key
          state.elements[place].newLink = nil
        }
        // A link whose key SQLite has made is known with the next fetch.
        if keys.values.contains(where: \.isEmpty) { state.cursor = nil }
        state.isChanged = state.elements.contains { $0.position == nil }
      }
    }
  }

  var session: ModelSession? { with { $0.owner?.session } }

  // MARK: Afterwards

  func noteNewOwner() { with { $0.isLoaded = true } }

  private func noteSaved() {
    with { state in
      state.isChanged = false
      state.noteSavedTail()
      for place in state.elements.indices { state.elements[place].position = 0 }
    }
  }

  /// Takes the positions that elements have by now. What others have added between them is left to the next fetch.
  private func noteSaved(
    _ links: [StoredLink], _ result: SaveResult, _ saved: [Element], _ writes: [Int: Int],
    removed: [Int64]
  ) {
    with { state in
      for (place, write) in writes where state.elements.indices.contains(place) {
        let object = state.elements[place].object
        guard !(object is any Model), object.id.isUnset else { continue }
        state.elements[place].object = Self.keyed(object, result.keys[write])
      }
      let isAsSaved =
        state.elements.count + state.tail.count == saved.count
        && zip(state.elements + state.tail, saved).allSatisfy {
          $0.position == $1.position && ($0.object.id == $1.object.id || $1.object.id.isUnset)
        }
      var next = 0
      var last: Int64?
      var used: Set<Int> = []
      var missed: [Int] = []
      for (index, element) in state.elements.enumerated() {
        let key = element.object.id.keyValues
        guard let place = links[next...].firstIndex(where: { $0.target == key }) else {
          missed.append(index)
          continue
        }
        next = place + 1
        used.insert(place)
        last = links[place].position
        state.elements[index].position = links[place].position
      }
      // Others have changed the order meanwhile, or taken them out: all that is here was written.
      for index in missed.reversed() where isAsSaved {
        let key = state.elements[index].object.id.keyValues
        if let place = links.indices.last(where: { links[$0].target == key && !used.contains($0) })
        {
          used.insert(place)
          state.elements[index].position = links[place].position
        } else {
          state.elements.remove(at: index)
        }
      }
      let gone = Set(removed)
      state.removed.removeAll { gone.contains($0) }
      if state.isLoaded, let last { state.cursor = [.integer(last)] }
      state.noteSavedTail()
      state.isChanged = !isAsSaved
    }
  }

  /// A value with the key that SQLite has made for it.
  private static func keyed(_ object: Target, _ rowID: Int64?) -> Target {
    guard let rowID, let id = Target.ID(madeBySQLite: rowID) else { return object }
    var row = object.row
    row.id = id
    return Target(row: row)
  }
}

extension ManyRelation.State {
  /// What was appended behind others that are yet to be fetched is found there.
  fileprivate mutating func noteSavedTail() {
    if tail.isEmpty { return }
    tail = []
    hasUnfetched = true
  }
}
