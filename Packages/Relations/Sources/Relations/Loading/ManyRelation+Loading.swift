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
    if owner.isUnsaved { return markEmpty() }
    try await follow(owner, query)
    absorb()
    let (isLoaded, count, cursor, version) = with {
      ($0.isLoaded, $0.elements.count, $0.cursor, $0.life.version)
    }
    defer { noteFetched(since: version) }
    let key = owner.currentKey
    let page = isLoaded ? limit : initial
    if with(\.life.hasUnshown) {
      let wanted = count + page
      let found = try await read(owner.session, query, key, wanted + 1, nil)
      setLoaded(found, limit: wanted, owner, linkKeys: query.linkKeyCount)
    } else if case .links = kind {
      let found = try await read(owner.session, query, key, page + 1, isLoaded ? cursor : nil)
      add(found, page, owner)
    } else if isLoaded, let cursor {
      let found = try await read(owner.session, query, key, page + 1, cursor)
      addPage(found, page, owner, linkKeys: query.linkKeyCount)
    } else {
      let wanted = isLoaded ? count + page : page
      let found = try await read(owner.session, query, key, wanted + 1, nil)
      replace(found, wanted, owner, linkKeys: query.linkKeyCount)
    }
  }

  /// Fetches anew what was fetched: as many rows from the list's beginning, or the first ones.
  ///
  /// Pages that were fetched before stay as they are while the database changes; this shows what has become of them.
  ///
  /// - Throws: As ``fetch()``.
  public func reload() async throws {
    let (owner, query) = try await prepared()
    if owner.isUnsaved { return markEmpty() }
    let version = with(\.life.version)
    defer { noteFetched(since: version) }
    let wanted = Swift.max(initial, with { $0.elements.filter { $0.position != nil }.count })
    let found = try await read(owner.session, query, owner.currentKey, wanted + 1, nil)
    setLoaded(found, limit: wanted, owner, linkKeys: query.linkKeyCount)
  }

  /// How many rows there are in the database.
  ///
  /// - Throws: As ``fetch()``.
  public func totalCount() async throws -> Int {
    let (owner, query) = try await prepared()
    if owner.isUnsaved { return 0 }
    let key = owner.currentKey
    return try await owner.session.database.read { connection in
      try connection.value(Int.self, query.countSQL, values: key) ?? 0
    }
  }

  /// Whose list it is, and how it is read.
  func prepared() async throws -> (owner: RelationOwner, query: ListQuery<Target>) {
    let (owner, property) = quietly { ($0.owner, $0.property) } ?? with { ($0.owner, $0.property) }
    guard let owner, let property else {
      throw RelationError(
        .noOwner, "the list belongs to no row that was made or fetched",
        table: Target.Row.tableName)
    }
    try await owner.session.prepare(Target.Row.self)
    try await owner.session.prepare(owner.type)
    return (owner, try query(owner.type, property))
  }

  /// Whose list it is, and what is shown by now.
  var owned: (owner: RelationOwner?, version: Int) {
    quietly { ($0.owner, $0.version) } ?? with { ($0.owner, $0.life.version) }
  }

  func query(_ owner: any Table.Type, _ property: String) throws -> ListQuery<Target> {
    let shape = try TableShape.of(Target.Row.self)
    switch kind {
    case .inverse(let inverse, let order):
      return ListQuery(
        source: .inverse(columns: try inverse.columns()), order: order, shape: shape)
    case .path(let steps, let order, let links):
      return ListQuery(
        source: .path(try JoinPath(steps, hasLinks: links != nil)), order: order, shape: shape)
    case .links(let rules):
      let links = LinkTable(
        owner: try TableShape.of(owner), property: property, target: Target.Row.self, rules: rules)
      return ListQuery(source: .links(links), order: nil, shape: shape)
    }
  }

  private func read(
    _ session: ModelSession, _ query: ListQuery<Target>, _ key: [SQLiteValue], _ limit: Int,
    _ cursor: [SQLiteValue]?
  ) async throws -> [ListQuery<Target>.Found] {
    let moment = session.clock.now
    return try await session.database.read { connection in
      try query.read(connection, [key], limit: limit, after: cursor, at: moment).first ?? []
    }
  }

  /// Notes that the owner has no row yet, and so none that refer to it.
  func markEmpty() {
    mutate { state in
      state.isLoaded = true
      state.hasAppended = false
    }
  }

  /// Instances of rows with their positions.
  func elements(_ found: [ListQuery<Target>.Found], _ owner: RelationOwner) -> [Element] {
    found.map { found in
      let object = Target.instance(of: found.fetched, in: owner.session)
      return Element(position: found.position, object: object)
    }
  }

  /// Adds a page of links behind those that were fetched, or takes them in place of these. What was added here stays behind what it
  /// stood behind.
  private func add(
    _ found: [ListQuery<Target>.Found], _ page: Int, _ owner: RelationOwner, isReload: Bool = false
  ) {
    let new = elements(Array(found.prefix(page)), owner)
    mutate { state in
      let removed = Set(state.removed)
      let kept = new.filter { element in
        element.position.map { !removed.contains(Removed(position: $0, id: element.object.id)) }
          ?? true
      }
      let former = isReload ? [] : state.elements.filter { $0.position != nil }
      state.elements = state.isChanged ? state.merged(former + kept) : former + kept
      if isReload { state.cursor = nil }
      if let last = new.last?.position { state.cursor = [.integer(last)] }
      state.hasUnfetched = found.count > page
      state.isLoaded = true
      state.hasAppended = false
      state.showTail()
    }
    if !new.isEmpty { owner.noteLoaded() }
  }

  /// Instances of rows of a list that has no positions, but for those that were moved elsewhere here.
  func present(
    _ found: some Sequence<ListQuery<Target>.Found>, _ owner: RelationOwner, linkKeys: Int
  ) -> [Element] {
    let removed = with { Set($0.removedLinks) }
    let all = found.compactMap { found -> Element? in
      let link = linkKeys == 0 ? [] : Array(found.cursor.suffix(linkKeys))
      if !removed.isEmpty, removed.contains(link) { return nil }
      let object = Target.instance(of: found.fetched, in: owner.session)
      return Element(position: 0, object: object, link: link)
    }
    guard case .inverse(let inverse, _) = kind else { return all }
    let objects = all.map(\.object)
    let admitted = inverse.admit(objects, to: owner)
    // They are what was asked for, but for few.
    if admitted.count == all.count { return all }
    let left = Set(admitted.map(\.id))
    return all.filter { left.contains($0.object.id) }
  }

  /// Adds a page behind the rows that were fetched. One that is there by now, as it was added here, takes its place in the page.
  private func addPage(
    _ found: [ListQuery<Target>.Found], _ page: Int, _ owner: RelationOwner, linkKeys: Int
  ) {
    let new = present(found.prefix(page), owner, linkKeys: linkKeys)
    mutate { state in
      state.elements.removeAll { element in new.contains { Self.isSame($0, element) } }
      let place = (state.elements.lastIndex { $0.position != nil } ?? -1) + 1
      state.elements.insert(contentsOf: new, at: place)
      state.noteFetched(found, page)
    }
    if !new.isEmpty { owner.noteLoaded() }
  }

  /// Takes all rows anew, but for what was changed here.
  private func replace(
    _ found: [ListQuery<Target>.Found], _ wanted: Int, _ owner: RelationOwner, linkKeys: Int
  ) {
    let new = present(found.prefix(wanted), owner, linkKeys: linkKeys)
    mutate { state in
      let added = state.elements.filter { element in
        element.position == nil && !new.contains { Self.isSame($0, element) }
      }
      state.elements = new + added
      state.cursor = nil
      state.noteFetched(found, wanted)
    }
    if !new.isEmpty { owner.noteLoaded() }
  }

  /// Whether two elements are one in the database: of a list without links, the same row.
  private static func isSame(_ a: Element, _ b: Element) -> Bool {
    a.link.isEmpty ? a.object.id == b.object.id : a.link == b.link
  }

  /// Takes the rows that were loaded together with those of others.
  ///
  /// - Parameter limit: The most that were to be read; one more was asked for.
  func setLoaded(
    _ found: [ListQuery<Target>.Found], limit: Int?, _ owner: RelationOwner, linkKeys: Int
  ) {
    with { state in
      state.life.arrived = nil
      state.life.hasUnshown = false
    }
    if case .links = kind {
      add(found, limit ?? found.count, owner, isReload: true)
    } else {
      replace(found, limit ?? found.count, owner, linkKeys: linkKeys)
    }
  }

  /// Takes all rows of a list of those that refer to its owner, which were read together with those of others.
  ///
  /// - Parameter version: What was shown when they were read.
  func setLoaded(_ objects: [Target], since version: Int) {
    guard case .inverse(let inverse, _) = kind else { return }
    var rows = objects
    if Target.self is any Model.Type, let owner = owned.owner {
      rows = inverse.admit(objects, to: owner)
    }
    var held: (any Sendable)? = rows.isEmpty ? nil : rows
    switch core.take(&held, since: version) {
    case .taken: break
    // What has arrived meanwhile may be newer.
    case .missed: noteFetchedEarlier()
    case .other:
      mutate { state in
        let new = rows.map { Element(position: 0, object: $0) }
        let added = state.elements.filter { element in
          element.position == nil && !new.contains { Self.isSame($0, element) }
        }
        state.elements = new + added
        state.noteWhole()
        state.showTail()
      }
      noteFetched(since: version)
    }
    if !rows.isEmpty { owned.owner?.noteLoaded() }
  }
}

extension ManyRelation.State {
  /// Notes that all rows were fetched.
  fileprivate mutating func noteWhole() {
    life.arrived = nil
    life.hasUnshown = false
    cursor = nil
    hasUnfetched = false
    isLoaded = true
    hasAppended = false
  }

  /// What was appended is shown as soon as all before it is there.
  fileprivate mutating func showTail() {
    guard !hasUnfetched, !tail.isEmpty else { return }
    elements += tail
    tail = []
  }

  /// Notes how far rows were fetched.
  fileprivate mutating func noteFetched(_ found: [ListQuery<Target>.Found], _ page: Int) {
    if let last = found.prefix(page).last?.cursor, !last.isEmpty { cursor = last }
    hasUnfetched = found.count > page
    isLoaded = true
    hasAppended = false
    showTail()
  }
}
