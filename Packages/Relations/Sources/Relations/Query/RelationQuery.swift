public import Observation
internal import Primitives
public import SQLiteCore

/// The rows that a query finds, page by page, and as the database is by now.
///
/// ```swift
/// var cureAlbums = RelationQuery<Album>(
///   "WHERE artist = ?", arguments: ["The Cure"], initial: 4, limit: 20)
/// try await cureAlbums.fetchItems()  // nothing is fetched before
/// cureAlbums.items
/// cureAlbums.hasMore                 // whether there are rows that are not in items
/// try await cureAlbums.fetchMore()
/// ```
///
/// From the first fetch on it follows every commit that may concern it, whoever made it: rows that are changed are shown as
/// they are, in their order, and rows that the query no longer finds are gone from ``items``. It does not grow by itself: of new
/// rows ``hasMore`` tells, and ``fetchItems()`` and ``fetchMore()`` show them. With `showsNewRows` it does: then ``items``
/// are always the first ones, as many as were asked for. What is rolled back is never seen. Commits by other processes are
/// seen where `database.startObserving(.watched)` or `.exchanged` of Observe has asked for them.
///
/// It may be a property of a row, and then ask for its owner's values: see ``OwnerValue``. It takes no column.
///
/// What is shown can be observed, by Swift's Observation, and as a sequence: ``values``. It is followed for as long as
/// anybody holds the query; of a query that is a property, for as long as its owner is held.
public final class RelationQuery<Target: TableModel>: Sendable, Observable {
  let plan: QueryPlan<Target>
  private let home = Mutex(Home())

  /// What it was told before it was asked for anything.
  private struct Home {
    var core: QueryCore<Target>?
    var owner: RelationOwner?
    var binding: QueryBinding?
  }

  /// - Parameters:
  ///   - sql: What stands behind `SELECT … FROM` and the table. Where it says no order, rows are ordered by their keys, and
  ///     else by their keys where it leaves them alike. It may join other tables, and ask for anything but a limit.
  ///   - arguments: The values of its parameters; an ``OwnerValue`` for what its owner has.
  ///   - initial: How many rows ``fetchItems()`` fetches at first.
  ///   - limit: How many ``fetchMore()`` adds.
  ///   - showsNewRows: Whether rows that are new to what the query finds are shown by themselves.
  public convenience init(
    _ sql: SQL = "", arguments: [QueryArgument] = [], initial: Int = 5, limit: Int = 100,
    showsNewRows: Bool = false
  ) {
    self.init(
      QueryPlan(sql, arguments, initial: initial, limit: limit, showsNewRows: showsNewRows))
  }

  init(_ plan: QueryPlan<Target>) { self.plan = plan }

  var core: QueryCore<Target> {
    home.withLock { home in
      if let core = home.core { return core }
      let core = QueryCore(plan)
      core.with { state in
        state.owner = home.owner
        state.isOfModel = home.owner?.model != nil
        state.binding = home.binding
      }
      home.core = core
      return core
    }
  }

  // MARK: What is there

  /// The rows that were fetched, as they are by now.
  ///
  /// Models among them become what their rows say as they are asked for here, on the actor of whoever asks, unless they have
  /// changes of their own.
  public var items: [Target] { core.items }

  /// Whether the query finds rows that are not in ``items``.
  public var hasMore: Bool { core.hasMore }

  /// Whether anything was fetched.
  public var isLoaded: Bool { core.isLoaded }

  /// What went wrong as a commit was followed, until that succeeds again; ``items`` stay as they were.
  public var failure: (any Error)? { core.failure }

  // MARK: Fetching

  /// Fetches the first rows; if that was done, as many as were asked for, with those that are new among them.
  ///
  /// - Throws: `SQLiteError` where the query does not compile or fails, with code `unsupported` where SQLite can't tell of
  ///   commits; ``RelationError`` with code ``RelationError/Code/invalidQuery`` where the text says a limit of its own, has a
  ///   semicolon, or ends within a comment, with code ``RelationError/Code/noOwner`` where it asks for a value of an owner,
  ///   and the query is no property of a row that a session has made or fetched. An owner that is not saved is no error: then
  ///   there are no rows.
  public func fetchItems() async throws { try await core.fetch(.again) }

  /// Fetches the next rows. Who asks while that is done waits for the same.
  ///
  /// - Throws: As ``fetchItems()``.
  public func fetchMore() async throws { try await core.fetch(.more) }

