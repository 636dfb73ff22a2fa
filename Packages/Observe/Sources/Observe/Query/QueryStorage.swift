internal import Observation
internal import Primitives
public import SQLiteCore

/// What a ``Query`` keeps: its controller, from when it is first asked, and who may change its request.
@MainActor final class QueryStorage<Request: Queryable>: Observable {
  enum Source: Sendable {
    /// The request that it begins with.
    case initial(Request)
    /// The request that only whoever declares the query gives.
    case constant(Request)
    /// The request that is kept elsewhere.
    case binding(QueryBinding<Request>)
  }

  private var source: Source
  private let context: @MainActor (QueryEnvironment) -> Request.Context
  private var known: QueryController<Request>?
  /// Whether a change of what the binding gives is waited for.
  private var isTracking = false
  private let registrar = ObservationRegistrar()
  private var kept: QueryError?

  /// The context that a view's environment has, which goes before ours.
  private var viewContext: Request.Context?

  /// What the context is found in: first, what the task had that made this.
  var environment: QueryEnvironment {
    didSet { known?.update(context: currentContext) }
  }

  nonisolated init(
    _ source: Source, _ context: @escaping @MainActor (QueryEnvironment) -> Request.Context
  ) {
    self.source = source
    self.context = context
    environment = .current
  }

  /// The controller, which begins when it is first asked for.
  var controller: QueryController<Request> {
    if let known {
      follow(known)
      return known
    }
    let controller = QueryController(request, in: currentContext)
    known = controller
    follow(controller)
    return controller
  }

  /// A write that was refused.
  private(set) var refusal: QueryError? {
    get {
      registrar.access(self, keyPath: \.refusal)
      return kept
    }
    set {
      guard newValue != kept else { return }
      registrar.withMutation(of: self, keyPath: \.refusal) { kept = newValue }
    }
  }

  /// Changes the request, as whoever uses the query may.
  func setRequest(_ request: Request) throws(QueryError) {
    switch source {
    case .initial: controller.request = request
    case .constant:
      refusal = .requestIsConstant
      throw .requestIsConstant
    case .binding(let binding):
      binding.bound = request
      controller.request = binding.bound
    }
  }

  /// Changes the request, as whoever declares the query may.
  func replaceRequest(_ request: Request) {
    refusal = nil
    switch source {
    case .initial: source = .initial(request)
    case .constant: source = .constant(request)
    case .binding(let binding): binding.bound = request
    }
    known?.request = request
  }

  /// Goes on as a view has it that is made anew, as views are at each change.
  ///
  /// - Parameters:
  ///   - other: What the new view has declared.
  ///   - context: The context that its environment has; `nil` where it has none for this query.
  func enter(
    _ other: QueryStorage, in context: Request.Context?, isEnabled: Bool
  ) {
    if other !== self {
      switch other.source {
      case .initial: break
      case .constant(let request):
        if request != self.request { refusal = nil }
        source = other.source
      case .binding:
        source = other.source
        isTracking = false
      }
    }
    if let context { viewContext = context }
    if let known {
      var request: Request?
      if case .initial = source {} else { request = self.request }
      known.update(request: request, context: currentContext, isEnabled: isEnabled)
      follow(known)
    } else {
      let controller = QueryController(request, in: currentContext, isEnabled: isEnabled)
      known = controller
      follow(controller)
    }
  }

  private var currentContext: Request.Context { viewContext ?? context(environment) }

  private var request: Request {
    switch source {
    case .initial(let request), .constant(let request): request
    case .binding(let binding): binding.bound
    }
  }

  /// Has the controller ask for what the binding gives, now and whenever that changes.
  private func follow(_ controller: QueryController<Request>) {
    guard case .binding(let binding) = source else { return }
    guard !isTracking else {
      controller.request = binding.bound
      return
    }
    isTracking = true
    controller.request = withObservationTracking {
      binding.bound
    } onChange: { [weak self] in
      // It is told before the change.
      Task { @MainActor in self?.bindingDidChange() }
    }
  }

  private func bindingDidChange() {
    isTracking = false
    if let known { follow(known) }
  }
}

/// What can't be done with a query.
public enum QueryError: DataError, Hashable {
  /// The query was declared with a constant request, which its users can't change.
  case requestIsConstant
}

extension QueryError {
  public var kind: DataErrorKind { .invalidRequest }
  public var description: String { message }

  public var message: String {
    switch self {
    case .requestIsConstant: "the query's request is constant: only its declaration changes it"
    }
  }
}

/// The sequences that a controller feeds, each with the latest phase that its consumer has not seen.
final class QueryFeeds<Value: Sendable>: Sendable {
  typealias Phase = QueryPhase<Value>

  private struct State {
    var lastID: UInt64 = 0
    var feeds: [UInt64: AsyncStream<Phase>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// A sequence that begins with a phase.
  func add(_ first: Phase) -> AsyncStream<Phase> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Phase.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastID += 1
      state.feeds[state.lastID] = continuation
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.feeds.removeValue(forKey: id) }
    }
    continuation.yield(first)
    return stream
  }

  func send(_ phase: Phase) {
    for feed in state.withLock({ Array($0.feeds.values) }) { feed.yield(phase) }
  }

  func finish() {
    for feed in state.withLock({ Array($0.feeds.values) }) { feed.finish() }
  }
}

extension QueryController {
  /// The phases, from that of now on. Who is slow gets the latest next.
  ///
  /// It ends with the controller, which it does not keep, and when its task is cancelled.
  public var phases: AsyncStream<QueryPhase<Request.Value>> {
    feeds.add(phase)
  }

  /// The values, from that of now on where it is known. Who is slow gets the latest next.
  ///
  /// What is merely the last known, of before a change or a failure, is none. The sequence ends with the
  /// controller, which it does not keep, and when its task is cancelled.
  public var values: AsyncCompactMapSequence<AsyncStream<QueryPhase<Request.Value>>, Request.Value>
  {
    feeds.add(phase).compactMap { phase in
      if case .value(let value) = phase { value } else { nil }
    }
  }
}

/// How far a query is, and what there is to show.
public enum QueryPhase<Value> {
  /// Nothing is observed: the query has not begun, or is disabled.
  case idle(last: Value?)
  /// A value is being fetched. The last one may be an earlier request's.
  case loading(last: Value?)
  /// The value as it is, as far as is known.
  case value(Value)
  /// Fetching has failed. The last value is of before.
  case failed(any Error, last: Value?)

  /// What there is to show: the value, or the last one.
  public var value: Value? {
    switch self {
    case .idle(let last), .loading(let last), .failed(_, let last): last
    case .value(let value): value
    }
  }

  /// Why fetching has failed; `nil` where it has not.
  public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }

  /// Whether a value is being fetched: the first one of a request, or a refreshed one.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// Whether what there is to show may not be what is asked for now: it is of before a change of the
  /// request, a refresh, a failure or a pause.
  public var isStale: Bool { if case .value = self { false } else { true } }
}

extension QueryPhase: Sendable where Value: Sendable {}
