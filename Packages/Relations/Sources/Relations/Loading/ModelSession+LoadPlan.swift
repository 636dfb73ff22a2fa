public import SQLiteCore

extension ModelSession {
  /// The relations to load for some rows, for the rows that they refer to, and so on.
  ///
  /// ```swift
  /// try await albums.load { $0.with(\.tracks) { $0.with(\.writer) }.with(\.label) }
  ///
  /// let plan = ModelSession.LoadPlan<Album>().with(\.tracks, limit: 3).with(\.label)
  /// try await albums.load(plan)
  /// ```
  ///
  /// Each relation of each level is loaded with one statement, regardless of the number of rows,
  /// and all statements read the same snapshot of the database. A level without rows runs no
  /// statement. A relation that is added twice is loaded once, with both nested plans.
  public struct LoadPlan<Owner: TableModel>: Sendable {
    private(set) var steps: [any LoadStep<Owner>] = []

    /// Creates a plan that loads nothing.
    public init() {}

    /// Adds a to-one relation, which is loaded unless it has been loaded before.
    ///
    /// - Parameters:
    ///   - relation: The relation.
    ///   - nested: Adds the relations to load for the relation's target.
    public func with<Target: TableModel>(
      _ relation: any KeyPath<Owner, OneRelation<Target>> & Sendable,
      _ nested: (LoadPlan<Target>) -> LoadPlan<Target> = { $0 }
    ) -> LoadPlan {
      adding(OneStep(relation: relation, nested: nested(LoadPlan<Target>())))
    }

    /// Adds a list, which is loaded again if it has been loaded before.
    ///
    /// - Parameters:
    ///   - relation: The list.
    ///   - limit: The maximum number of rows for each owner; `nil` loads all rows.
    ///     ``ManyRelation/hasMore`` indicates whether there are more.
    ///   - nested: Adds the relations to load for the list's rows.
    public func with<Target: TableModel>(
      _ relation: any KeyPath<Owner, ManyRelation<Target>> & Sendable, limit: Int? = nil,
      _ nested: (LoadPlan<Target>) -> LoadPlan<Target> = { $0 }
    ) -> LoadPlan {
      adding(ManyStep(relation: relation, limit: limit, nested: nested(LoadPlan<Target>())))
    }

    private func adding(_ step: some LoadStep<Owner>) -> LoadPlan {
      var plan = self
      for (index, existing) in steps.enumerated() {
        if let merged = existing.merging(step) {
          plan.steps[index] = merged
          return plan
        }
      }
      plan.steps.append(step)
      return plan
    }

    func merging(_ other: LoadPlan) -> LoadPlan { other.steps.reduce(self) { $0.adding($1) } }

    /// Prepares the tables of all relations. This must precede the snapshot, which must not be held
    /// during a write.
    func prepare(_ session: ModelSession) async throws {
      try await session.prepare(Owner.Row.self)
      for step in steps { try await step.prepare(session) }
    }

    func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws {
      if owners.isEmpty { return }
      for step in steps { try await step.load(owners, in: session, from: source) }
    }
  }
}

/// One relation of a plan.
protocol LoadStep<Owner>: Sendable {
  associatedtype Owner: TableModel

  func prepare(_ session: ModelSession) async throws

  /// Loads the relation of `owners`, and the nested plan for the rows that it refers to.
  func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws

  /// Returns a step that combines both steps; `nil` if they load different relations.
  func merging(_ other: any LoadStep<Owner>) -> (any LoadStep<Owner>)?

  /// Returns the session of the first owner that has one.
  func session(of owners: some Collection<Owner>) -> ModelSession?
}

private struct OneStep<Owner: TableModel, Target: TableModel>: LoadStep {
  let relation: any KeyPath<Owner, OneRelation<Target>> & Sendable
  var nested: ModelSession.LoadPlan<Target>

  func prepare(_ session: ModelSession) async throws {
    try await nested.prepare(try session.owningSession(of: Target.Row.self))
  }

  func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws {
    let relations = owners.map { $0[keyPath: relation] }
    let (owningSession, source) = try session.owningSession(of: Target.Row.self, source)
    _ = try await owningSession.load(relations, from: source)
    try await nested.load(unique(relations.compactMap(\._object)), in: owningSession, from: source)
  }

  func merging(_ other: any LoadStep<Owner>) -> (any LoadStep<Owner>)? {
    guard let other = other as? Self, other.relation == relation else { return nil }
    return OneStep(relation: relation, nested: nested.merging(other.nested))
  }

  func session(of owners: some Collection<Owner>) -> ModelSession? {
    owners.lazy.compactMap { $0[keyPath: relation].session }.first
  }
}

