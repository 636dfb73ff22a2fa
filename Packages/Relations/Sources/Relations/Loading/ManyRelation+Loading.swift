internal import SQLiteCore

extension ManyRelation {
  /// Fetches the first rows, or the page after those that were fetched.
  ///
  /// Edits that are not saved stay. If there are no more rows, it does nothing but find that out. Loads of one list run one at a
  /// time, in the order of their calls: each call fetches a page of its own.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where the list is no property of a row that a session
  ///   has made or fetched; `SQLiteError`.
  public func fetch() async throws { try await load(.next) }

  /// Fetches anew what was fetched: as many rows from the list's beginning, or the first ones.
  ///
  /// Pages that were fetched before stay as they are while the database changes; this shows what has become of them. It waits for
  /// the loads of the list that were requested before.
  ///
  /// - Throws: As ``fetch()``.
  public func reload() async throws { try await load(.again) }

  /// Loads rows when the loads are done that were requested before.
  func load(_ load: Load) async throws {
    let (owner, query) = try await prepared()
    if owner.isUnsaved { return markEmpty() }
    try await follow(owner, query)
    let id = with { $0.schedule.makeID() }
    defer { end(id) }
    while true {
      await begin(id)
      showArrived()
      let reading = with { $0.reading(load, initial: initial, limit: limit) }
      let moment = owner.session.clock.tick()
      let found = try await read(owner.session, query, owner.currentKey, reading, at: moment)
      // What was read does not show a save or deletion that has ended since, or the rows of an edit.
      let isShown = with { state in
        (reading.cursor != nil || state.isEnough(reading.limit))
          && state.schedule.finishRead(at: moment)
      }
      guard isShown else { continue }
      return show(found, reading, owner, linkKeys: query.linkKeyCount)
    }
  }

  /// Waits until a load may read.
  private func begin(_ load: ListSchedule.LoadID) async {
    await withCheckedContinuation { continuation in
      let reads = with { state in
        if state.schedule.begin(load) { return true }
        state.waiters[load] = continuation
        return false
      }
      if reads { continuation.resume() }
    }
  }

  private func end(_ load: ListSchedule.LoadID) { resume { $0.end(load) } }

  /// Runs what ends a load or a save, and resumes the load that may read from then on.
  func resume(_ end: (inout ListSchedule) -> ListSchedule.LoadID?) {
    let (next, isWaiting) = with { state in
      let next = end(&state.schedule).flatMap { state.waiters.removeValue(forKey: $0) }
      return (next, state.schedule.isIdle && state.life.arrived != nil)
    }
    // It was not shown as long as the list was loaded or saved.
    if isWaiting { mutate {} }
    next?.resume()
  }

  /// How many rows there are in the database.
  ///
  /// - Throws: As ``fetch()``.
  public func totalCount() async throws -> Int {
    let (owner, query) = try await prepared()
    if owner.isUnsaved { return 0 }
    let key = owner.currentKey
    return try await owner.session.database.read { connection in
      try connection.value(Int.self, SQL(unsafe: query.countSQL), values: key) ?? 0
    }
  }

  /// Whose list it is, and how it is read.
  func prepared() async throws -> (owner: RelationOwner, query: ListQuery<Target>) {
    let (owner, property) = metadata { ($0.owner, $0.property) }
    guard let owner, let property else {
      throw RelationError(
        .noOwner, "the list belongs to no row that was made or fetched",
        table: Target.Row.tableName)
    }
    try await owner.session.prepare(Target.Row.self)
    try await owner.session.prepare(owner.type)
    return (owner, try query(owner.type, property, in: owner.session))
  }

  /// The list's owner.
  var owner: RelationOwner? { metadata(\.owner) }

  private func query(
    _ owner: any Table.Type, _ property: String, in session: ModelSession
  ) throws -> ListQuery<Target> {
    let shape = try TableMetadata.of(Target.Row.self)
    let collation = session.keyCollation(of: owner)
    switch kind {
    case .inverse(let inverse, let order):
      return ListQuery(
        source: .inverse(columns: try inverse.columns()), order: order, shape: shape,
        ownerCollation: collation)
    case .path(let steps, let order, let links):
      return ListQuery(
        source: .path(try JoinPath(steps, hasLinks: links != nil)), order: order, shape: shape,
        ownerCollation: collation)
    case .links(let rules):
      let links = LinkTable(
        owner: try TableMetadata.of(owner), property: property, target: Target.Row.self,
        rules: rules)
      return ListQuery(
        source: .links(links), order: nil, shape: shape, ownerCollation: collation)
    }
  }

