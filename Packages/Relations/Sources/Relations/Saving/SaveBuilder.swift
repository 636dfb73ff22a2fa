internal import SQLiteCore

/// Finds out what is to be written so that models are saved, with all that is new and that they need.
///
/// It looks at the models, on the actor of whoever saves them; what it has made of them goes to the writer.
struct SaveBuilder {
  let session: ModelSession
  private(set) var plan = SavePlan()
  /// What is done once all is committed, with the keys that SQLite has made.
  private(set) var completions: [(SaveResult) -> Void] = []
  /// The types whose tables are written.
  private(set) var types: [any Table.Type] = []
  /// The write of each model.
  private var places: [ObjectIdentifier: Int] = [:]
  /// In the place of a write: what the model needs is being added, or nothing of it is written.
  private static let beingAdded = -1, notWritten = -2
  private var bindings: [ObjectIdentifier: RowValues] = [:]

  /// When it was found what is to be written.
  private let moment: UInt64

  init(_ session: ModelSession) {
    self.session = session
    moment = session.clock.now
  }

  // MARK: Models

  /// Adds a model, unless it is as its row.
  mutating func add(_ model: some Model) throws {
    guard places[ObjectIdentifier(model)] == nil else { return }
    let map = session.identities(of: type(of: model))
    if map.entry(of: model)?.isDeleted == true { map.forget(model) }
    if map.entry(of: model) == nil {
      if model.value.id.isUnset, let made = type(of: model).Value.ID.make() {
        model.value.id = made
      }
      try map.add(model, in: session)
    }
    guard let entry = map.entry(of: model) else { return }
    guard !entry.isGone else {
      throw RelationError(
        .missingRow, "the row is gone", table: type(of: model).Value.tableName,
        key: entry.savedKey?.literal)
    }
    let shape = try TableShape.of(type(of: model).Value.self)
    note(shape)
    places[ObjectIdentifier(model)] = Self.beingAdded
    let relations = shape.relations.isEmpty ? [] : try RelationList.of(model.value)
    for case let one as any AnyOneRelation in relations {
      if let other = one.loadedModel, session.isNew(other) { try add(other) }
    }
    if entry.saved == nil {
      try insert(model, shape, relations)
    } else {
      try update(model, shape, entry, relations)
    }
    let place = places[ObjectIdentifier(model)].flatMap {
      plan.writes.indices.contains($0) ? $0 : nil
    }
    let owner = RelationOwner(
      session: session, type: shape.type, key: model.value.id, model: model)
    try save(lists: relations, of: owner, shape, place)
  }

  private mutating func insert<M: Model>(
    _ model: M, _ shape: TableShape, _ relations: [any AnyRelation]
  ) throws {
    var row = model.value
    var write = RowWrite(
      shape: shape, deed: .insert, values: try binding(shape).values(of: row), key: [])
    let isNumbered = row.id.isUnset
    if isNumbered {
      guard M.ID.isMadeBySQLite else {
        throw RelationError(
          .invalidKey, "the key of the row is not set", table: shape.table,
          column: shape.keyNames.first)
      }
      write.isNumbered = true
      write.values[shape.key[0]] = .null
    }
    let place = plan.writes.count
    let late = borrowKeys(for: &write, relations)
    plan.writes.append(write)
    places[ObjectIdentifier(model)] = place
    postpone(late, shape, place: isNumbered ? place : nil, row.id.keyValues)
    noteWhenSaved(relations)
    let map = session.identities(of: M.self)
    let (session, moment) = (session, moment)
    completions.append { made in
      if let rowID = made.keys[place], let id = M.ID(madeBySQLite: rowID) {
        row.id = id
      }
      map.noteSaved(model, row, relations, plannedAt: moment, in: session)
      relations.noteOwner(model.value, isUnsaved: false)
    }
  }

