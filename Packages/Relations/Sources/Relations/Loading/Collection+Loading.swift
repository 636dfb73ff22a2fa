internal import SQLiteCore

extension Collection where Element: TableModel {
  /// Fetches what a to-one relation of all of these leads to: one statement, however many they are.
  ///
  /// ```swift
  /// let arts = try await AlbumArt.fetchQuery()
  /// try await arts.fetchAll(\.album)
  /// arts[0].album._object
  /// ```
  ///
  /// Those that were fetched before are left as they are, and so are relations without a target; of one whose target is gone,
  /// ``OneRelation/object`` tells when it is asked.
  ///
  /// - Returns: What they lead to, by the keys.
  /// - Throws: `SQLiteError`; ``RelationError`` where the target can't be a table.
  @discardableResult
  public func fetchAll<Target: TableModel>(
    _ relation: any KeyPath<Element, OneRelation<Target>> & Sendable
  ) async throws -> [Target.ID: Target] {
    let relations = map { $0[keyPath: relation] }
    let session =
      try relations.lazy.compactMap { $0.session }.first
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
    let home = try session.home(of: Target.Row.self)
    return try await home.load(relations, from: LoadSource(home.database))
  }

  /// Fetches the lists of all of these: one statement, however many they are.
  ///
  /// - Parameters:
  ///   - relation: The list.
  ///   - limit: The most that are fetched for each; all where it is `nil`.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/noOwner`` where one of these was neither made nor fetched by a
  ///   session; `SQLiteError`.
  public func fetchAll<Target: TableModel>(
    _ relation: any KeyPath<Element, ManyRelation<Target>> & Sendable, limit: Int? = nil
  ) async throws {
    let lists = map { $0[keyPath: relation] }
    guard let first = lists.first else { return }
    let (owner, query) = try await first.prepared()
    try await owner.session.load(
      lists, query, limit: limit, from: LoadSource(owner.session.database))
  }
}

/// What is read from: a database as it is now, or as it was at one moment.
enum LoadSource: Sendable {
  case database(Database)
  case snapshot(DatabaseSnapshot)

  init(_ database: Database) { self = .database(database) }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    switch self {
    case .database(let database): try await database.read(body)
    case .snapshot(let snapshot): try await snapshot.read(body)
    }
  }
}

extension ModelSession {
  /// The session that a type's rows are in: another one, where this is the process's own for other settings.
  func home(of type: any Table.Type) throws -> ModelSession {
    try isShared ? ModelSession.shared(for: type.autoDBSettings) : self
  }

  /// That session, and what is read from there.
  func home(
    of type: any Table.Type, _ source: LoadSource
  ) throws -> (ModelSession, LoadSource) {
    let home = try home(of: type)
    return (home, home === self ? source : LoadSource(home.database))
  }

  /// Fetches what to-one relations lead to.
  func load<Target: TableModel>(
    _ relations: [OneRelation<Target>], from source: LoadSource
  ) async throws -> [Target.ID: Target] {
    try await prepare(Target.Row.self)
    let shape = try TableShape.of(Target.Row.self)
    var objects: [Target.ID: Target] = [:]
    var wanted: Set<Target.ID> = []
    for relation in relations {
      guard let key = relation.key, !key.isUnset else { continue }
      if let known = relation._object { objects[key] = known } else { wanted.insert(key) }
    }
    let keys = wanted.filter { objects[$0] == nil }.map(\.self)
    if !keys.isEmpty {
      let rows = try await source.read { connection in
        try connection.fetchRows(Target.Row.self, shape, keys: keys)
      }
      for row in rows { objects[row.row.id] = Target.instance(of: row, in: self) }
    }
    for relation in relations where relation._object == nil {
      guard let key = relation.key, !key.isUnset else { continue }
      relation.setLoaded(objects[key], for: key)
    }
    return objects
  }

  /// Fetches lists.
  func load<Target: TableModel>(
    _ lists: [ManyRelation<Target>], _ query: ListQuery<Target>, limit: Int?,
    from source: LoadSource
  ) async throws {
    var keys: [[SQLiteValue]] = []
    var places: [[SQLiteValue]: Int] = [:]
    var owners: [(list: ManyRelation<Target>, owner: RelationOwner, place: Int)] = []
    for list in lists {
      guard let owner = list.with(\.owner) else {
        throw RelationError(
          .noOwner, "the list belongs to no row that was made or fetched",
          table: Target.Row.tableName)
      }
      if owner.isUnsaved {
        list.markEmpty()
        continue
      }
      let key = owner.currentKey
      let place = places[key] ?? keys.count
      if place == keys.count {
        places[key] = place
        keys.append(key)
      }
      owners.append((list, owner, place))
    }
    let wanted = keys
    let limit = limit.map { Swift.max(0, $0) }
    if case .database = source {
      for (list, owner, _) in owners { try await list.follow(owner, query) }
    }
    let versions = owners.map { $0.list.with(\.life.version) }
    let found = try await source.read { connection in
      try query.read(connection, wanted, limit: limit.map { $0 + 1 })
    }
    for ((list, owner, place), version) in zip(owners, versions) {
      list.setLoaded(found[place], limit: limit, owner, linkKeys: query.linkKeyCount)
      list.noteFetched(since: version)
      if case .snapshot = source { list.noteFetchedEarlier() }
    }
  }
}

extension OneRelation {
  var session: ModelSession? { with { $0.owner?.session } }
}
