internal import SQLiteCore

extension ManyRelation {
  /// Fetches the first rows, or the page after the fetched rows.
  ///
  /// Unsaved edits are kept. If there are no more rows, the call only updates ``hasMore``. Loads of
  /// one list run one at a time, in the order of the calls; each call fetches its own page.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` if the list is not a
  ///   property of a row that a session has created or fetched; `SQLiteError`.
  public func fetch() async throws { try await load(.next) }

  /// Fetches the list again: the same number of rows from the beginning, or the first page.
  ///
  /// Pages that were already fetched are not updated by ``fetch()``; this method refreshes them. It
  /// waits for the loads of the list that were requested before.
  ///
  /// - Throws: The same errors as ``fetch()``.
  public func reload() async throws { try await load(.again) }

  /// Loads rows after the loads that were requested before.
  func load(_ load: Load) async throws {
    let (owner, query) = try await prepared()
    if owner.isUnsaved { return markLoadedEmpty() }
    try await subscribe(owner, query)
    let id = with { $0.schedule.makeID() }
    defer { end(id) }
    while true {
      await begin(id)
      showPendingRefresh()
      let request = with { $0.readRequest(load, initial: initial, limit: limit) }
      let revision = owner.session.clock.tick()
      let found = try await read(owner.session, query, owner.currentKey, request, at: revision)
      // The rows are discarded if a save or deletion has ended since the read began, or if they
      // don't include the rows of an edit.
      let isShown = with { state in
        (request.cursor != nil || state.isEnough(request.limit))
          && state.schedule.finishRead(at: revision)
      }
      guard isShown else { continue }
      return show(found, request, owner, linkKeys: query.linkKeyCount)
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

  /// Ends a load or save, and resumes the load that may read next.
  func resume(_ end: (inout ListSchedule) -> ListSchedule.LoadID?) {
    let (next, isWaiting) = with { state in
      let next = end(&state.schedule).flatMap { state.waiters.removeValue(forKey: $0) }
      return (next, state.schedule.isIdle && state.pendingResult != nil)
    }
    // Received rows were not shown while the list was loaded or saved.
    if isWaiting { mutate {} }
    next?.resume()
  }

  /// Returns the number of the list's rows in the database.
  ///
  /// - Throws: The same errors as ``fetch()``.
  public func totalCount() async throws -> Int {
    let (owner, query) = try await prepared()
    if owner.isUnsaved { return 0 }
    let key = owner.currentKey
    return try await owner.session.database.read { connection in
      try connection.value(Int.self, SQL(unsafe: query.countSQL), values: key) ?? 0
    }
  }

  /// Returns the list's owner and query.
  func prepared() async throws -> (owner: RelationOwner, query: ListQuery<Target>) {
    let (owner, property) = metadata { ($0.owner, $0.property) }
    guard let owner, let property else {
      throw Self.noOwnerError
    }
    try await owner.session.prepare(Target.Row.self)
    try await owner.session.prepare(owner.type)
    return (owner, try query(owner.type, property, in: owner.session))
  }

  /// The list's owner.
  var owner: RelationOwner? { metadata(\.owner) }

  static var noOwnerError: RelationError {
    RelationError(
      .noOwner, "the list is not a property of a created or fetched row",
      table: Target.Row.tableName)
  }

  private func query(
    _ owner: any Table.Type, _ property: String, in session: ModelSession
  ) throws -> ListQuery<Target> {
    let metadata = try TableMetadata.of(Target.Row.self)
    let collation = session.keyCollation(of: owner)
    switch kind {
    case .inverse(let inverse, let order):
      return ListQuery(
        source: .inverse(columns: try inverse.columns()), order: order, metadata: metadata,
        ownerCollation: collation)
    case .path(let steps, let order, let links):
      return ListQuery(
        source: .path(try JoinPath(steps, hasLinks: links != nil)), order: order,
        metadata: metadata,
        ownerCollation: collation)
    case .links(let onDeleteTarget):
      let links = LinkTable(
        owner: try TableMetadata.of(owner), property: property, target: Target.Row.self,
        onDeleteTarget: onDeleteTarget)
      return ListQuery(
        source: .links(links), order: nil, metadata: metadata, ownerCollation: collation)
    }
  }

  private func read(
    _ session: ModelSession, _ query: ListQuery<Target>, _ key: [SQLiteValue],
    _ request: ReadRequest,
    at revision: UInt64
  ) async throws -> [ListQuery<Target>.ListedRow] {
    // One additional row determines whether there are more rows.
    let limit = request.limit.map { $0 + 1 }
    return try await session.database.read { connection in
      try query.read(
        connection, [key], limit: limit, after: request.cursor, at: revision
      ).first ?? []
    }
  }

  /// Marks the list as loaded and empty, because its owner has no row yet.
  func markLoadedEmpty() {
    mutate { state in
      state.metadata.isLoaded = true
      state.hasAppended = false
    }
  }

  /// Returns the instances of rows with positions.
  func positionedElements(_ found: [ListQuery<Target>.ListedRow], _ owner: RelationOwner)
    -> [Element]
  {
    found.map { found in
      let object = Target.instance(of: found.fetched, in: owner.session)
      return Element(position: found.position, object: object)
    }
  }

  /// Returns the instances of rows without positions, except rows that were moved to another list
  /// in memory.
  func elements(
    _ found: some Sequence<ListQuery<Target>.ListedRow>, _ owner: RelationOwner, linkKeys: Int
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
    let added = inverse.addFetched(objects, toListOf: owner)
    // Usually, all rows are added.
    if added.count == all.count { return all }
    let addedKeys = Set(added.map { StoredKey($0.id) })
    return all.filter { addedKeys.contains($0.key) }
  }

  /// Shows rows that were read, merged with the unsaved edits.
  private func show(
    _ found: [ListQuery<Target>.ListedRow], _ request: ReadRequest, _ owner: RelationOwner,
    linkKeys: Int
  ) {
    let rows = found.prefix(request.limit ?? found.count)
    let new =
      hasPositions
      ? positionedElements(Array(rows), owner) : elements(rows, owner, linkKeys: linkKeys)
    let last =
      hasPositions ? rows.last.map { [.integer($0.position)] } : rows.last.map(\.cursor)
    show(
      new,
      Page(
        isFirst: request.cursor == nil, hasMore: found.count > rows.count,
        last: last.flatMap { $0.isEmpty ? nil : $0 }))
    if !new.isEmpty { owner.relationDidLoad() }
  }

  private func show(_ rows: [Element], _ page: Page) {
    var missed: ListSubscription<Target>?
    mutate { state in
      // Rows received during the load may be older or newer than the loaded rows.
      missed = state.pendingResult == nil ? nil : state.subscription
      state.show(rows, page, hasPositions: hasPositions)
    }
    missed?.requestRefresh(of: self)
  }

  /// Shows rows that were loaded together with the rows of other lists.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of rows; one more row was requested.
  ///   - revision: The session's revision when the read began.
  /// - Returns: Whether the rows are shown. They are not shown if the list is loaded or saved at
  ///   the same time, has newer rows, or has edits among rows that were not read.
  func setLoaded(
    _ found: [ListQuery<Target>.ListedRow], limit: Int?, _ owner: RelationOwner, linkKeys: Int,
    at revision: UInt64
  ) -> Bool {
    let isShown = with { state in
      state.schedule.isIdle && state.isEnough(limit) && state.schedule.finishRead(at: revision)
    }
    guard isShown else { return false }
    show(found, ReadRequest(limit: limit, cursor: nil), owner, linkKeys: linkKeys)
    return true
  }

  /// Shows all rows of an inverse list, which were read together with the rows of other lists.
  ///
  /// - Parameter revision: The session's revision when the read began.
  /// - Returns: Whether the rows are shown; see ``setLoaded(_:limit:_:linkKeys:at:)``.
  func setLoaded(_ objects: [Target], at revision: UInt64) -> Bool {
    guard case .inverse(let inverse, _) = kind else { return true }
    var rows = objects
    if Target.self is any Model.Type, let owner = self.owner {
      rows = inverse.addFetched(objects, toListOf: owner)
    }
    var shown: (any Sendable)? = rows.isEmpty ? nil : rows
    switch core.show(&shown, at: revision) {
    case .shown: break
    case .stale: return false
    case .needsFullState:
      guard with({ $0.schedule.isIdle && $0.schedule.finishRead(at: revision) }) else {
        return false
      }
      show(
        rows.map { Element(position: 0, object: $0) },
        Page(isFirst: true, hasMore: false, last: nil))
    }
    if !rows.isEmpty { owner?.relationDidLoad() }
    return true
  }
}

extension ManyRelation {
  /// A request to load rows.
  enum Load: Sendable {
    /// The next page, or the first one.
    case next
    /// The same number of rows, from the beginning.
    case again
    /// The first rows, or all.
    case first(Int?)
  }

  /// The rows that a load reads.
  struct ReadRequest: Sendable, Equatable {
    /// The maximum number of rows to show; `nil` shows all rows.
    let limit: Int?
    /// The ordering values of the row before the first row to read; `nil` for the list's beginning.
    let cursor: [SQLiteValue]?
  }

  /// Properties of rows that were read together.
  struct Page: Sendable {
    /// A Boolean value that indicates whether the rows replace all rows fetched before.
    let isFirst: Bool
    let hasMore: Bool
    /// The ordering values of the last row, if known.
    let last: [SQLiteValue]?
  }
}

extension ManyRelation.State {
  /// Returns the rows that a load reads.
  func readRequest(
    _ load: ManyRelation<Target>.Load, initial: Int, limit: Int
  ) -> ManyRelation<Target>.ReadRequest {
    switch load {
    // Rows may have been added and saved before the first load.
    case .next where !metadata.isLoaded: first(Swift.max(initial, neededCount))
    case .next where cursor != nil && !hasUnshownRows:
      ManyRelation.ReadRequest(limit: limit, cursor: cursor)
    case .next:
      first(elements.count + removedCount + limit)
    case .again: first(Swift.max(initial, neededCount))
    case .first(let limit): first(limit)
    }
  }

  /// Returns a read of the first rows that includes enough rows for the edits; see
  /// ``isEnough(_:)``.
  private func first(_ limit: Int?) -> ManyRelation<Target>.ReadRequest {
    ManyRelation.ReadRequest(limit: limit.map { isEnough($0) ? $0 : neededCount }, cursor: nil)
  }

  /// Returns whether a number of rows is enough to keep the places of edits, which are relative to
  /// the shown rows.
  func isEnough(_ limit: Int?) -> Bool { !isChanged || limit.map { $0 >= neededCount } ?? true }

  /// The number of rows shown from the database, including removed rows that still exist there.
  private var neededCount: Int { elements.count { $0.position != nil } + removedCount }

  private var removedCount: Int { removed.count + removedLinks.count }

  /// Shows rows that were read, merged with the unsaved edits.
  mutating func show(
    _ rows: [Element], _ page: ManyRelation<Target>.Page, hasPositions: Bool
  ) {
    preserveShownOrder()
    if hasPositions {
      let excluded = Set(
        removed.map { ElementIdentity(position: $0.position, link: [], key: StoredKey($0.id)) })
      let remaining = rows.filter { row in
        ElementIdentity(row).map { !excluded.contains($0) } ?? true
      }
      let former = page.isFirst ? [] : elements.filter { $0.position != nil }
      // Without edits, the former rows matter only if they were shown.
      let isMerged = isChanged || page.isFirst && shown != nil
      elements = isMerged ? merged(former + remaining) : former + remaining
    } else {
      let rows = shown == nil ? rows : withNumbersOfElements(rows)
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
    hasUnshownRows = false
    pendingResult = nil
    metadata.version += 1
    showTail()
  }

  /// Appended rows are shown once all rows before them are fetched.
  private mutating func showTail() {
    guard !hasUnfetched, !tail.isEmpty else { return }
    elements += tail
    tail = []
  }

  /// Returns rows with the numbers of the elements that they replace.
  private func withNumbersOfElements(_ rows: [Element]) -> [Element] {
    var rows = rows
    for (element, index) in zip(elements, indexes(in: rows)) {
      let added = element.position == nil ? rows.firstIndex { Self.isSame($0, element) } : nil
      if let index = index ?? added { rows[index].number = element.number }
    }
    return rows
  }

  /// Returns whether two elements are the same in the database: the same link, or the same row in a
  /// list without links.
  private static func isSame(_ a: Element, _ b: Element) -> Bool {
    a.link.isEmpty ? a.key == b.key : a.link == b.link
  }
}
