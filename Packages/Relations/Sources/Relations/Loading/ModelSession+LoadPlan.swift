public import SQLiteCore

extension ModelSession {
  /// Which relations of some rows are to be loaded, which relations of those that they lead to, and so on.
  ///
  /// ```swift
  /// try await albums.load { $0.with(\.tracks) { $0.with(\.writer) }.with(\.label) }
  ///
  /// let plan = ModelSession.LoadPlan<Album>().with(\.tracks, limit: 3).with(\.label)
  /// try await albums.load(plan)
  /// ```
  ///
  /// Each relation of each level is one statement, however many rows there are, and all of them read the database as it was at
  /// one moment. Where no row leads further, nothing is read. A relation that is named twice is loaded once, with what both say
  /// of it.
  public struct LoadPlan<Owner: TableModel>: Sendable {
    private(set) var steps: [any LoadStep<Owner>] = []

    /// A plan that loads nothing.
    public init() {}

    /// Loads a to-one relation too, unless it was loaded before.
    ///
    /// - Parameters:
    ///   - relation: The relation.
    ///   - further: What is to be loaded of the rows that it leads to.
    public func with<Target: TableModel>(
      _ relation: any KeyPath<Owner, OneRelation<Target>> & Sendable,
      _ further: (LoadPlan<Target>) -> LoadPlan<Target> = { $0 }
    ) -> LoadPlan {
      adding(OneStep(relation: relation, further: further(LoadPlan<Target>())))
    }

    /// Loads a list too: anew, where it was loaded before.
    ///
    /// - Parameters:
    ///   - relation: The list.
    ///   - limit: The most that are loaded for each owner, whose ``ManyRelation/hasMore`` says whether there are others; all where it is
    ///     `nil`.
    ///   - further: What is to be loaded of the rows in it.
    public func with<Target: TableModel>(
      _ relation: any KeyPath<Owner, ManyRelation<Target>> & Sendable, limit: Int? = nil,
      _ further: (LoadPlan<Target>) -> LoadPlan<Target> = { $0 }
    ) -> LoadPlan {
      adding(ManyStep(relation: relation, limit: limit, further: further(LoadPlan<Target>())))
    }

    private func adding(_ step: some LoadStep<Owner>) -> LoadPlan {
      var plan = self
      for (place, known) in steps.enumerated() {
        if let merged = known.merging(step) {
          plan.steps[place] = merged
          return plan
        }
      }
      plan.steps.append(step)
      return plan
    }

    func merging(_ other: LoadPlan) -> LoadPlan { other.steps.reduce(self) { $0.adding($1) } }

    /// Makes the tables what their types say: that is not to be done while the moment is held.
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

  /// Loads the relation of owners, and what the plan says of those that it leads to.
  func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws

  /// Both in one, where they are of one relation.
  func merging(_ other: any LoadStep<Owner>) -> (any LoadStep<Owner>)?

  /// The session of the first owner that has one.
  func session(of owners: some Collection<Owner>) -> ModelSession?
}

private struct OneStep<Owner: TableModel, Target: TableModel>: LoadStep {
  let relation: any KeyPath<Owner, OneRelation<Target>> & Sendable
  var further: ModelSession.LoadPlan<Target>

  func prepare(_ session: ModelSession) async throws {
    try await further.prepare(try session.home(of: Target.Row.self))
  }

  func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws {
    let relations = owners.map { $0[keyPath: relation] }
    let (home, source) = try session.home(of: Target.Row.self, source)
    _ = try await home.load(relations, from: source)
    try await further.load(unique(relations.compactMap(\._object)), in: home, from: source)
  }

  func merging(_ other: any LoadStep<Owner>) -> (any LoadStep<Owner>)? {
    guard let other = other as? Self, other.relation == relation else { return nil }
    return OneStep(relation: relation, further: further.merging(other.further))
  }

  func session(of owners: some Collection<Owner>) -> ModelSession? {
    owners.lazy.compactMap { $0[keyPath: relation].session }.first
  }
}

private struct ManyStep<Owner: TableModel, Target: TableModel>: LoadStep {
  let relation: any KeyPath<Owner, ManyRelation<Target>> & Sendable
  let limit: Int?
  var further: ModelSession.LoadPlan<Target>

