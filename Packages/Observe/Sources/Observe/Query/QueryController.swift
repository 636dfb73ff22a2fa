public import Observation

/// Keeps one request's value up to date, and tells how far it is.
///
/// It is what stands behind ``Query``, and serves a program of any kind as it is. It is `Observable`: what
/// reads ``value`` or ``phase`` in `withObservationTracking`, or in a SwiftUI view, is told of each change.
///
/// ```swift
/// let players = QueryController(PlayersRequest(), in: .readOnly { database })
/// for await list in players.values { print(list) }
/// ```
///
/// - One request in one context is observed once, however many controllers ask for it.
/// - A change of the request or the context ends the old observation before the new one begins. The last
///   value stays to be shown, and ``phase`` says that it is of before.
/// - An error ends nothing: ``phase`` tells it beside the last value, and what follows commits tries
///   again at the next one; ``retry()`` does at once.
/// - Nothing is fetched on the main thread, unless the request asks for it.
@MainActor public final class QueryController<Request: Queryable>: Observable {
  private let registrar = ObservationRegistrar()
  private var currentPhase = QueryPhase<Request.Value>.idle(last: nil)
  private var currentRequest: Request
  private var currentContext: Request.Context?
  private var currentlyEnabled: Bool
  private var identity: DatabaseContext.Identity?
  /// What the last value is of.
  private var answered: QueryShares.Key<Request>?
  private var hold: QueryHold<Request>?
  /// Counts the observations, so that an earlier one says nothing more.
  private var generation: UInt64 = 0
  let feeds = QueryFeeds<Request.Value>()

  /// Applies each change of ``phase`` that no caller has asked for: with an animation, say. It has to
  /// call what it is given, once and before it returns.
  public var apply: (@MainActor (_ change: () -> Void) -> Void)?

  /// Begins to observe, where there is a context and it is enabled.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - context: Where the values come from; `nil` where it is not known yet.
  ///   - isEnabled: Whether to begin; otherwise ``isEnabled`` does later.
  public init(
    _ request: Request, in context: Request.Context? = nil, isEnabled: Bool = true
  ) {
    currentRequest = request
    currentContext = context
    currentlyEnabled = isEnabled
    identity = context.map { DatabaseContext.Identity(of: $0) }
    begin()
  }

  deinit { feeds.finish() }

  // MARK: What there is

  /// How far the query is, and what there is to show.
  public private(set) var phase: QueryPhase<Request.Value> {
    get {
      registrar.access(self, keyPath: \.phase)
      return currentPhase
    }
    set {
      registrar.withMutation(of: self, keyPath: \.phase) { currentPhase = newValue }
      feeds.send(newValue)
    }
  }

  /// The value; the last one where it is not known yet; the request's default where there was none.
  public var value: Request.Value { phase.value ?? Request.defaultValue }

  /// Why fetching has failed; `nil` where it has not.
  public var error: (any Error)? { phase.error }

  // MARK: What is asked

  /// What is asked for. Setting another one begins anew; the last value stays until the new one has come.
  public var request: Request {
    get {
      registrar.access(self, keyPath: \.request)
      return currentRequest
    }
    set { update(request: newValue) }
  }

  /// Where the values come from: see ``update(request:context:isEnabled:)``.
  public var context: Request.Context? { currentContext }

  /// Whether the request is observed. Where not, the last value stays, and nothing is fetched.
  public var isEnabled: Bool {
    get {
      registrar.access(self, keyPath: \.isEnabled)
      return currentlyEnabled
    }
    set { update(isEnabled: newValue) }
  }

  /// Changes what is asked for, in one step. Where nothing is another one, nothing happens.
  ///
  /// - Parameters:
  ///   - request: What is asked for from now on; `nil` for the same.
  ///   - context: Where the values come from, by its ``DatabaseContext/Identity``; `nil` for the same.
  ///   - isEnabled: Whether to observe; `nil` for as before.
  public func update(
    request: Request? = nil, context: Request.Context? = nil, isEnabled: Bool? = nil
  ) {
    let newIdentity = context.map { DatabaseContext.Identity(of: $0) } ?? identity
    let newRequest = request ?? currentRequest
    let enables = isEnabled ?? currentlyEnabled
    let isOther = newRequest != currentRequest || newIdentity != identity
    guard isOther || enables != currentlyEnabled else { return }
    // Before anything that may fail: what comes later must not be an earlier request's.
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

  /// Fetches anew, for all who ask for the same; the last value stays meanwhile.
  ///
  /// For what the database does not know of: a change by another process, say, or a ``FetchQueryable``.
  public func refresh() { hold?.restart() }

  /// Tries again, where fetching has failed.
  public func retry() { if phase.error != nil { refresh() } }

  // MARK: Observing

  private func end() {
    generation += 1
    hold?.end()
    hold = nil
  }

  private func begin() {
    guard currentlyEnabled, let context = currentContext, let identity else {
      if case .idle = currentPhase { return }
      phase = .idle(last: currentPhase.value)
      return
    }
    let generation = generation
    let share = QueryShares.share(currentRequest, in: context, identity)
    var isCalling = true
    let hold = share.subscribe { [weak self] state in
      guard let self, self.generation == generation else { return }
      if isCalling {
        self.take(state)
      } else if let apply = self.apply {
        apply { self.take(state) }
      } else {
        self.take(state)
      }
    }
    isCalling = false
    // Whoever was told of the first state may have changed the request by now.
    if self.generation == generation { self.hold = hold } else { hold.end() }
  }

  private func take(_ state: QueryShare<Request>.State) {
    switch state {
    case .loading: phase = .loading(last: currentPhase.value)
    case .value(let value): phase = .value(remembering(currentPhase.value, in: value))
    case .failed(let error): phase = .failed(error, last: currentPhase.value)
    }
  }

  /// What was observed anew knows nothing of what was there before.
  private func remembering(_ last: Request.Value?, in value: Request.Value) -> Request.Value {
    func following<Value: RememberingValue>(_ value: Value) -> Any {
      (last as? Value).map { value.following($0) } ?? value
    }
    let answer = identity.map { QueryShares.Key(request: currentRequest, context: $0) }
    defer { answered = answer }
    guard answer == answered, let remembering = value as? any RememberingValue else {
      return value
    }
    return following(remembering) as? Request.Value ?? value
  }
}