  private mutating func update<M: Model>(
    _ model: M, _ shape: TableShape, _ entry: IdentityMap<M>.Entry, _ relations: [any AnyRelation]
  ) throws {
    let binding = binding(shape)
    guard let key = entry.savedKey?.keyValues, let old = try entry.savedValues(shape, binding)
    else { return }
    let row = model.value
    // A key that was changed is changed in the table, and those that refer to it follow.
    guard !row.id.isUnset else {
      throw RelationError(
        .invalidKey, "the key of the row was taken away", table: shape.table,
        key: entry.savedKey?.literal)
    }
    if key != row.id.keyValues {
      let session = session
      keyNotes.append {
        for map in session.allIdentities { map.noteKeyChange(M.Value.self, key, row.id) }
      }
    }
    let values = try binding.values(of: row)
    var write = RowWrite(shape: shape, deed: .update([]), values: values, key: key)
    let late = borrowKeys(for: &write, relations)
    let borrowed = Set(write.borrowed.map(\.column))
    let changed = values.indices.filter { values[$0] != old[$0] || borrowed.contains($0) }
    if !changed.isEmpty {
      plan.writes.append(
        RowWrite(
          shape: shape, deed: .update(changed), values: values, key: write.key,
          borrowed: write.borrowed))
    }
    places[ObjectIdentifier(model)] = changed.isEmpty ? Self.notWritten : plan.writes.count - 1
    postpone(late, shape, place: nil, row.id.keyValues)
    noteWhenSaved(relations)
    let map = session.identities(of: M.self)
    let (session, moment) = (session, moment)
    completions.append { _ in
      map.noteSaved(model, row, relations, plannedAt: moment, in: session)
      relations.noteOwner(model.value, isUnsaved: false)
    }
  }

  /// Has the keys be noted that relations have now, and not those that they get while it is saved.
  private mutating func noteWhenSaved(_ relations: [any AnyRelation]) {
    for case let one as any AnyOneRelation in relations { notes.append(one.noteWhenSaved()) }
  }

  /// What is done when all rows have their keys.
  private var notes: [() -> Void] = []
  /// What is done after that: references follow keys that were changed.
  private var keyNotes: [() -> Void] = []

  // MARK: Keys that are not known yet

  /// - Returns: The columns whose keys are made after the row is written: it is in a circle.
  private func borrowKeys(
    for write: inout RowWrite, _ relations: [any AnyRelation]
  ) -> [(column: Int, model: ObjectIdentifier)] {
    var late: [(column: Int, model: ObjectIdentifier)] = []
    for (name, relation) in zip(write.shape.relationNames, relations) {
      guard let one = relation as? any AnyOneRelation, let other = one.loadedModel,
        let column = write.shape.place(of: name), let place = places[ObjectIdentifier(other)]
      else { continue }
      if place == Self.beingAdded {
        if Self.hasNoKey(other) { late.append((column, ObjectIdentifier(other))) }
      } else if place >= 0, plan.writes[place].isNumbered {
        write.borrowed.append(RowWrite.Borrowed(column: column, write: place))
      }
      if Self.hasNoKey(other) { write.values[column] = .null }
    }
    return late
  }

  private static func hasNoKey(_ model: some Model) -> Bool { model.value.id.isUnset }

  private var postponed: [(column: Int, model: ObjectIdentifier, write: RowWrite)] = []

  private mutating func postpone(
    _ late: [(column: Int, model: ObjectIdentifier)], _ shape: TableShape, place: Int?,
    _ key: [SQLiteValue]
  ) {
    for (column, model) in late {
      let values = [SQLiteValue](repeating: .null, count: shape.columns.count)
      let write = RowWrite(
        shape: shape, deed: .update([column]), values: values, key: key, keyWrite: place)
      postponed.append((column, model, write))
    }
  }

  /// Adds what could be added only when all else was.
  mutating func finish() {
    for (column, model, write) in postponed {
      guard let place = places[model] else { continue }
      var write = write
      write.borrowed = [RowWrite.Borrowed(column: column, write: place)]
      plan.writes.append(write)
    }
    postponed = []
    for note in notes { completions.append { _ in note() } }
    notes = []
    for note in keyNotes { completions.append { _ in note() } }
    keyNotes = []
  }

  // MARK: Values