private struct ManyStep<Owner: TableModel, Target: TableModel>: LoadStep {
  let relation: any KeyPath<Owner, ManyRelation<Target>> & Sendable
  let limit: Int?
  var nested: ModelSession.LoadPlan<Target>

  func prepare(_ session: ModelSession) async throws { try await nested.prepare(session) }

  func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws {
    let lists = unique(owners.map { $0[keyPath: relation] })
    guard let first = lists.first else { return }
    let (_, query) = try await first.prepared()
    try await session.load(lists, lists.map(\.core), query, limit: limit, from: source)
    try await nested.load(unique(lists.flatMap(\.items)), in: session, from: source)
  }

  func merging(_ other: any LoadStep<Owner>) -> (any LoadStep<Owner>)? {
    guard let other = other as? Self, other.relation == relation else { return nil }
    // A step without a limit includes the rows of a step with one.
    let limit = self.limit.flatMap { own in other.limit.map { Swift.max(own, $0) } }
    return ManyStep(relation: relation, limit: limit, nested: nested.merging(other.nested))
  }

  func session(of owners: some Collection<Owner>) -> ModelSession? {
    owners.lazy.compactMap { $0[keyPath: relation].session }.first
  }
}

/// Returns the array without repeated objects. Values are all kept.
private func unique<Element>(_ all: [Element]) -> [Element] {
  guard Element.self is AnyObject.Type else { return all }
  var seen: Set<ObjectIdentifier> = []
  return all.filter { seen.insert(ObjectIdentifier($0 as AnyObject)).inserted }
}

extension Collection where Element: TableModel {
  /// Loads relations of all elements, of the rows that they refer to, and so on. Each relation of
  /// each level is loaded with one statement; all statements run in one read transaction.
  ///
  /// ```swift
  /// try await albums.load { $0.with(\.tracks) { $0.with(\.writer) }.with(\.label) }
  /// let writers = try albums[0].tracks.loaded().compactMap { try $0.writer.loaded() }
  /// ```
  ///
  /// Unsaved changes are kept.
  ///
  /// - Throws: `SQLiteError`; ``RelationError`` with code ``RelationError/Code/noOwner`` if a list
  ///   belongs to a row that was neither created nor fetched by a session. A missing target is not
  ///   an error here; ``OneRelation/loaded()`` reports it.
  public func load(_ make: (ModelSession.LoadPlan<Element>) -> ModelSession.LoadPlan<Element>)
    async throws
  {
    try await load(make(ModelSession.LoadPlan<Element>()))
  }

  /// Loads the relations of a plan: see ``load(_:)-(_)``.
  public func load(_ plan: ModelSession.LoadPlan<Element>) async throws {
    if isEmpty || plan.steps.isEmpty { return }
    let owners = Array(self)
    let session =
      try plan.steps.lazy.compactMap { $0.session(of: owners) }.first
      ?? ModelSession.current(for: Element.Row.autoDBSettings)
    try await plan.prepare(session)
    let revision = session.clock.tick()
    try await session.database.withSnapshot { snapshot in
      try await plan.load(owners, in: session, from: .snapshot(snapshot, at: revision))
    }
  }
}

extension ModelSession {
  /// Returns the rows that a query selects, with their relations loaded from the same snapshot.
  ///
  /// ```swift
  /// let albums = try await session.fetchAll(Album.self, "WHERE year = ?", [1981]) { $0.with(\.tracks) }
  /// ```
  ///
  /// - Throws: The same errors as `fetchAll(_:_:_:)`.
  public func fetchAll<M: TableModel>(
    _ type: M.Type, _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    loading make: (LoadPlan<M>) -> LoadPlan<M>
  ) async throws -> [M] {
    let plan = make(LoadPlan<M>())
    try await plan.prepare(self)
    let metadata = try TableMetadata.of(M.Row.self)
    let revision = clock.tick()
    return try await database.withSnapshot { snapshot in
      let rows = try await snapshot.read { connection in
        try connection.readRows(
          M.Row.self, metadata, "\(unsafe: metadata.selectSQL) \(sql: sql)", arguments)
      }
      let owners = M.instances(of: rows.read(at: revision), in: self)
      try await plan.load(owners, in: self, from: .snapshot(snapshot, at: revision))
      return owners
    }
  }
}

extension TableModel {
  /// Returns the rows that a query selects, with their relations loaded from the same snapshot: see
  /// ``ModelSession/LoadPlan``.
  ///
  /// ```swift
  /// let albums = try await Album.fetchQuery("WHERE year = ?", [1981]) { $0.with(\.tracks) }
  /// ```
  public static func fetchQuery(
    _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    loading make: (ModelSession.LoadPlan<Self>) -> ModelSession.LoadPlan<Self>
  ) async throws -> [Self] {
    try await session.fetchAll(Self.self, sql, arguments, loading: make)
  }
}