  private func read(
    _ session: ModelSession, _ query: ListQuery<Target>, _ key: [SQLiteValue], _ reading: Reading,
    at moment: UInt64
  ) async throws -> [ListQuery<Target>.Found] {
    // One more row shows whether there are others.
    let limit = reading.limit.map { $0 + 1 }
    return try await session.database.read { connection in
      try query.read(
        connection, [key], limit: limit, after: reading.cursor, at: moment
      ).first ?? []
    }
  }

  /// Notes that the owner has no row yet, and so none that refer to it.
  func markEmpty() {
    mutate { state in
      state.metadata.isLoaded = true
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
    let left = Set(admitted.map { StoredKey($0.id) })
    return all.filter { left.contains($0.key) }
  }

  /// Shows rows that were read, with the edits that are not saved.
  private func show(
    _ found: [ListQuery<Target>.Found], _ reading: Reading, _ owner: RelationOwner, linkKeys: Int
  ) {
    let rows = found.prefix(reading.limit ?? found.count)
    let new =
      hasPositions ? elements(Array(rows), owner) : present(rows, owner, linkKeys: linkKeys)
    let last =
      hasPositions ? rows.last.map { [.integer($0.position)] } : rows.last.map(\.cursor)
    show(
      new,
      Page(
        isFirst: reading.cursor == nil, hasMore: found.count > rows.count,
        last: last.flatMap { $0.isEmpty ? nil : $0 }))
    if !new.isEmpty { owner.noteLoaded() }
  }

  private func show(_ rows: [Element], _ page: Page) {
    var missed: ListFollower<Target>?
    mutate { state in
      // What has arrived during the load may be older or newer than that.
      missed = state.life.arrived == nil ? nil : state.follower
      state.show(rows, page, hasPositions: hasPositions)
    }
    missed?.touch(self)
  }

  /// Shows the rows that were loaded together with those of others.
  ///
  /// - Parameters:
  ///   - limit: The most that were to be read; one more was asked for.
  ///   - moment: The session's moment when the read began.
  /// - Returns: Whether they are shown. They are not if the list is loaded or saved at the same time, shows newer rows, or has
  ///   edits among rows that were not read.
  func setLoaded(
    _ found: [ListQuery<Target>.Found], limit: Int?, _ owner: RelationOwner, linkKeys: Int,
    at moment: UInt64
  ) -> Bool {
    let isShown = with { state in
      state.schedule.isIdle && state.isEnough(limit) && state.schedule.finishRead(at: moment)
    }
    guard isShown else { return false }
    show(found, Reading(limit: limit, cursor: nil), owner, linkKeys: linkKeys)
    return true
  }

  /// Shows all rows of a list of those that refer to its owner, which were read together with those of others.
  ///
  /// - Parameter moment: The session's moment when the read began.
  /// - Returns: Whether they are shown, as ``setLoaded(_:limit:_:linkKeys:at:)`` does.
  func setLoaded(_ objects: [Target], at moment: UInt64) -> Bool {
    guard case .inverse(let inverse, _) = kind else { return true }
    var rows = objects
    if Target.self is any Model.Type, let owner = self.owner {
      rows = inverse.admit(objects, to: owner)
    }
    var held: (any Sendable)? = rows.isEmpty ? nil : rows
    switch core.take(&held, at: moment) {
    case .taken: break
    case .stale: return false
    case .other:
      guard with({ $0.schedule.isIdle && $0.schedule.finishRead(at: moment) }) else {
        return false
      }
      show(
        rows.map { Element(position: 0, object: $0) },
        Page(isFirst: true, hasMore: false, last: nil))
    }
    if !rows.isEmpty { owner?.noteLoaded() }
    return true
  }
}

extension ManyRelation {
  /// A request to load rows.
  enum Load: Sendable {
    /// The next page, or the first one.
    case next
    /// As many rows as there are, from the first on.
    case again
    /// The first rows, or all.
    case first(Int?)
  }

