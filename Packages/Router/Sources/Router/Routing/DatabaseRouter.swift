public import SQLiteCore

/// Runs the routes of a collection, or has them answered by overrides.
///
/// ```swift
/// var router = DatabaseRouter<Routes>(database)
/// let todos: [Todo] = try await router(.todos(.fetch))
/// let saved: Todo = try await router(.todos(.save(todo)))
/// try await router(.todos(.delete(id: 3)))
///
/// router.override(\.todos.fetch, with: [Todo.milk])
/// router.override(.method(.delete, with: .failure(Offline())))
/// ```
///
/// What the call is assigned to decides how many rows there have to be: an array takes any number, a value exactly
/// one, an optional one at most, nothing whatever there is.
///
/// A router is a value: a copy has the overrides that there were, and no later ones. The last override that suits a
/// call answers it; overrides of a scope come before all others: see
/// ``withOverrides(_:log:operation:file:line:)``. Without an override, a call costs no more than that of the executor.
@dynamicMemberLookup
public struct DatabaseRouter<Routes: Sendable>: Sendable {
  /// What runs the routes that no override answers.
  public let executor: any RouteExecutor
  /// Keeps what is called; `nil` for nothing.
  public var log: RouteLog?
  let identity: RouterIdentity
  var overrides = OverrideTable()
  /// Where the routes are in those of the whole router.
  let place: RoutePlace<Routes>
  var isSealed = false

  /// A router over an executor.
  public init(_ executor: any RouteExecutor) {
    self.executor = executor
    identity = RouterIdentity()
    place = RoutePlace(names: [], embed: { $0 }, extract: { $0 as? Routes })
  }

  /// A router over a database, with a ``SQLiteRouteExecutor``.
  public init(_ database: any DatabaseWriter) { self.init(SQLiteRouteExecutor(database)) }

  /// A router that only reads.
  public init(readingFrom reader: any DatabaseReader) {
    self.init(SQLiteRouteExecutor(readingFrom: reader))
  }

  private init<Whole>(_ router: DatabaseRouter<Whole>, at place: RoutePlace<Routes>) {
    executor = router.executor
    log = router.log
    identity = router.identity
    overrides = router.overrides
    isSealed = router.isSealed
    self.place = place
  }

  /// The router of a collection within: `router.todos(.fetch)`. It has the same overrides.
  public subscript<Next: Sendable>(
    dynamicMember path: any KeyPath<Routes.AllCasePaths, CasePath<Routes, Next>> & Sendable
  ) -> DatabaseRouter<Next> where Routes: CasePathable {
    DatabaseRouter<Next>(self, at: place.appending(Routes.allCasePaths[keyPath: path]))
  }

  /// The router without overrides, its own ones and those of scopes, now and later: for who must be sure that the
  /// database answers.
  public func sealed() -> DatabaseRouter {
    var copy = self
    copy.isSealed = true
    return copy
  }
}

/// A router for routes that belong to no collection.
///
/// ```swift
/// var router = GeneralRouter(database)
/// router.override(.method(.fetch, in: "todos", with: [Todo.milk]))
/// let todos: [Todo] = try await router(.fetch(from: "todos"))
/// ```
public typealias GeneralRouter = DatabaseRouter<Never>

/// Where routes are in those of a whole router.
struct RoutePlace<Routes: Sendable>: Sendable {
  let names: [String]
  let embed: @Sendable (Routes) -> any Sendable
  let extract: @Sendable (any Sendable) -> Routes?

  func appending<Next>(_ path: CasePath<Routes, Next>) -> RoutePlace<Next> {
    RoutePlace<Next>(
      names: names + [path.name],
      embed: { [embed] in embed(path.embed($0)) },
      extract: { [extract] in extract($0).flatMap(path.extract) })
  }
}
