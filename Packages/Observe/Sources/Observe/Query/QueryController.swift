public import Observation

/// Keeps one request's value up to date, and reports its phase.
///
/// It implements ``Query``, and can be used directly in any program. It is `Observable`: reads of
/// ``value`` or ``phase`` within `withObservationTracking`, or in a SwiftUI view, are tracked.
///
/// ```swift
/// let players = QueryController(PlayersRequest(), in: .readOnly { database })
/// for await list in players.values { print(list) }
/// ```
///
/// - A request in a context is observed once, regardless of the number of controllers that use it.
/// - A change of the request or the context ends the current observation before a new one begins.
///   The last value remains, and ``phase`` marks it as stale.
/// - An error does not end the query: ``phase`` holds it together with the last value, observed
///   requests try again at the next commit, and ``retry()`` retries immediately.
/// - No value is fetched on the main thread, unless the request's options contain `immediate`.
@MainActor public final class QueryController<Request: Queryable>: Observable {
  private let registrar = ObservationRegistrar()
  private var currentPhase = QueryPhase<Request.Value>.idle(last: nil)
  private var currentRequest: Request
  private var currentContext: Request.Context?
  private var currentlyEnabled: Bool
  private var identity: DatabaseContext.Identity?
  /// The key of the last value.
  private var lastValueKey: SharedQueryRegistry.Key<Request>?
  private var subscription: QuerySubscription<Request>?
  /// Incremented at each start of an observation, so that callbacks of earlier ones are ignored.
  private var generation: UInt64 = 0
  let phaseStreams = QueryPhaseStreams<Request.Value>()

  /// Applies each change of ``phase`` that no caller initiated, for example with an animation. It
  /// must call its argument exactly once before it returns.
  public var apply: (@MainActor (_ change: () -> Void) -> Void)?

  /// Creates a controller, and begins to observe if there is a context and the controller is
  /// enabled.
  ///
  /// - Parameters:
  ///   - request: The request to observe.
  ///   - context: The context of the request; `nil` if it is not known yet.
  ///   - isEnabled: Whether to begin now. Otherwise, set ``isEnabled`` later.
  public init(
    _ request: Request, in context: Request.Context? = nil, isEnabled: Bool = true
  ) {
    currentRequest = request
    currentContext = context
    currentlyEnabled = isEnabled
    identity = context.map { DatabaseContext.Identity(of: $0) }
    begin()
  }

  deinit { phaseStreams.finish() }

  // MARK: State

  /// The phase of the query, with the value to show.
  public private(set) var phase: QueryPhase<Request.Value> {
    get {
      registrar.access(self, keyPath: \.phase)
      return currentPhase
    }
    set {
      registrar.withMutation(of: self, keyPath: \.phase) { currentPhase = newValue }
      phaseStreams.send(newValue)
    }
  }

  /// The current value; the last one if the current one is not known; the request's default if
  /// there has been none.
  public var value: Request.Value { phase.value ?? Request.defaultValue }

  /// The error of the last fetch; `nil` if it did not fail.
  public var error: (any Error)? { phase.error }

  // MARK: Request

  /// The request. Setting another one restarts the query; the last value remains until a new one is
  /// available.
  public var request: Request {
    get {
      registrar.access(self, keyPath: \.request)
      return currentRequest
    }
    set { update(request: newValue) }
  }

  /// The context of the request: see ``update(request:context:isEnabled:)``.
  public var context: Request.Context? { currentContext }

  /// A Boolean value that indicates whether the request is observed. If not, the last value
  /// remains, and no value is fetched.
  public var isEnabled: Bool {
    get {
      registrar.access(self, keyPath: \.isEnabled)
      return currentlyEnabled
    }
    set { update(isEnabled: newValue) }
  }

  /// Changes the request, the context and the enabled state in one step. Has no effect if none of
  /// them differs.
  ///
  /// - Parameters:
  ///   - request: The new request; `nil` for no change.
  ///   - context: The new context, compared by its ``DatabaseContext/Identity``; `nil` for no
  ///     change.
  ///   - isEnabled: Whether to observe; `nil` for no change.
  public func update(
    request: Request? = nil, context: Request.Context? = nil, isEnabled: Bool? = nil
  ) {
    let newIdentity = context.map { DatabaseContext.Identity(of: $0) } ?? identity
    let newRequest = request ?? currentRequest
    let enables = isEnabled ?? currentlyEnabled
    let hasChanged = newRequest != currentRequest || newIdentity != identity
    guard hasChanged || enables != currentlyEnabled else { return }
    // Ended first, so that no later callback belongs to an earlier request.
    end()
    if newRequest != currentRequest {
      registrar.withMutation(of: self, keyPath: \.request) { currentRequest = newRequest }
    }
    if let context { currentContext = context }
    identity = newIdentity
    if enables != currentlyEnabled {
      registrar.withMutation(of: self, keyPath: \.isEnabled) { currentlyEnabled = enables }
    }
    begin()
  }

  /// Fetches again, for all queries that share the request; the last value remains until then.
  ///
  /// Use it after changes that the database does not observe, such as changes by another process,
  /// or for a ``FetchQueryable``.
  public func refresh() { subscription?.restart() }

  /// Fetches again if the last fetch failed.
  public func retry() { if phase.error != nil { refresh() } }

  // MARK: Observation

  private func end() {
    generation += 1
    subscription?.end()
    subscription = nil
  }

  private func begin() {
    guard currentlyEnabled, let context = currentContext, let identity else {
      if case .idle = currentPhase { return }
      phase = .idle(last: currentPhase.value)
      return
    }
    let generation = generation
    let query = SharedQueryRegistry.query(for: currentRequest, in: context, identity)
    var isCalling = true
    let subscription = query.subscribe { [weak self] state in
      guard let self, self.generation == generation else { return }
      if isCalling {
        self.receive(state)
      } else if let apply = self.apply {
        apply { self.receive(state) }
      } else {
        self.receive(state)
      }
    }
    isCalling = false
    // The first callback may have changed the request.
    guard self.generation == generation else { return subscription.end() }
    self.subscription = subscription
  }

  private func receive(_ state: SharedQuery<Request>.State) {
    switch state {
    case nil: phase = .loading(last: currentPhase.value)
    case .success(let value): phase = .value(self.value(value, following: currentPhase.value))
    case .failure(let error): phase = .failed(error, last: currentPhase.value)
    }
  }

  /// Returns the value as it follows the last one: a restarted observation has no previous value of
  /// its request.
  private func value(_ value: Request.Value, following last: Request.Value?) -> Request.Value {
    func following<Value: PreviousValueAware>(_ value: Value) -> Any {
      (last as? Value).map { value.following($0) } ?? value
    }
    let key = identity.map { SharedQueryRegistry.Key(request: currentRequest, context: $0) }
    defer { lastValueKey = key }
    guard key == lastValueKey, let aware = value as? any PreviousValueAware else {
      return value
    }
    return following(aware) as? Request.Value ?? value
  }
}
