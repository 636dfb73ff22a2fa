public import Observation
internal import Primitives
public import SQLiteCore

/// The rows that a query selects, fetched in pages and kept up to date.
///
/// ```swift
/// var cureAlbums = RelationQuery<Album>(
///   "WHERE artist = ?", arguments: ["The Cure"], initial: 4, limit: 20)
/// try await cureAlbums.fetchItems()  // creating the query fetches no rows
/// cureAlbums.items
/// cureAlbums.hasMore                 // whether there are rows that are not in items
/// try await cureAlbums.fetchMore()
/// ```
///
/// After the first fetch, the query follows every commit that may affect it, including commits by
/// other connections: changed rows are updated and reordered, and rows that the query no longer
/// selects are removed from ``items``. New rows are not added automatically: ``hasMore`` indicates
/// them, and ``fetchItems()`` and ``fetchMore()`` show them. With `showsNewRows`, they are added:
/// ``items`` then always contains the first rows, up to the requested number. Changes that are
/// rolled back are never visible. Commits by other processes are included if
/// `database.startObserving(.watched)` or `.exchanged` of Observe was called.
///
/// A query can be a property of a row and use its owner's values: see ``OwnerValue``. The property
/// has no column.
///
/// The result can be observed with Swift's Observation, and as a sequence: ``values``. It is kept
/// up to date as long as the query is referenced; a query that is a property, as long as its owner
/// is referenced.
public final class RelationQuery<Target: TableModel>: Sendable, Observable {
  let plan: QueryPlan<Target>
  private let lazyCore = Mutex(LazyCore())

  /// The state that is set before the core is created.
  private struct LazyCore {
    var core: QueryCore<Target>?
    var owner: RelationOwner?
    var binding: QueryBinding?
  }

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - sql: The SQL after `SELECT … FROM` and the table. Rows are ordered by its `ORDER BY`
  ///     clause, if any, and then by their keys. It may join other tables and use any clause except
  ///     a limit.
  ///   - arguments: The values of the parameters; an ``OwnerValue`` for a value of the query's
  ///     owner.
  ///   - initial: The number of rows that the first ``fetchItems()`` fetches.
  ///   - limit: The number of rows that ``fetchMore()`` adds.
  ///   - showsNewRows: Whether new rows of the result are shown automatically.
  public convenience init(
    _ sql: SQL = "", arguments: [QueryArgument] = [], initial: Int = 5, limit: Int = 100,
    showsNewRows: Bool = false
  ) {
    self.init(
      QueryPlan(sql, arguments, initial: initial, limit: limit, showsNewRows: showsNewRows))
  }

  init(_ plan: QueryPlan<Target>) { self.plan = plan }

  var core: QueryCore<Target> {
    lazyCore.withLock { lazyCore in
      if let core = lazyCore.core { return core }
      let core = QueryCore(plan)
      core.with { state in
        state.owner = lazyCore.owner
        state.ownerIsModel = lazyCore.owner?.model != nil
        state.binding = lazyCore.binding
      }
      lazyCore.core = core
      return core
    }
  }

  // MARK: Rows

  /// The fetched rows, kept up to date.
  ///
  /// Models are refreshed when this property is read, on the caller's actor, unless they have
  /// unsaved changes.
  public var items: [Target] { core.items }

  /// A Boolean value that indicates whether the query selects rows that are not in ``items``.
  public var hasMore: Bool { core.hasMore }

  /// A Boolean value that indicates whether rows were fetched.
  public var isLoaded: Bool { core.isLoaded }

  /// The error from the most recent refresh after a commit, or `nil` if it succeeded. After an
  /// error, ``items`` is unchanged.
  public var failure: (any Error)? { core.failure }

  // MARK: Fetching

  /// Fetches the first rows. If rows were fetched before, fetches the same number of rows again,
  /// including new rows.
  ///
  /// - Throws: `SQLiteError` if the query can't be compiled or fails, with code `unsupported` if
  ///   SQLite can't report commits; ``RelationError`` with code ``RelationError/Code/invalidQuery``
  ///   if the text has a limit or a semicolon, or ends within a comment, with code
  ///   ``RelationError/Code/noOwner`` if it uses an owner's value but is not a property of a row
  ///   that a session has created or fetched. An unsaved owner is not an error: the result is
  ///   empty.
  public func fetchItems() async throws { try await core.fetch(.again) }

  /// Fetches the next rows. Concurrent calls share one fetch.
  ///
  /// - Throws: The same errors as ``fetchItems()``.
  public func fetchMore() async throws { try await core.fetch(.more) }

