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
  @inlinable
  public func fetchAll<Target: TableModel>(
    _ relation: any KeyPath<Element, OneRelation<Target>> & Sendable
  ) async throws -> [Target.ID: Target] {
    // What the elements are is known here, and not where they are loaded.
    try await Self.load(map { $0[keyPath: relation] })
  }

  @usableFromInline
  static func load<Target: TableModel>(
    _ relations: [OneRelation<Target>]
  ) async throws -> [Target.ID: Target] {
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
  @inlinable
  public func fetchAll<Target: TableModel>(
    _ relation: any KeyPath<Element, ManyRelation<Target>> & Sendable, limit: Int? = nil
  ) async throws {
    try await Self.load(map { $0[keyPath: relation] }, limit: limit)
  }

  @usableFromInline
  static func load<Target: TableModel>(
    _ lists: [ManyRelation<Target>], limit: Int?
  ) async throws {
    guard let first = lists.first else { return }
    let (owner, query) = try await first.prepared()
    try await owner.session.load(
      lists, query, limit: limit, from: LoadSource(owner.session.database))
  }
}

/// What is read from: a database as it is now, or as it was at one moment.
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

  /// When it is begun to read, if that is done now: what a session has saved since is newer.
  func moment(of session: ModelSession) -> UInt64 {
    switch self {
    case .database: session.clock.now
    case .snapshot(_, let moment): moment
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
    var index = KeyIndex<Target.ID>()
    var objects: [HeldObject?] = []
    var places: [Int] = []
    places.reserveCapacity(relations.count)
    for relation in relations {
      let (key, known) = relation.target
      guard !key.isUnset, let place = index.add(key) else {
        places.append(-1)
        continue
      }
      if place == objects.count { objects.append(nil) }
      if let known, objects[place] == nil { objects[place] = HeldObject(known) }
      // One that leads to its object is left as it is: it may be held by that.
      places.append(known == nil ? place : -1)
    }
    let keys = index.keys
    let wanted = keys.indices.filter { objects[$0] == nil }.map { keys[$0] }
    if !wanted.isEmpty {
      let moment = source.moment(of: self)
      let rows = try await source.read { connection in
        try connection.readRows(Target.Row.self, shape, keys: wanted)
      }
      for object in Target.instances(of: rows.read(at: moment), in: self) {
        if let place = index.place(of: StoredKey(object.id)) { objects[place] = HeldObject(object) }
      }
    }
    Self.note(objects, of: keys.map { StoredKey($0) }, in: relations, at: places)
    var found: [Target.ID: Target] = [:]
    for (key, held) in zip(keys, objects) { found[key] = held?.object as? Target }
    return found
  }

  /// Tells relations what they lead to.
  ///
  /// - Parameter places: That of each relation's object and key; -1 where it is left as it is.
  private static func note<Target: TableModel>(
    _ objects: [HeldObject?], of keys: [StoredKey], in relations: [OneRelation<Target>],
    at places: [Int]
  ) {
    let mayBeHeld = relations.first?.mayBeHeld ?? false
    for (index, place) in places.enumerated() where place >= 0 {
      let held = objects[place]
      if !mayBeHeld, let held, relations[index].take(held, for: keys[place]) { continue }
      relations[index].setLoaded(held?.object, for: keys[place], mayBeHeld: mayBeHeld)
    }
  }

  /// Fetches lists.
  func load<Target: TableModel>(
    _ lists: [ManyRelation<Target>], _ query: ListQuery<Target>, limit: Int?,
    from source: LoadSource
  ) async throws {
    let isNow = if case .database = source { true } else { false }
    let load = try await ListLoad(lists, query, isFollowing: isNow)
    let limit = limit.map { Swift.max(0, $0) }
    let keys = load.keys
    let moment = source.moment(of: self)
    if limit == nil, let direct = query.runs?.direct {
      let shared = Target.self is any Model.Type ? nil : direct.sharedOwner(in: self)
      let runs = try await source.read { try query.readRuns($0, keys.map(\.column), shared) }
      load.take(runs, direct, at: moment, isAttached: shared != nil, in: self)
    } else {
      let found = try await source.read { connection in
        try query.read(
          connection, keys.map { $0.values ?? [] }, limit: limit.map { $0 + 1 }, at: moment)
      }
      load.take(found, limit: limit)
    }
    if !isNow { load.noteFetchedEarlier() }
  }
}

extension OneRelation {
  var session: ModelSession? { with { $0.owner }?.session }

  /// The key of what it leads to, and that, where it is known.
  var target: (StoredKey, (any TableModel)?) {
    if let key = plainKey { return (key, nil) }
    return with { ($0.currentKey, $0.object) }
  }
}
