internal import SQLiteCore

extension ManyRelation {
  /// Fetches the first rows, or those behind the ones that were fetched.
  ///
  /// What was changed here and is not saved yet stays. Where there are no more, it does nothing but find that out.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where the list is no property of a row that a session
  ///   has made or fetched; `SQLiteError`.
  public func fetch() async throws {
    let (owner, query) = try await prepared()
    let (isLoaded, count, after) = with { ($0.isLoaded, $0.elements.count, $0.lastPosition) }
    guard let key = owner.currentKey.first, !owner.isUnsaved else { return markEmpty() }
    let page = isLoaded ? limit : initial
    if case .links = kind {
      let found = try await read(owner.session, query, key, page + 1, after: isLoaded ? after : nil)
      add(found, page, owner)
    } else {
      let wanted = isLoaded ? count + page : page
      let found = try await read(owner.session, query, key, wanted + 1, after: nil)
      replace(found, wanted, owner)
    }
  }

  /// How many rows there are in the database.
  ///
  /// - Throws: As ``fetch()``.
  public func totalCount() async throws -> Int {
    let (owner, query) = try await prepared()
    guard let key = owner.currentKey.first, !owner.isUnsaved else { return 0 }
    return try await owner.session.database.read { connection in
      try connection.value(Int.self, query.countSQL, key) ?? 0
    }
  }

  /// Whose list it is, and how it is read.
  func prepared() async throws -> (owner: RelationOwner, query: ListQuery<Target>) {
    let (owner, property) = with { ($0.owner, $0.property) }
    guard let owner, let property else {
      throw RelationError(
        .noOwner, "the list belongs to no row that was made or fetched",
        table: Target.Row.tableName)
    }
    try await owner.session.prepare(Target.Row.self)
    try await owner.session.prepare(owner.type)
    return (owner, try query(owner.type, property))
  }

  func query(_ owner: any Table.Type, _ property: String) throws -> ListQuery<Target> {
    let shape = try TableShape.of(Target.Row.self)
    switch kind {
    case .inverse(let inverse, let order):
      return ListQuery(
        source: .inverse(column: try inverse.column(), order: order), shape: shape)
    case .links(let rules):
      let links = LinkTable(
        owner: try TableShape.of(owner), property: property, target: Target.Row.self, rules: rules)
      return ListQuery(source: .links(links), shape: shape)
    }
  }

  private func read(
    _ session: ModelSession, _ query: ListQuery<Target>, _ key: SQLiteValue, _ limit: Int,
    after position: Int64?
  ) async throws -> [ListQuery<Target>.Found] {
    try await session.database.read { connection in
      try query.read(connection, [key], limit: limit, after: position).first ?? []
    }
  }

  /// Notes that the owner has no row yet, and so none that refer to it.
  func markEmpty() {
    with { state in
      state.isLoaded = true
      state.hasAppended = false
    }
  }

  /// Instances of rows, which know the owner where they refer to it.
  func elements(_ found: [ListQuery<Target>.Found], _ owner: RelationOwner) -> [Element] {
    found.map { found in
      let object = Target.instance(of: found.fetched, in: owner.session)
      if case .inverse(let inverse, _) = kind { inverse.setOwner(object, owner, false) }
      return Element(position: found.position, object: object)
    }
  }

  /// Adds a page of links behind those that were fetched, and before what was added here.
  private func add(_ found: [ListQuery<Target>.Found], _ page: Int, _ owner: RelationOwner) {
    let new = elements(Array(found.prefix(page)), owner)
    with { state in
      let removed = Set(state.removed)
      let place = (state.elements.lastIndex { $0.position != nil } ?? -1) + 1
      let kept = new.filter { $0.position.map { !removed.contains($0) } ?? true }
      state.elements.insert(contentsOf: kept, at: state.isLoaded ? place : 0)
      state.lastPosition = new.last?.position ?? state.lastPosition
      state.hasUnfetched = found.count > page
      state.isLoaded = true
      state.hasAppended = false
      state.showTail()
    }
  }

  /// Takes all rows anew, but for what was changed here.
  private func replace(_ found: [ListQuery<Target>.Found], _ wanted: Int, _ owner: RelationOwner) {
    guard case .inverse(let inverse, _) = kind else { return }
    let key = owner.currentKey.first
    let shown = found.prefix(wanted).map { found in
      let object = Target.instance(of: found.fetched, in: owner.session)
      let relation = inverse.relation(object.row)
      // One that was moved elsewhere here is no longer in the list.
      if !relation.isChanged { inverse.setOwner(object, owner, false) }
      return (object, relation.columnValue == key)
    }
    let objects = shown.filter(\.1).map(\.0)
    with { state in
      let present = Set(objects.map(\.id))
      let added = state.elements.filter { $0.position == nil && !present.contains($0.object.id) }
      state.elements = objects.map { Element(position: 0, object: $0) } + added
      state.hasUnfetched = found.count > wanted
      state.isLoaded = true
      state.hasAppended = false
      state.showTail()
    }
  }

  /// Takes the rows that were loaded together with those of others.
  ///
  /// - Parameter limit: The most that were to be read; one more was asked for.
  func setLoaded(_ found: [ListQuery<Target>.Found], limit: Int?, _ owner: RelationOwner) {
    if case .inverse = kind {
      replace(found, limit ?? found.count, owner)
    } else {
      with { state in
        state.elements.removeAll { $0.position != nil }
        state.isLoaded = false
      }
      add(found, limit ?? found.count, owner)
    }
  }
}

extension ManyRelation.State {
  /// What was appended is shown as soon as all before it is there.
  fileprivate mutating func showTail() {
    guard !hasUnfetched else { return }
    elements += tail.map { ManyRelation<Target>.Element(object: $0) }
    tail = []
  }
}

extension ListQuery {
  /// Counts the rows of one owner.
  var countSQL: String {
    switch source {
    case .links(let links): "SELECT count(*) FROM \(links.quoted) WHERE owner = ?"
    case .inverse(let column, _):
      "SELECT count(*) FROM \(SQLName.quoted(shape.table)) WHERE \(SQLName.quoted(column)) = ?"
    }
  }
}

extension RelationOwner {
  /// Whether the owner is an instance that has no row yet.
  var isUnsaved: Bool { model.map { session.isNew($0) } ?? false }
}
