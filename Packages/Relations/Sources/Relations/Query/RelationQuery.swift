public import Observation
internal import Observe
internal import SQLiteCore
internal import Synchronization

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
/// From the first fetch on it follows every commit, whoever made it: rows that are changed are shown as they are, in their
/// order, and rows that the query no longer finds are gone from ``items``. It does not grow by itself: of new rows
/// ``hasMore`` tells, and ``fetchItems()`` and ``fetchMore()`` show them.
///
/// It may be a property of a row, and then ask for its owner's values: see ``OwnerValue``. It takes no column.
public final class RelationQuery<Target: TableModel>: Sendable, Observable {
  let text: QueryText
  let arguments: [QueryArgument]
  let initial: Int
  let limit: Int
  private let state = Mutex(State())
  private let registrar = ObservationRegistrar()

  struct State: Sendable {
    /// The rows that are shown, as they were read last.
    var rows: [FetchedRow<Target.Row>] = []
    /// What stands for them; `nil` where they are newer.
    var items: [Target]?
    var isLoaded = false
    var hasMore = false
    var owner: RelationOwner?
    var session: ModelSession?
    var follower: Task<Void, Never>?
    var successor: RelationQuery?
  }

  /// - Parameters:
  ///   - sql: What stands behind `SELECT … FROM` and the table. Where it says no order, rows are ordered by their keys.
  ///   - arguments: The values of its parameters; an ``OwnerValue`` for what its owner has.
  ///   - initial: How many rows ``fetchItems()`` fetches at first.
  ///   - limit: How many ``fetchMore()`` adds.
  public init(
    _ sql: String = "", arguments: [QueryArgument] = [], initial: Int = 5, limit: Int = 100
  ) {
    text = QueryText(sql)
    self.arguments = arguments
    self.initial = Swift.max(1, initial)
    self.limit = Swift.max(1, limit)
  }

  deinit { state.withLock { $0.follower }?.cancel() }

  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, successor) = state.withLock { state -> (Result?, RelationQuery?) in
      if let successor = state.successor { return (nil, successor) }
      return (body(&state), nil)
    }
    if let result { return result }
    guard let successor else { return with(body) }
    return successor.with(body)
  }

  // MARK: What is there

  /// The rows that were fetched, as they are by now.
  public var items: [Target] {
    registrar.access(self, keyPath: \.items)
    let (known, rows, session) = with { ($0.items, $0.rows, $0.session) }
    if let known { return known }
    guard let session else { return [] }
    // Here, and not where the commit was heard of: models are changed on the actor of whoever asks.
    let items = rows.map { Target.instance(of: $0, in: session) }
    let owner = with { state in
      state.items = items
      return state.owner
    }
    owner?.noteLoaded()
    return items
  }

  /// Whether the query finds rows that are not in ``items``.
  public var hasMore: Bool {
    registrar.access(self, keyPath: \.hasMore)
    return with(\.hasMore)
  }

  /// Whether anything was fetched.
  public var isLoaded: Bool { with(\.isLoaded) }

  // MARK: Fetching

  /// Fetches the first rows; if that was done, those that are new among the ones that are shown.
  ///
  /// - Throws: `SQLiteError` where the query does not compile or fails; ``RelationError`` with code
  ///   ``RelationError/Code/invalidQuery`` where it says a limit of its own.
  public func fetchItems() async throws {
    try await fetch(atLeast: Swift.max(initial, with(\.rows.count)))
  }

  /// Fetches the next rows.
  ///
  /// - Throws: As ``fetchItems()``.
  public func fetchMore() async throws {
    let (isLoaded, count) = with { ($0.isLoaded, $0.rows.count) }
    try await fetch(atLeast: isLoaded ? count + limit : initial)
  }

  /// Forgets all, and fetches the first rows.
  ///
  /// - Throws: As ``fetchItems()``.
  public func restart() async throws { try await fetch(atLeast: initial) }

  private func fetch(atLeast count: Int) async throws {
    let session =
      try with { $0.owner?.session }
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
    try await session.prepare(Target.Row.self)
    let window = try window(count + 1)
    let rows = try await session.database.read { try window.read($0) }
    show(Array(rows.prefix(count)), hasMore: rows.count > count, session)
    try await follow(session)
  }

  private func show(_ rows: [FetchedRow<Target.Row>], hasMore: Bool, _ session: ModelSession) {
    registrar.withMutation(of: self, keyPath: \.items) {
      registrar.withMutation(of: self, keyPath: \.hasMore) {
        with { state in
          state.rows = rows
          state.items = nil
          state.hasMore = hasMore
          state.isLoaded = true
          state.session = session
        }
      }
    }
  }

  /// The rows that are read: as many, and in a certain order.
  struct Window: Sendable {
    let sql: String
    let arguments: [QueryArgument]

    func read(_ connection: Connection) throws -> [FetchedRow<Target.Row>] {
      let shape = try TableShape.of(Target.Row.self)
      return try connection.fetchRows(Target.Row.self, shape, sql, arguments)
    }
  }

  private func window(_ count: Int) throws -> Window {
    let shape = try TableShape.of(Target.Row.self)
    guard !text.hasLimit else {
      throw RelationError(
        .invalidQuery, "the query says a limit of its own: initial and limit say it",
        table: shape.table)
    }
    let owner = with(\.owner)
    let resolved = try arguments.map { argument -> QueryArgument in
      guard let value = argument as? OwnerValue else { return argument }
      guard let row = owner?.row, let found = value.resolve(row) else {
        throw RelationError(
          .noOwner, "the query asks for a value of an owner, and has none", table: shape.table)
      }
      return found
    }
    let table = SQLName.quoted(shape.table)
    let keys = shape.keyNames.map { "\(table).\(SQLName.quoted($0))" }.joined(separator: ", ")
    let order = text.hasOrder ? ", \(keys)" : " ORDER BY \(keys)"
    return Window(
      sql: "\(shape.selectSQL) \(text.sql)\n\(order) LIMIT \(count)", arguments: resolved)
  }

  // MARK: Following

  /// Follows the commits from now on.
  private func follow(_ session: ModelSession) async throws {
    guard with({ $0.follower == nil }) else { return }
    try await session.database.startObserving()
    let values = session.database.observe { [weak self] connection in
      guard let self else { return [FetchedRow<Target.Row>]() }
      return try self.window(self.with(\.rows.count) + 1).read(connection)
    }
    let task = Task { [weak self] in
      do {
        for try await rows in values { self?.take(rows, session) }
      } catch {
        // The next fetch tells.
      }
    }
    let former = with { state -> Task<Void, Never>? in
      defer { state.follower = task }
      return state.follower
    }
    former?.cancel()
  }

  /// Takes what the query finds by now: of what was shown, and one row more.
  private func take(_ rows: [FetchedRow<Target.Row>], _ session: ModelSession) {
    let shown = Set(with(\.rows).map(\.row.id))
    let kept = rows.filter { shown.contains($0.row.id) }
    let (isSame, hadMore) = with { state in
      (state.rows.map(\.row) == kept.map(\.row), state.hasMore)
    }
    let hasMore = rows.count > kept.count || hadMore && rows.count > shown.count
    if !isSame || hasMore != hadMore { show(kept, hasMore: hasMore, session) }
  }
}

extension RelationOwner {
  /// The owner's row as it is here.
  var row: (any Table)? { model.map { Self.row(of: $0) } }

  private static func row(of model: some Model) -> any Table { model.value }
}