  /// Fetches as many rows as were asked for anew, and the values of the owner.
  ///
  /// - Throws: As ``fetchItems()``.
  public func refresh() async throws { try await core.fetch(.again) }

  /// Goes back to the first rows.
  ///
  /// - Throws: As ``fetchItems()``.
  public func restart() async throws { try await core.fetch(.restart) }

  /// How many rows the query finds.
  ///
  /// - Throws: As ``fetchItems()``.
  public func totalCount() async throws -> Int { try await core.totalCount() }
}

// MARK: As a property

extension RelationQuery: AnyRelation {
  var relationKind: RelationKind { .none }

  func fresh(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    RelationQuery(plan)
  }

  func attach(_ owner: RelationOwner, _ property: String) {
    let core = home.withLock { home in
      home.owner = owner
      return home.core
    }
    core?.with { state in
      state.owner = owner
      state.isOfModel = owner.model != nil
    }
    // It is attached on the actor of whoever has fetched or made the instance.
    if let row = owner.row { noteOwner(row, isUnsaved: owner.isUnsaved) }
  }

  func takeOver(_ former: any AnyRelation) {
    guard let former = former as? RelationQuery, former !== self else { return }
    let core = former.home.withLock(\.core)
    // What nobody has asked for anything is nothing to take over, but whoever has it may ask yet.
    let shared = core ?? former.core
    home.withLock { $0.core = shared }
  }

  var isChanged: Bool { false }
}

extension RelationQuery: OwnerFollower {
  func noteOwner(_ row: any Table, isUnsaved: Bool) {
    let core = home.withLock { home in
      if home.core == nil, home.owner?.model == nil {
        home.binding = try? plan.bind(row, isUnsaved: isUnsaved)
      }
      return home.core
    }
    core?.noteOwner(row, isUnsaved: isUnsaved)
  }
}

extension RelationQuery: Hashable {
  /// A query is no part of its owner's row: all are equal.
  public static func == (a: RelationQuery, b: RelationQuery) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension RelationQuery: Codable {
  /// Reads nothing: a query is code, and no part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init() }

  /// Writes nothing but `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

extension RelationQuery {
  /// What is shown, and again whenever that has changed.
  ///
  /// ```swift
  /// for try await albums in cureAlbums.values { show(albums) }
  /// ```
  ///
  /// It begins with what is shown already, or where nothing was fetched, by fetching the first rows. Who is slow gets the latest.
  /// It ends where the task is cancelled, and throws what a fetch fails with, also one that a commit has caused; the query
  /// itself goes on, and another iteration may begin. It never gives equal results one after the other.
  public var values: Values { Values(query: self) }

  /// See ``RelationQuery/values``.
  public struct Values: AsyncSequence, Sendable {
    public typealias Element = [Target]
    public typealias Failure = any Error

    let query: RelationQuery

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }
  }

  /// One iteration of ``RelationQuery/values``.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let query: RelationQuery
    private let listening: Listening
    private var told: AsyncStream<Void>.AsyncIterator
    private var last: [Target.Row]?

    fileprivate init(query: RelationQuery) {
      self.query = query
      let core = query.core
      let (number, told) = core.listen()
      listening = Listening(core: core, number: number)
      self.told = told.makeAsyncIterator()
    }

    /// The next result, with its models as they are on the actor of whoever asks.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [Target]? {
      if last == nil {
        if Task.isCancelled { return nil }
        if !query.core.isLoaded { try await query.core.fetch(.again) }
        return take() ?? []
      }
      while try await told.nextElement(isolation: actor) != nil {
        if let failure = query.core.failure { throw failure }
        if let items = take() { return items }
      }
      return nil
    }

    /// The same as `next(isolation:)`, which systems before macOS 15 do not call.
    public mutating func next() async throws -> [Target]? {
      try await next(isolation: #isolation)
    }

    /// What is shown, unless that is what was given last.
    private mutating func take() -> [Target]? {
      let rows = query.core.with { $0.rows.map(\.row) }
      if rows == last { return nil }
      last = rows
      return query.core.items
    }
  }

  /// Ends with the iterator.
  private final class Listening: Sendable {
    let core: QueryCore<Target>
    let number: Int

    init(core: QueryCore<Target>, number: Int) {
      self.core = core
      self.number = number
    }

    deinit { core.endListening(number) }
  }
}