  /// Reads the owner's values and fetches the requested number of rows again.
  ///
  /// - Throws: The same errors as ``fetchItems()``.
  public func refresh() async throws { try await core.fetch(.again) }

  /// Returns to the first page.
  ///
  /// - Throws: The same errors as ``fetchItems()``.
  public func restart() async throws { try await core.fetch(.restart) }

  /// Returns the number of rows that the query selects.
  ///
  /// - Throws: The same errors as ``fetchItems()``.
  public func totalCount() async throws -> Int { try await core.totalCount() }
}

// MARK: Relation

extension RelationQuery: AnyRelation {
  var relationKind: RelationKind { .none }

  func instantiate(
    from row: borrowing Row, _ column: ColumnIndex?, _ property: String
  ) -> any AnyRelation {
    RelationQuery(plan)
  }

  func attach(_ owner: RelationOwner, _ property: String) {
    let core = lazyCore.withLock { lazyCore in
      lazyCore.owner = owner
      return lazyCore.core
    }
    core?.with { state in
      state.owner = owner
      state.ownerIsModel = owner.model != nil
    }
    // Called on the actor of the code that fetched or created the instance.
    if let row = owner.row { updateOwnerRow(row, isUnsaved: owner.isUnsaved) }
  }

  func adoptState(_ former: any AnyRelation) {
    guard let former = former as? RelationQuery, former !== self else { return }
    let core = former.lazyCore.withLock(\.core)
    // The former query's core is created if necessary, since code that holds the query may still
    // fetch with it.
    let shared = core ?? former.core
    lazyCore.withLock { $0.core = shared }
  }

  var isChanged: Bool { false }

  var readsOwnerRow: Bool { true }

  func updateOwnerRow(_ row: any Table, isUnsaved: Bool) {
    let core = lazyCore.withLock { lazyCore in
      if lazyCore.core == nil, lazyCore.owner?.model == nil {
        lazyCore.binding = try? plan.bind(row, isUnsaved: isUnsaved)
      }
      return lazyCore.core
    }
    core?.updateOwnerRow(row, isUnsaved: isUnsaved)
  }
}

extension RelationQuery: Hashable {
  /// All queries are equal, because a query is not part of its owner's row.
  public static func == (a: RelationQuery, b: RelationQuery) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}

extension RelationQuery: Codable {
  /// Decodes nothing, because a query is not part of its owner's row.
  public convenience init(from decoder: any Decoder) throws { self.init() }

  /// Encodes `nil`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

extension RelationQuery {
  /// A sequence of results: the current result, and a new one after each change.
  ///
  /// ```swift
  /// for try await albums in cureAlbums.values { show(albums) }
  /// ```
  ///
  /// The sequence begins with the rows that are already shown, or else by fetching the first rows.
  /// A slow consumer receives only the latest result. Iteration ends when the task is cancelled. It
  /// throws the error of a fetch or of a refresh after a commit; the query remains usable, and a
  /// new iteration can begin. Consecutive results are never equal.
  public var values: Values { Values(query: self) }

  /// See ``RelationQuery/values``.
  public struct Values: AsyncSequence, Sendable {
    public typealias Element = [Target]
    public typealias Failure = any Error

    let query: RelationQuery

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query: query) }
  }

  /// An iterator of ``RelationQuery/values``.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let query: RelationQuery
    private var updates: AsyncStream<Void>.AsyncIterator
    private var last: [Target.Row]?

    fileprivate init(query: RelationQuery) {
      self.query = query
      updates = query.core.updates().makeAsyncIterator()
    }

    /// Returns the next result. Its models are refreshed on the caller's actor.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> [Target]? {
      if last == nil {
        if Task.isCancelled { return nil }
        if !query.core.isLoaded { try await query.core.fetch(.again) }
        return newItems() ?? []
      }
      while try await updates.nextElement(isolation: actor) != nil {
        if let failure = query.core.failure { throw failure }
        if let items = newItems() { return items }
      }
      return nil
    }

    /// The same as `next(isolation:)`, for systems before macOS 15, which don't call that method.
    public mutating func next() async throws -> [Target]? {
      try await next(isolation: #isolation)
    }

    /// Returns the shown rows, unless they were returned last.
    private mutating func newItems() -> [Target]? {
      let rows = query.core.with { $0.rows.map(\.row) }
      if rows == last { return nil }
      last = rows
      return query.core.items
    }
  }
}
