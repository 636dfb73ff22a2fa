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
/// The context is found in the ``QueryEnvironment`` in which the query is made, by a key path;
/// ``QueryProjection/environment`` changes it. Nothing is observed before the property, or its
/// projection, is first read: then the value is the request's default, until the first one has come.
///
/// Who may change the request is said by the way in which it is given:
///
/// | | by `$players` | by `_players.replaceRequest(_:)` |
/// |---|---|---|
/// | `init(_:in:)`: a request to begin with | yes | yes |
/// | ``init(constant:in:)`` | no | yes |
/// | a ``QueryBinding`` to a request | yes, there | yes, there |
///
/// Reading the property in `withObservationTracking` is told of each change.
@propertyWrapper
public struct Query<Request: Queryable> {
  let home: QueryHome<Request>

  init(home: QueryHome<Request>) { self.home = home }

  /// A query that begins with a request, which its users may change.
  ///
  /// - Parameters:
  ///   - request: What is asked first.
  ///   - context: Where the environment has what the request is made in.
  @_disfavoredOverload
  public init(
    _ request: Request, in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
  ) {
    home = QueryHome(.initial(request), in: context)
  }

  /// A query whose request only its declaration changes.
  ///
  /// A write by its users changes nothing, and is the query's error: see ``QueryProjection/error``.
  @_disfavoredOverload
  public init(
    constant request: Request,
    in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
  ) {
    home = QueryHome(.constant(request), in: context)
  }

  /// A query whose request is kept elsewhere, and may be changed there and here.
  ///
  /// A change there is seen at once where what the binding reads is `Observable`, and otherwise when the
  /// query is next read.
  @_disfavoredOverload
  public init(
    _ request: QueryBinding<Request>,
    in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
  ) {
    home = QueryHome(.binding(request), in: context)
  }

  /// The value; the last one where it is not known yet; the request's default where there was none.
  @MainActor public var wrappedValue: Request.Value { home.storage.controller.value }

  /// Everything else there is to know, and the request.
  @MainActor public var projectedValue: QueryProjection<Request> {
    QueryProjection(storage: home.storage)
  }

  /// Changes the request as whoever declares the query may: a constant one, too.
  @MainActor public func replaceRequest(_ request: Request) { home.storage.replaceRequest(request) }
}

extension Query where Request.Context == DatabaseContext {
  /// A query of the environment's ``QueryEnvironment/databaseContext``.
  public init(_ request: Request) {
    self.init(request, in: \QueryEnvironment.databaseContext)
  }

  /// A query of the environment's ``QueryEnvironment/databaseContext``, whose request only its
  /// declaration changes.
  public init(constant request: Request) {
    self.init(constant: request, in: \QueryEnvironment.databaseContext)
  }

  /// A query of the environment's ``QueryEnvironment/databaseContext``, whose request is kept elsewhere.
  public init(_ request: QueryBinding<Request>) {
    self.init(request, in: \QueryEnvironment.databaseContext)
  }
}

extension Query where Request.Context == Void {
  /// A query whose request needs no context.
  public init(_ request: Request) { self.init(request, in: \QueryEnvironment.nothing) }

  /// A query whose request needs no context, and only its declaration changes it.
  public init(constant request: Request) {
    self.init(constant: request, in: \QueryEnvironment.nothing)
  }

  /// A query whose request needs no context, and is kept elsewhere.
  public init(_ request: QueryBinding<Request>) {
    self.init(request, in: \QueryEnvironment.nothing)
  }
}

extension QueryEnvironment {
  fileprivate var nothing: Void { () }
}

/// What a ``Query`` tells beside its value, and its request: what `$` gives.
///
/// Properties of the request are bindings of the same names:
///
/// ```swift
/// board.$players.team.wrappedValue = "red"
/// ```
@MainActor @dynamicMemberLookup public struct QueryProjection<Request: Queryable> {
  let storage: QueryStorage<Request>

  /// What observes: for whatever is not here.
  public var controller: QueryController<Request> { storage.controller }

  /// The request. Setting it begins anew.
  ///
  /// Where the request is constant, setting it changes nothing, and is the query's ``error``.
  public var request: QueryBinding<Request> {
    QueryBinding(
      reading: { [storage] in storage.controller.request },
      // The refusal is kept as the error.
      writing: { [storage] in try? storage.setRequest($0) })
  }

  /// Changes the request.
  ///
  /// - Throws: ``QueryError/requestIsConstant`` where only the query's declaration does.
  public func setRequest(_ request: Request) throws(QueryError) {
    try storage.setRequest(request)
  }

  /// A binding to one of the request's properties.
  public subscript<Property>(
    dynamicMember property: any WritableKeyPath<Request, Property> & Sendable
  ) -> QueryBinding<Property> {
    request.property(property)
  }

  /// Why there is no fresh value, or why the request was not changed; `nil` where all is well.
  public var error: (any Error)? { storage.controller.error ?? storage.refusal }

  /// How far the query is, and what there is to show.
  public var phase: QueryPhase<Request.Value> { storage.controller.phase }

  /// Whether a value is being fetched.
  public var isLoading: Bool { phase.isLoading }

  /// Whether the request is observed: see ``QueryController/isEnabled``.
  public var isEnabled: Bool {
    get { storage.controller.isEnabled }
    nonmutating set { storage.controller.isEnabled = newValue }
  }

  /// What the context is found in. Another context begins anew.
  public var environment: QueryEnvironment {
    get { storage.environment }
    nonmutating set { storage.environment = newValue }
  }

  /// The values, from that of now on where it is known: see ``QueryController/values``.
  public var values: AsyncCompactMapSequence<AsyncStream<QueryPhase<Request.Value>>, Request.Value>
  { storage.controller.values }

  /// The phases, from that of now on: see ``QueryController/phases``.
  public var phases: AsyncStream<QueryPhase<Request.Value>> {
    storage.controller.phases
  }

  /// Fetches anew, for all who ask for the same.
  public func refresh() { storage.controller.refresh() }

  /// Tries again, where fetching has failed.
  public func retry() { storage.controller.retry() }
}
