public import Providers
public import Router
public import SQLiteCore
internal import Primitives

/// Runs routes on what a provider has open: a database, or a file in JSON, XML, CSV or SPON.
///
/// ```swift
/// let provider = JSONProvider()
/// try provider.openSource("Tasks.json")
/// var executor = ProviderRouteExecutor(provider)
/// executor.limits.maximumRows = 1_000
/// let tasks = try await executor.values(Task.self, for: .fetch(from: "Task"))
/// try await executor.perform(.delete(id: 3, from: "Task"))
/// try provider.persist()
/// ```
///
/// Routes are run as by a `SQLiteRouteExecutor`, and are one more way to the provider's tables, beside its SQL and its
/// objects: `persist` writes what they have changed, and while a transaction is open that `beginTransaction` began,
/// they are a part of it. An observed route is told of all changes, whichever way they were made.
///
/// The provider may open another source, which routes then run on. While it has none, a route ends with `ProviderError`
/// of code `notOpen`; one that writes to a source that was opened for reading alone, with that of code `readOnly`.
/// An observation is of the source that was open as its iteration began, and ends with `SQLiteError` of code `closed`
/// when that is closed. It shows what is committed; one that begins while a transaction is open may wait for its end, so
/// that who has left one open must not wait for a value. A route in `@Query` likewise stays with its source, or with the
/// error that there was none: once another one is open, a query that begins is of that one, and for one that has begun,
/// `QueryController.refresh()` has it begin anew there.
public struct ProviderRouteExecutor: LiveRouteExecutor {
  /// Whose source the routes run on.
  public let provider: any DataProvider
  private var settings = Settings() { didSet { opened = OpenedRoutes() } }
  private var opened = OpenedRoutes()

  public init(_ provider: any DataProvider) { self.provider = provider }

  // MARK: Settings

  /// How rows become values.
  public var decoder: RowDecoder {
    get { settings.decoder }
    set { settings.decoder = newValue }
  }

  /// How large routes may be, and how many rows they may touch.
  public var limits: DatabaseRoute.Limits {
    get { settings.limits }
    set { settings.limits = newValue }
  }

  /// What looks at each route before it runs, in this order.
  public var policies: [SQLiteRouteExecutor.Policy] {
    get { settings.policies }
    set { settings.policies = newValue }
  }

  /// The only rows of a table that routes may read, write and leave behind: see `SQLiteRouteExecutor.rowFilters`.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] {
    get { settings.rowFilters }
    set { settings.rowFilters = newValue }
  }

  // MARK: RouteExecutor

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await running { try await $0.run(route) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await running { try await $0.values(type, for: route, expecting: expectation) }
  }

  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try await running { try await $0.run(routes) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await running { try await $0.values(type, forEach: routes, expecting: expectation) }
  }

  public func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]> {
    DatabaseRoute.Observation(asking: {
      try current().observing.observe(type, for: route, expecting: expectation)
    })
  }

  // MARK: More

  /// Runs a route that reads, and counts the rows that there are without its limit, at the same moment.
  ///
  /// - Throws: As `SQLiteRouteExecutor.countedValues(_:for:counting:)`; `ProviderError`.
  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute,
    counting: DatabaseRoute.Counting = .exact
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount) {
    try await running { try await $0.countedValues(type, for: route, counting: counting) }
  }

  /// Runs several routes in one transaction that may write, and what of Swift stands between them.
  ///
  /// In a transaction of the provider that is open, it is a part that can be undone by itself.
  ///
  /// - Throws: What `body` throws; then nothing is written. `ProviderError`.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (RouteTransaction) throws -> Result
  ) async throws -> Result {
    try await running { try await $0.transaction(body) }
  }

  /// Runs a route, tells what it came to, and undoes it.
  ///
  /// - Throws: As `SQLiteRouteExecutor.dryRun(_:)`; `ProviderError`.
  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await running { try await $0.dryRun(route) }
  }

  /// How SQLite would run a route.
  ///
  /// - Throws: As `SQLiteRouteExecutor.explain(_:)`; `ProviderError`.
  public func explain(_ route: DatabaseRoute) async throws -> QueryPlan {
    try await running { try await $0.explain(route) }
  }

  // MARK: The source

  /// Runs `body` on what is open, and on what has taken its place where that happens before it begins.
  private func running<Result: Sendable>(
    _ body: (SQLiteRouteExecutor) async throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await body(current().running)
      } catch is SourceReplaced {
        try Task.checkCancellation()
      }
    }
  }

  private func current() throws -> OpenedRoutes.Executors {
    let source = try provider.reader()
    return opened.executors(of: source) {
      OpenedRoutes.Executors(
        source: source,
        running: settings.applied(
          to: SQLiteRouteExecutor(ProviderDatabase(provider, source: source))),
        observing: settings.applied(to: SQLiteRouteExecutor(readingFrom: source)))
    }
  }

  private struct Settings: Sendable {
    var decoder = RowDecoder()
    var limits = DatabaseRoute.Limits()
    var policies: [SQLiteRouteExecutor.Policy] = []
    var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]

    func applied(to executor: SQLiteRouteExecutor) -> SQLiteRouteExecutor {
      var executor = executor
      executor.decoder = decoder
      executor.limits = limits
      executor.policies = policies
      executor.rowFilters = rowFilters
      return executor
    }
  }
}

/// The executors of the source that is open: what they know of its schema is no other's.
private final class OpenedRoutes: Sendable {
  struct Executors: Sendable {
    let source: any DatabaseReader
    let running: SQLiteRouteExecutor
    /// Has the database itself, whose commits it follows.
    let observing: SQLiteRouteExecutor
  }

  private let state = Mutex<Executors?>(nil)

  func executors(of source: any DatabaseReader, _ make: () -> Executors) -> Executors {
    state.withLock { known in
      if let known, known.source === source { return known }
      let made = make()
      known = made
      return made
    }
  }
}

extension DatabaseRouter {
  /// A router over what a provider has open, with a ``ProviderRouteExecutor``.
  ///
  /// ```swift
  /// let router = DatabaseRouter<Routes>(provider)
  /// let todos: [Todo] = try await router(.todos(.fetch))
  /// ```
  public init(_ provider: any DataProvider) { self.init(ProviderRouteExecutor(provider)) }
}