  /// Adds a row that is a value: it is inserted, or takes the place of the one with its key.
  ///
  /// - Returns: The number of the write, and the row with its key if that is known.
  mutating func add<Row: Table>(value row: Row) throws -> (write: Int, row: Row) {
    var row = row
    let shape = try TableShape.of(Row.self)
    note(shape)
    let relations = shape.relations.isEmpty ? [] : try RelationList.of(row)
    for case let one as any AnyOneRelation in relations {
      if let other = one.loadedModel, session.isNew(other) { try add(other) }
    }
    var isNew = row.id.isUnset
    if isNew, let made = Row.ID.make() { row.id = made }
    var write = RowWrite(
      shape: shape, deed: isNew ? .insert : .upsert, values: try binding(shape).values(of: row),
      key: row.id.keyValues)
    isNew = row.id.isUnset
    if isNew {
      guard Row.ID.isMadeBySQLite else {
        throw RelationError(
          .invalidKey, "the key of the row is not set", table: shape.table,
          column: shape.keyNames.first)
      }
      write.isNumbered = true
      write.values[shape.key[0]] = .null
    }
    _ = borrowKeys(for: &write, relations)
    plan.writes.append(write)
    noteWhenSaved(relations)
    let place = plan.writes.count - 1
    let saved = row
    completions.append { [session] made in
      var key = saved.id
      if let rowID = made.keys[place], let id = Row.ID(madeBySQLite: rowID) { key = id }
      relations.attach(RelationOwner(session: session, type: Row.self, key: key))
    }
    let owner = RelationOwner(session: session, type: Row.self, key: row.id)
    try save(lists: relations, of: owner, shape, place)
    return (place, row)
  }

  // MARK: Lists

  private mutating func save(
    lists relations: [any AnyRelation], of owner: RelationOwner, _ shape: TableShape, _ place: Int?
  ) throws {
    let isNumbered = place.map { plan.writes[$0].isNumbered } ?? false
    for (property, relation) in zip(shape.relationNames, relations) {
      guard let list = relation as? any AnyManyRelation, list.isChanged else { continue }
      let key = isNumbered ? nil : owner.currentKey
      try list.save(
        ListOwner(owner: owner, shape: shape, property: property, key: key, write: place), &self)
    }
  }

  /// Adds what is changed of a list of links.
  ///
  /// - Parameter completion: Is given the links as they are by then.
  mutating func add(
    _ write: LinkWrite, _ completion: @escaping ([StoredLink], SaveResult) -> Void
  ) {
    plan.links.append(write)
    plan.lists.append(
      StoredLinks(table: write.table, owner: write.owner, ownerWrite: write.ownerWrite))
    let index = plan.lists.count - 1
    completions.append { result in
      completion(result.lists.isEmpty ? [] : result.lists[index], result)
    }
  }

  mutating func add(_ delete: LinkDelete) {
    plan.deletes.append(delete)
    if let type = plan.deletes.last?.shape.type, !types.contains(where: { $0 == type }) {
      types.append(type)
    }
  }

  /// Adds a row that is a link.
  ///
  /// - Returns: Its key; empty where SQLite makes it.
  mutating func addLink(_ link: some Table) throws -> [SQLiteValue] {
    let added = try add(value: link)
    return plan.writes[added.write].isNumbered ? [] : added.row.id.keyValues
  }

  /// Adds a model, unless it is as its row.
  ///
  /// - Returns: The write that makes its key; `nil` where it has one.
  mutating func addWithWrite(_ model: some Model) throws -> Int? {
    try add(model)
    return places[ObjectIdentifier(model)].flatMap { plan.writes.indices.contains($0) ? $0 : nil }
  }

  /// Has something be done once all is committed.
  mutating func whenDone(_ completion: @escaping (SaveResult) -> Void) {
    completions.append(completion)
  }

  // MARK: Tools

  private mutating func note(_ shape: TableShape) {
    if !types.contains(where: { $0 == shape.type }) { types.append(shape.type) }
  }

  private mutating func binding(_ shape: TableShape) -> RowValues {
    if let known = bindings[ObjectIdentifier(shape)] { return known }
    let made = shape.makeBinding()
    bindings[ObjectIdentifier(shape)] = made
    return made
  }
}

extension TableShape {
  func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}
