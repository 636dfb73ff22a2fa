internal import Observation
internal import Primitives
public import SQLiteCore

/// The state of a ``Query``: its controller, created when it is first used, and the source of its
/// request.
@MainActor final class QueryStorage<Request: Queryable>: Observable {
  enum Source: Sendable {
    /// An initial request, which users can change.
    case initial(Request)
    /// A request that only the declaring type can change.
    case constant(Request)
    /// A request that is stored elsewhere.
    case binding(QueryBinding<Request>)
  }

  private var source: Source
  private let context: @MainActor (QueryEnvironment) -> Request.Context
  private var createdController: QueryController<Request>?
  /// Indicates whether a change of the binding's value is being tracked.
  private var isTracking = false
  private let registrar = ObservationRegistrar()
  private var storedWriteError: QueryError?

  /// The context from a view's environment, which takes precedence over `environment`.
  private var viewContext: Request.Context?

  /// The environment that provides the context: initially the environment of the task that created
  /// this object.
  var environment: QueryEnvironment {
    didSet { createdController?.update(context: currentContext) }
  }

  nonisolated init(
    _ source: Source, _ context: @escaping @MainActor (QueryEnvironment) -> Request.Context
  ) {
    self.source = source
    self.context = context
    environment = .current
  }

  /// The controller, created at the first access.
  var controller: QueryController<Request> {
    if let createdController {
      trackBinding(for: createdController)
      return createdController
    }
    let controller = QueryController(request, in: currentContext)
    createdController = controller
    trackBinding(for: controller)
    return controller
  }

  /// The error of a rejected write.
  private(set) var writeError: QueryError? {
    get {
      registrar.access(self, keyPath: \.writeError)
      return storedWriteError
    }
    set {
      guard newValue != storedWriteError else { return }
      registrar.withMutation(of: self, keyPath: \.writeError) { storedWriteError = newValue }
    }
  }

  /// Changes the request for the query's users. A constant request is refused.
  func setRequest(_ request: Request) throws(QueryError) {
    switch source {
    case .initial: controller.request = request
    case .constant:
      writeError = .requestIsConstant
      throw .requestIsConstant
    case .binding(let binding):
      binding.bound = request
      controller.request = binding.bound
    }
  }

  /// Changes the request on behalf of the declaring type, which can also change a constant one.
  func replaceRequest(_ request: Request) {
    writeError = nil
    switch source {
    case .initial: source = .initial(request)
    case .constant: source = .constant(request)
    case .binding(let binding): binding.bound = request
    }
    createdController?.request = request
  }

  /// Adopts the declaration of a view that was created again, which happens at each update.
  ///
  /// - Parameters:
  ///   - other: The storage declared by the new view.
  ///   - context: The context from the view's environment; `nil` if it has none for this query.
  func update(
    from other: QueryStorage, in context: Request.Context?, isEnabled: Bool
  ) {
    if other !== self {
      switch other.source {
      case .initial: break
      case .constant(let request):
        if request != self.request { writeError = nil }
        source = other.source
      case .binding:
        source = other.source
        isTracking = false
      }
    }
    if let context { viewContext = context }
    if let createdController {
      var request: Request?
      if case .initial = source {} else { request = self.request }
      createdController.update(request: request, context: currentContext, isEnabled: isEnabled)
      trackBinding(for: createdController)
    } else {
      let controller = QueryController(request, in: currentContext, isEnabled: isEnabled)
      createdController = controller
      trackBinding(for: controller)
    }
  }

  private var currentContext: Request.Context { viewContext ?? context(environment) }

  private var request: Request {
    switch source {
    case .initial(let request), .constant(let request): request
    case .binding(let binding): binding.bound
    }
  }

  /// Sets the controller's request to the binding's value, now and after each change.
  private func trackBinding(for controller: QueryController<Request>) {
    guard case .binding(let binding) = source else { return }
    guard !isTracking else {
      controller.request = binding.bound
      return
    }
    isTracking = true
    controller.request = withObservationTracking {
      binding.bound
    } onChange: { [weak self] in
      // Called before the change.
      Task { @MainActor in self?.bindingDidChange() }
    }
  }

  private func bindingDidChange() {
    isTracking = false
    if let createdController { trackBinding(for: createdController) }
  }
}

/// An invalid operation on a query.
public enum QueryError: DataError, Hashable {
  /// The query was declared with a constant request, which its users can't change.
  case requestIsConstant
}

extension QueryError {
  public var kind: DataErrorKind { .invalidRequest }
  public var description: String { message }

  public var message: String {
    switch self {
    case .requestIsConstant:
      "the query's request is constant: the declaring type can change it by `replaceRequest(_:)`"
    }
  }
}

/// The phase sequences of a controller. Each buffers the latest phase that its consumer has not
/// received.
final class QueryPhaseStreams<Value: Sendable>: Sendable {
  typealias Phase = QueryPhase<Value>

  private struct State {
    var lastID: UInt64 = 0
    var continuations: [UInt64: AsyncStream<Phase>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Returns a sequence that begins with a phase.
  func add(_ first: Phase) -> AsyncStream<Phase> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Phase.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.lastID += 1
      state.continuations[state.lastID] = continuation
      return state.lastID
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
    }
    continuation.yield(first)
    return stream
  }

  func send(_ phase: Phase) {
    for continuation in state.withLock({ Array($0.continuations.values) }) {
      continuation.yield(phase)
    }
  }

  func finish() {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
  }
}

extension QueryController {
  /// The phases, starting with the current one. A slow consumer receives the latest one next.
  ///
  /// The sequence does not retain the controller. It ends with the controller, or when its task is
  /// cancelled.
  public var phases: AsyncStream<QueryPhase<Request.Value>> {
    phaseStreams.add(phase)
  }

  /// The values, starting with the current one if it is known. A slow consumer receives the latest
  /// one next.
  ///
  /// The last known value after a change of the request or a failure is not included. The sequence
  /// does not retain the controller. It ends with the controller, or when its task is cancelled.
  public var values: AsyncCompactMapSequence<AsyncStream<QueryPhase<Request.Value>>, Request.Value>
  {
    phaseStreams.add(phase).compactMap { phase in
      if case .value(let value) = phase { value } else { nil }
    }
  }
}

/// The phase of a query, with the value to show.
public enum QueryPhase<Value> {
  /// No request is observed: the query has not begun, or is disabled.
  case idle(last: Value?)
  /// A value is being fetched. The last value may belong to an earlier request.
  case loading(last: Value?)
  /// The current value.
  case value(Value)
  /// The fetch failed. The last value was fetched before.
  case failed(any Error, last: Value?)

  /// The value to show: the current or the last one.
  public var value: Value? {
    switch self {
    case .idle(let last), .loading(let last), .failed(_, let last): last
    case .value(let value): value
    }
  }

  /// The error of the last fetch; `nil` if it did not fail.
  public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }

  /// A Boolean value that indicates whether a value is being fetched: a request's first value, or a
  /// refreshed one.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// A Boolean value that indicates whether the value to show may be outdated: it was fetched
  /// before a change of the request, a refresh, a failure or a pause.
  public var isStale: Bool { if case .value = self { false } else { true } }
}

extension QueryPhase: Sendable where Value: Sendable {}

#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  /// Provides the storage of a ``Query``. Outside SwiftUI, the storage is created with the
  /// property.
  struct QueryStorageProvider<Request: Queryable> {
    let storage: QueryStorage<Request>

    init(
      _ source: QueryStorage<Request>.Source,
      in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
    ) {
      storage = QueryStorage(source) { $0[keyPath: context] }
    }
  }
#endif
