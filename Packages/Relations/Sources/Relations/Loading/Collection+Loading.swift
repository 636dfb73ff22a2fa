internal import SQLiteCore

extension Collection where Element: TableModel {
  /// Fetches the targets of a to-one relation of all elements with one statement.
  ///
  /// ```swift
  /// let arts = try await AlbumArt.fetchQuery()
  /// try await arts.fetchAll(\.album)
  /// arts[0].album._object
  /// ```
  ///
  /// Relations that are already loaded, or have no target, are left unchanged. If a target's row is
  /// missing, ``OneRelation/object`` throws when it is read.
  ///
  /// - Returns: The targets by their keys.
  /// - Throws: `SQLiteError`; ``RelationError`` if the target can't be a table.
  @discardableResult
  @inlinable
  public func fetchAll<Target: TableModel>(
    _ relation: any KeyPath<Element, OneRelation<Target>> & Sendable
  ) async throws -> [Target.ID: Target] {
    var relations: [OneRelation<Target>] = []
    var batch = ToOneBatch(count: underestimatedCount)
    relations.reserveCapacity(underestimatedCount)
    // This loop is inlined into callers, which know the element type.
    for element in self {
      let relation = element[keyPath: relation]
      batch.add(relation)
      relations.append(relation)
    }
    return try await Self.load(relations, batch)
  }

  @usableFromInline
  static func load<Target: TableModel>(
    _ relations: [OneRelation<Target>], _ batch: ToOneBatch
  ) async throws -> [Target.ID: Target] {
    let session =
      try relations.lazy.compactMap { $0.session }.first
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
    let owningSession = try session.owningSession(of: Target.Row.self)
    return try await owningSession.load(relations, batch, from: LoadSource(owningSession.database))
  }

  /// Fetches a list of all elements with one statement.
  ///
  /// - Parameters:
  ///   - relation: The list.
  ///   - limit: The maximum number of rows to fetch for each element; `nil` fetches all rows.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` if an element was neither
  ///   created nor fetched by a session; `SQLiteError`.
  @inlinable
  public func fetchAll<Target: TableModel>(
    _ relation: any KeyPath<Element, ManyRelation<Target>> & Sendable, limit: Int? = nil
  ) async throws {
    var lists: [ManyRelation<Target>] = []
    var cores: [ListCore] = []
    lists.reserveCapacity(underestimatedCount)
    cores.reserveCapacity(underestimatedCount)
    // This loop is inlined into callers, which know the element type.
    for element in self {
      let list = element[keyPath: relation]
      cores.append(list.core)
      lists.append(list)
    }
    try await Self.load(lists, cores, limit: limit)
  }

  @usableFromInline
  static func load<Target: TableModel>(
    _ lists: [ManyRelation<Target>], _ cores: [ListCore], limit: Int?
  ) async throws {
    guard let first = lists.first else { return }
    let (owner, query) = try await first.prepared()
    try await owner.session.load(
      lists, cores, query, limit: limit, from: LoadSource(owner.session.database))
  }
}

/// The source of a load: the current state of a database, or a snapshot.
enum LoadSource: Sendable {
  case database(Database)
  case snapshot(DatabaseSnapshot, at: UInt64)

  init(_ database: Database) { self = .database(database) }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    switch self {
    case .database(let database): try await database.read(body)
    case .snapshot(let snapshot, _): try await snapshot.read(body)
    }
  }

  /// Returns the session's revision at which a read from this source begins. Later saves of the
  /// session are newer than the rows read.
  func revision(of session: ModelSession) -> UInt64 {
    switch self {
    case .database: session.clock.tick()
    case .snapshot(_, let revision): revision
    }
  }
}

extension ModelSession {
  /// Returns the session of a type's rows: this session, or another shared session if this one is
  /// shared and the type has different settings.
  func owningSession(of type: any Table.Type) throws -> ModelSession {
    try isShared ? ModelSession.shared(for: type.autoDBSettings) : self
  }

  /// Returns the session of a type's rows, and the source to read them from.
  func owningSession(
    of type: any Table.Type, _ source: LoadSource
  ) throws -> (ModelSession, LoadSource) {
    let owningSession = try owningSession(of: type)
    return (owningSession, owningSession === self ? source : LoadSource(owningSession.database))
  }

