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
