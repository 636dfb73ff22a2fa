internal import Observation
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