  /// Fetches the targets of to-one relations.
  func load<Target: TableModel>(
    _ relations: [OneRelation<Target>], from source: LoadSource
  ) async throws -> [Target.ID: Target] {
    var batch = ToOneBatch(count: relations.count)
    for relation in relations { batch.add(relation) }
    return try await load(relations, batch, from: source)
  }

  /// Fetches the targets of to-one relations, starting from the targets that are already loaded.
  fileprivate func load<Target: TableModel>(
    _ relations: [OneRelation<Target>], _ loaded: ToOneBatch, from source: LoadSource
  ) async throws -> [Target.ID: Target] {
    try await prepare(Target.Row.self)
    let metadata = try TableMetadata.of(Target.Row.self)
    var batch = loaded
    let keys = batch.keys.map { $0.key(as: Target.ID.self) }
    let wanted = keys.indices.compactMap { batch.targets[$0] == nil ? keys[$0] : nil }
    if !wanted.isEmpty {
      let revision = source.revision(of: self)
      let rows = try await source.read { connection in
        try connection.readRows(Target.Row.self, metadata, keys: wanted)
      }
      batch.setTargets(
        Target.instances(of: rows.read(at: revision), in: self), keyCollation(of: Target.Row.self))
    }
    for index in keys.indices where keys[index] == nil { batch.exclude(index) }
    Self.storeTargets(batch, in: relations)
    var found: [Target.ID: Target] = [:]
    for (index, key) in keys.enumerated() {
      if let key { found[key] = batch.targets[index]?.object as? Target }
    }
    return found
  }

  /// Stores the fetched targets in their relations.
  private static func storeTargets<Target: TableModel>(
    _ batch: ToOneBatch, in relations: [OneRelation<Target>]
  ) {
    let mayBeRetained = relations.first?.mayBeRetained ?? false
    for index in relations.indices {
      let keyIndex = batch.keyIndexes[index]
      if keyIndex < 0 { continue }
      let (target, key) = (batch.targets[keyIndex], batch.keys[keyIndex])
      if !mayBeRetained, let target, relations[index].setFetchedTarget(target, for: key) {
        continue
      }
      relations[index].setLoaded(target?.object, for: key, mayBeRetained: mayBeRetained)
    }
  }

  /// Fetches lists. `cores` are the cores of `lists`.
  func load<Target: TableModel>(
    _ lists: [ManyRelation<Target>], _ cores: [ListCore], _ query: ListQuery<Target>,
    limit: Int?, from source: LoadSource
  ) async throws {
    let isCurrent = if case .database = source { true } else { false }
    let load = try await ListLoad(lists, cores, query, isSubscribing: isCurrent)
    let limit = limit.map { Swift.max(0, $0) }
    let keys = load.keys
    let revision = source.revision(of: self)
    let missed: [ManyRelation<Target>]
    if limit == nil, let accessors = query.groupedRowAccess?.accessors {
      let session = Target.self is any Model.Type ? nil : self
      let groups = try await source.read { connection in
        try query.readGroupedRows(connection, keys.map(\.column), in: session)
      }
      missed = load.show(groups, accessors, at: revision, in: self)
    } else {
      let found = try await source.read { connection in
        try query.read(
          connection, keys.map { $0.values ?? [] }, limit: limit.map { $0 + 1 }, at: revision)
      }
      missed = load.show(found, limit: limit, at: revision)
    }
    if !isCurrent { load.refetchAfterSnapshot() }
    if !missed.isEmpty { try await reloadMissed(missed, query, limit: limit) }
  }

  /// Fetches lists that were loaded or saved by other tasks while they were read.
  private func reloadMissed<Target: TableModel>(
    _ lists: [ManyRelation<Target>], _ query: ListQuery<Target>, limit: Int?
  ) async throws {
    let compact = lists.filter(\.isCompact)
    if !compact.isEmpty {
      try await load(compact, compact.map(\.core), query, limit: limit, from: LoadSource(database))
    }
    for list in lists where !list.isCompact { try await list.load(.first(limit)) }
  }
}

extension OneRelation {
  var session: ModelSession? { with { $0.owner }?.session }
}