  func prepare(_ session: ModelSession) async throws { try await further.prepare(session) }

  func load(_ owners: [Owner], in session: ModelSession, from source: LoadSource) async throws {
    let lists = unique(owners.map { $0[keyPath: relation] })
    guard let first = lists.first else { return }
    let (_, query) = try await first.prepared()
    try await session.load(lists, lists.map(\.core), query, limit: limit, from: source)
    try await further.load(unique(lists.flatMap(\.items)), in: session, from: source)
  }

  func merging(_ other: any LoadStep<Owner>) -> (any LoadStep<Owner>)? {
    guard let other = other as? Self, other.relation == relation else { return nil }
    // One that asks for all has those that the other asks for.
    let limit = self.limit.flatMap { own in other.limit.map { Swift.max(own, $0) } }
    return ManyStep(relation: relation, limit: limit, further: further.merging(other.further))
  }

  func session(of owners: some Collection<Owner>) -> ModelSession? {
    owners.lazy.compactMap { $0[keyPath: relation].session }.first
  }
}

/// The same without those that stood there before, by identity: values are all different.
private func unique<Element>(_ all: [Element]) -> [Element] {
  guard Element.self is AnyObject.Type else { return all }
  var known: Set<ObjectIdentifier> = []
  return all.filter { known.insert(ObjectIdentifier($0 as AnyObject)).inserted }
}

extension Collection where Element: TableModel {
  /// Loads relations of all of these, relations of those that they lead to, and so on: a statement for each relation and level, in
  /// one read transaction.
  ///
  /// ```swift
  /// try await albums.load { $0.with(\.tracks) { $0.with(\.writer) }.with(\.label) }
  /// let writers = try albums[0].tracks.loaded().compactMap { try $0.writer.loaded() }
  /// ```
  ///
  /// What was set or changed here and is not saved stays as it is.
  ///
  /// - Throws: `SQLiteError`; ``RelationError`` with code ``RelationError/Code/noOwner`` where a list is of a row that was neither made
  ///   nor fetched by a session. A target that is gone is no error: ``OneRelation/loaded()`` tells of it.
  public func load(_ make: (ModelSession.LoadPlan<Element>) -> ModelSession.LoadPlan<Element>)
    async throws
  {
    try await load(make(ModelSession.LoadPlan<Element>()))
  }

  /// Loads what a plan says: see ``load(_:)-(_)``.
  public func load(_ plan: ModelSession.LoadPlan<Element>) async throws {
    if isEmpty || plan.steps.isEmpty { return }
    let owners = Array(self)
    let session =
      try plan.steps.lazy.compactMap { $0.session(of: owners) }.first
      ?? ModelSession.current(for: Element.Row.autoDBSettings)
    try await plan.prepare(session)
    let moment = session.clock.tick()
    try await session.database.withSnapshot { snapshot in
      try await plan.load(owners, in: session, from: .snapshot(snapshot, at: moment))
    }
  }
}

extension ModelSession {
  /// The rows that a query finds, with what they lead to: all as it was at one moment.
  ///
  /// ```swift
  /// let albums = try await session.fetchAll(Album.self, "WHERE year = ?", [1981]) { $0.with(\.tracks) }
  /// ```
  ///
  /// - Throws: As `fetchAll(_:_:_:)`.
  public func fetchAll<M: TableModel>(
    _ type: M.Type, _ sql: SQL = "", _ arguments: [QueryArgument] = [],
    loading make: (LoadPlan<M>) -> LoadPlan<M>
  ) async throws -> [M] {
    let plan = make(LoadPlan<M>())
    try await plan.prepare(self)
    let shape = try TableMetadata.of(M.Row.self)
    let moment = clock.tick()
    return try await database.withSnapshot { snapshot in
      let rows = try await snapshot.read { connection in
        try connection.readRows(
          M.Row.self, shape, "\(unsafe: shape.selectSQL) \(sql: sql)", arguments)
      }
      let owners = M.instances(of: rows.read(at: moment), in: self)
      try await plan.load(owners, in: self, from: .snapshot(snapshot, at: moment))
      return owners
    }
  }
}

extension TableModel {
  /// The rows that a query finds, with what they lead to, as it was at one moment: see ``ModelSession/LoadPlan``.
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
