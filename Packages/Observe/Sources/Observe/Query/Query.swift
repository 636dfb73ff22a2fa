/// A property whose value is read from a database, and stays up to date.
///
/// ```swift
/// @MainActor final class Scoreboard {
///   @Query(PlayersRequest(), in: \.playerRepository) var players: [Player]
/// }
///
/// let board = QueryEnvironment.with(\.playerRepository, repository) { Scoreboard() }
/// for await players in board.$players.values { print(players) }
/// ```
///
/// The context is looked up by a key path in the ``QueryEnvironment`` in which the query is
/// created; ``QueryProjection/environment`` changes it. The observation begins when the property,
/// or its projection, is first read. Until the first value is available, the value is the request's
/// default.
///
/// The initializer determines how the request can be changed:
///
/// | | by `$players` | by `_players.replaceRequest(_:)` |
/// |---|---|---|
/// | `init(_:in:)`: a request to begin with | yes | yes |
/// | ``init(constant:in:)`` | no | yes |
/// | a ``QueryBinding`` to a request | yes, there | yes, there |
///
/// Reads of the property within `withObservationTracking` are tracked.
@propertyWrapper
public struct Query<Request: Queryable> {
  let storageProvider: QueryStorageProvider<Request>

  init(storageProvider: QueryStorageProvider<Request>) { self.storageProvider = storageProvider }

  /// Creates a query with an initial request, which its users can change.
  ///
  /// - Parameters:
  ///   - request: The initial request.
  ///   - context: The key path of the request's context in the environment.
  @_disfavoredOverload
  public init(
    _ request: Request, in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
  ) {
    storageProvider = QueryStorageProvider(.initial(request), in: context)
  }

  /// Creates a query whose request only the declaring type can change.
  ///
  /// A write by other users has no effect except setting the query's error: see
  /// ``QueryProjection/error``.
  @_disfavoredOverload
  public init(
    constant request: Request,
    in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
  ) {
    storageProvider = QueryStorageProvider(.constant(request), in: context)
  }

  /// Creates a query whose request is stored elsewhere, and can be changed there and here.
  ///
  /// A change there is observed immediately if the binding reads an `Observable` value, and
  /// otherwise when the query is next read.
  @_disfavoredOverload
  public init(
    _ request: QueryBinding<Request>,
    in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
  ) {
    storageProvider = QueryStorageProvider(.binding(request), in: context)
  }

  /// The current value; the last one if the current one is not known; the request's default if
  /// there has been none.
  @MainActor public var wrappedValue: Request.Value { storageProvider.storage.controller.value }

  /// The query's state and request.
  @MainActor public var projectedValue: QueryProjection<Request> {
    QueryProjection(storage: storageProvider.storage)
  }

  /// Changes the request on behalf of the declaring type, even if the request is constant.
  @MainActor public func replaceRequest(_ request: Request) {
    storageProvider.storage.replaceRequest(request)
  }
}

extension Query where Request.Context == DatabaseContext {
  /// Creates a query in the environment's ``QueryEnvironment/databaseContext``.
  public init(_ request: Request) {
    self.init(request, in: \QueryEnvironment.databaseContext)
  }

  /// Creates a query in the environment's ``QueryEnvironment/databaseContext``, whose request only
  /// the declaring type can change.
  public init(constant request: Request) {
    self.init(constant: request, in: \QueryEnvironment.databaseContext)
  }

  /// Creates a query in the environment's ``QueryEnvironment/databaseContext``, whose request is
  /// stored elsewhere.
  public init(_ request: QueryBinding<Request>) {
    self.init(request, in: \QueryEnvironment.databaseContext)
  }
}

extension Query where Request.Context == Void {
  /// Creates a query whose request needs no context.
  public init(_ request: Request) { self.init(request, in: \QueryEnvironment.nothing) }

  /// Creates a query whose request needs no context, and can be changed only by the declaring type.
  public init(constant request: Request) {
    self.init(constant: request, in: \QueryEnvironment.nothing)
  }

  /// Creates a query whose request needs no context, and is stored elsewhere.
  public init(_ request: QueryBinding<Request>) {
    self.init(request, in: \QueryEnvironment.nothing)
  }
}

extension QueryEnvironment {
  fileprivate var nothing: Void { () }
}

/// The state of a ``Query`` other than its value, and its request: the value of `$property`.
///
/// The request's properties are available as bindings of the same names:
///
/// ```swift
/// board.$players.team.wrappedValue = "red"
/// ```
@MainActor @dynamicMemberLookup public struct QueryProjection<Request: Queryable> {
  let storage: QueryStorage<Request>

  /// The controller that observes the request.
  public var controller: QueryController<Request> { storage.controller }

  /// The request. Setting it restarts the query.
  ///
  /// If the request is constant, setting it has no effect except setting the query's ``error``.
  public var request: QueryBinding<Request> {
    QueryBinding(
      reading: { [storage] in storage.controller.request },
      // A rejection is stored as the error.
      writing: { [storage] in try? storage.setRequest($0) })
  }

  /// Changes the request.
  ///
  /// - Throws: ``QueryError/requestIsConstant`` if only the query's declaring type can change the
  ///   request.
  public func setRequest(_ request: Request) throws(QueryError) {
    try storage.setRequest(request)
  }

  /// A binding to one of the request's properties.
  public subscript<Property>(
    dynamicMember property: any WritableKeyPath<Request, Property> & Sendable
  ) -> QueryBinding<Property> {
    request.property(property)
  }

  /// The error of the last fetch or of a rejected change of the request; `nil` if there is none.
  public var error: (any Error)? { storage.controller.error ?? storage.writeError }

  /// The phase of the query, with the value to show.
  public var phase: QueryPhase<Request.Value> { storage.controller.phase }

  /// A Boolean value that indicates whether a value is being fetched.
  public var isLoading: Bool { phase.isLoading }

  /// A Boolean value that indicates whether the request is observed: see
  /// ``QueryController/isEnabled``.
  public var isEnabled: Bool {
    get { storage.controller.isEnabled }
    nonmutating set { storage.controller.isEnabled = newValue }
  }

  /// The environment that provides the context. Changing the context restarts the query.
  public var environment: QueryEnvironment {
    get { storage.environment }
    nonmutating set { storage.environment = newValue }
  }

  /// The values, starting with the current one if it is known: see ``QueryController/values``.
  public var values: AsyncCompactMapSequence<AsyncStream<QueryPhase<Request.Value>>, Request.Value>
  { storage.controller.values }

  /// The phases, starting with the current one: see ``QueryController/phases``.
  public var phases: AsyncStream<QueryPhase<Request.Value>> {
    storage.controller.phases
  }

  /// Fetches again, for all queries that share the request.
  public func refresh() { storage.controller.refresh() }

  /// Fetches again if the last fetch failed.
  public func retry() { storage.controller.retry() }
}