  /// The rows that a load reads.
  struct Reading: Sendable, Equatable {
    /// The most rows that are shown of what is read; all if it is `nil`.
    let limit: Int?
    /// The order values of the row before the first one; `nil` for the list's beginning.
    let cursor: [SQLiteValue]?
  }

  /// Facts about rows that were read together.
  struct Page: Sendable {
    /// Whether they take the place of those that were fetched before.
    let isFirst: Bool
    let hasMore: Bool
    /// The order values of the last row, if they are known.
    let last: [SQLiteValue]?
  }
}

extension ManyRelation.State {
  /// The rows that a load has to read.
  func reading(
    _ load: ManyRelation<Target>.Load, initial: Int, limit: Int
  ) -> ManyRelation<Target>.Reading {
    switch load {
    // Rows may have been added and saved before the first load.
    case .next where !metadata.isLoaded: first(Swift.max(initial, neededCount))
    case .next where cursor != nil && !life.hasUnshown:
      ManyRelation.Reading(limit: limit, cursor: cursor)
    case .next:
      first(elements.count + removedCount + limit)
    case .again: first(Swift.max(initial, neededCount))
    case .first(let limit): first(limit)
    }
  }

  /// A read of the first rows, of which there are enough: see ``isEnough(_:)``.
  private func first(_ limit: Int?) -> ManyRelation<Target>.Reading {
    ManyRelation.Reading(limit: limit.map { isEnough($0) ? $0 : neededCount }, cursor: nil)
  }

  /// Whether as many rows are enough: edits keep their places by the rows that are shown beside them.
  func isEnough(_ limit: Int?) -> Bool { !isChanged || limit.map { $0 >= neededCount } ?? true }

  /// The number of rows shown from the database, including removed rows that still exist there.
  private var neededCount: Int { elements.count { $0.position != nil } + removedCount }

  private var removedCount: Int { removed.count + removedLinks.count }

  /// Shows rows that were read, with the edits that are not saved.
  mutating func show(
    _ rows: [Element], _ page: ManyRelation<Target>.Page, hasPositions: Bool
  ) {
    keepShown()
    if hasPositions {
      let gone = Set(
        removed.map { ListPlace(position: $0.position, link: [], key: StoredKey($0.id)) })
      let kept = rows.filter { row in ListPlace(row).map { !gone.contains($0) } ?? true }
      let former = page.isFirst ? [] : elements.filter { $0.position != nil }
      // Without edits, only those who have seen the former rows have to find them again.
      let isMerged = isChanged || page.isFirst && shown != nil
      elements = isMerged ? merged(former + kept) : former + kept
    } else {
      let rows = shown == nil ? rows : numbered(alike: rows)
      elements.removeAll { element in
        page.isFirst && element.position != nil || rows.contains { Self.isSame($0, element) }
      }
      let last = elements.lastIndex { $0.position != nil } ?? -1
      elements.insert(contentsOf: rows, at: last + 1)
    }
    if let last = page.last { cursor = last } else if page.isFirst { cursor = nil }
    hasUnfetched = page.hasMore
    metadata.isLoaded = true
    hasAppended = false
    life.hasUnshown = false
    life.arrived = nil
    metadata.version += 1
    showTail()
  }

  /// What was appended is shown as soon as all before it is there.
  private mutating func showTail() {
    guard !hasUnfetched, !tail.isEmpty else { return }
    elements += tail
    tail = []
  }

  /// Rows that take the place of elements, with the numbers of these.
  private func numbered(alike rows: [Element]) -> [Element] {
    var rows = rows
    for (element, place) in zip(elements, places(in: rows)) {
      let added = element.position == nil ? rows.firstIndex { Self.isSame($0, element) } : nil
      if let place = place ?? added { rows[place].number = element.number }
    }
    return rows
  }

  /// Whether two elements are one in the database: of a list without links, the same row.
  private static func isSame(_ a: Element, _ b: Element) -> Bool {
    a.link.isEmpty ? a.key == b.key : a.link == b.link
  }
}
