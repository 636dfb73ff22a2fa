public import Providers
public import Router
public import SQLiteCore
internal import Primitives

/// Runs routes on the source that a provider has opened: a database, or a file in JSON, XML, CSV or
/// SPON.
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
/// Routes run as with a `SQLiteRouteExecutor`, as another way to access the provider's tables, in
/// addition to SQL and objects: `persist` also writes their changes, and while a transaction
/// started by `beginTransaction` is open, they are part of it. An observed route observes all
/// changes, from any access.
///
/// If the provider opens another source, later routes run on that source. If no source is open, a
/// route throws `ProviderError` with code `notOpen`; a route that writes to a source opened
/// read-only throws the error with code `readOnly`.
///
/// An observation reads the source that was open when its iteration began, and ends with
/// `SQLiteError` of code `closed` when that source is closed. It shows committed values. An
/// observation that begins while a transaction is open may wait for its end, so don't wait for a
/// value while keeping a transaction open. Similarly, a route in `@Query` keeps its source, or the
/// error that no source was open: after another source is opened, new queries use it, and existing
/// ones do so after `QueryController.refresh()`.
public struct ProviderRouteExecutor: LiveRouteExecutor {
  /// The provider on whose source the routes run.
  public let provider: any DataProvider
  /// The executors of the open source. They are created again after a change of a setting.
  private var executorCache = SourceExecutorCache()

  public init(_ provider: any DataProvider) { self.provider = provider }

  // MARK: Settings

  /// The decoder that converts rows to values.
  public var decoder = RowDecoder() {
    didSet { executorCache = SourceExecutorCache() }
  }

  /// The limits for the size of routes, and for the number of rows that they read or write.
  public var limits = DatabaseRoute.Limits() {
    didSet { executorCache = SourceExecutorCache() }
  }

  /// The policies that check each route before it runs, in this order.
  public var policies: [DatabaseRoute.Policy] = [] {
    didSet { executorCache = SourceExecutorCache() }
  }

  /// Filters that restrict the rows of a table that routes may read, change or produce: see
  /// `SQLiteRouteExecutor.rowFilters`.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:] {
    didSet { executorCache = SourceExecutorCache() }
  }

  // MARK: RouteExecutor

  public func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await withExecutor { try await $0.run(route) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [Value] {
    try await withExecutor { try await $0.values(type, for: route, expecting: expectation) }
  }

  public func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
    try await withExecutor { try await $0.run(routes) }
  }

  public func values<Value: Decodable & Sendable>(
    _ type: Value.Type, forEach routes: [DatabaseRoute],
    expecting expectation: DatabaseRoute.Expectation?
  ) async throws -> [[Value]] {
    try await withExecutor { try await $0.values(type, forEach: routes, expecting: expectation) }
  }

  public func observe<Value: Decodable & Sendable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?
  ) -> DatabaseRoute.Observation<[Value]> {
    DatabaseRoute.Observation(deferred: {
      try current().observationExecutor.observe(type, for: route, expecting: expectation)
    })
  }

  // MARK: Additional operations

  /// Runs a route that reads, and counts its rows without the limit, in the same snapshot.
  ///
  /// - Throws: The same errors as `SQLiteRouteExecutor.countedValues(_:for:counting:)`;
  ///   `ProviderError`.
  public func countedValues<Value: Decodable & Sendable>(
    _ type: Value.Type = Value.self, for route: DatabaseRoute,
    counting: DatabaseRoute.Counting = .exact
  ) async throws -> (values: [Value], total: DatabaseRoute.RowCount) {
    try await withExecutor { try await $0.countedValues(type, for: route, counting: counting) }
  }

  /// Runs several routes and the code between them in one write transaction.
  ///
  /// If the provider has an open transaction, this is a savepoint within it.
  ///
  /// - Throws: Any error thrown by `body`, after rolling back; `ProviderError`.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (RouteTransaction) throws -> Result
  ) async throws -> Result {
    try await withExecutor { try await $0.transaction(body) }
  }

  /// Runs a route, returns its result, and rolls it back.
  ///
  /// - Throws: The same errors as `SQLiteRouteExecutor.dryRun(_:)`; `ProviderError`.
  public func dryRun(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
    try await withExecutor { try await $0.dryRun(route) }
  }

  /// Returns SQLite's query plan for a route.
  ///
  /// - Throws: The same errors as `SQLiteRouteExecutor.explain(_:)`; `ProviderError`.
  public func explain(_ route: DatabaseRoute) async throws -> QueryPlan {
    try await withExecutor { try await $0.explain(route) }
  }

  // MARK: Source

  /// Runs `body` on the open source, or on its replacement if the source is replaced before `body`
  /// begins.
  private func withExecutor<Result: Sendable>(
    _ body: (SQLiteRouteExecutor) async throws -> Result
  ) async throws -> Result {
    while true {
      do {
        return try await body(current().executor)
      } catch is SourceReplacedError {
        try Task.checkCancellation()
      }
    }
  }

  private func current() throws -> SourceExecutorCache.Executors {
    let source = try provider.reader()
    return executorCache.executors(of: source) {
      SourceExecutorCache.Executors(
        source: source,
        executor: configured(SQLiteRouteExecutor(ProviderDatabase(provider, source: source))),
        observationExecutor: configured(SQLiteRouteExecutor(readingFrom: source)))
    }
  }

  private func configured(_ executor: SQLiteRouteExecutor) -> SQLiteRouteExecutor {
    var executor = executor
    executor.decoder = decoder
    executor.limits = limits
    executor.policies = policies
    executor.rowFilters = rowFilters
    return executor
  }
}

/// Caches the executors of the open source, because their schema information is valid only for that
/// source.
private final class SourceExecutorCache: Sendable {
  struct Executors: Sendable {
    let source: any DatabaseReader
    /// Runs routes through the provider, so that they are part of its transactions.
    let executor: SQLiteRouteExecutor
    /// Reads from the database itself, to observe its commits.
    let observationExecutor: SQLiteRouteExecutor
  }

  private let state = Mutex<Executors?>(nil)

  func executors(of source: any DatabaseReader, _ make: () -> Executors) -> Executors {
    state.withLock { cached in
      if let cached, cached.source === source { return cached }
      let executors = make()
      cached = executors
      return executors
    }
  }
}

extension DatabaseRouter {
  /// Creates a router that runs routes on the source of a provider, with a
  /// ``ProviderRouteExecutor``.
  ///
  /// ```swift
  /// let router = DatabaseRouter<Routes>(provider)
  /// let todos: [Todo] = try await router(.todos(.fetch))
  /// ```
  public init(_ provider: any DataProvider) { self.init(ProviderRouteExecutor(provider)) }
}
