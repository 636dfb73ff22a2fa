internal import Observation
internal import Observe
internal import Primitives
internal import SQLiteCore

/// The result of a query, and its observation.
///
/// Queries that replace each other as a property of a row share one core.
final class QueryCore<Target: TableModel>: Sendable, Observable {
  let plan: QueryPlan<Target>
  private let state = Mutex(State())
  private let registrar = ObservationRegistrar()
  let fetches = CoalescedFetches()
  /// A notification of a change in this region refreshes this query only.
  let refreshRegion = Region.refresh()

  struct State: Sendable {
    /// The shown rows, as last read.
    var rows: [ModelSession.FetchedRow<Target.Row>] = []
    /// The rows' instances; `nil` if the rows are newer.
    var items: [Target]?
    var isLoaded = false
    var hasMore = false
    /// The number of requested rows.
    var requestedCount = 0
    var failure: (any Error)?
    /// A counter that changes with each shown result.
    var version = 0
    /// A Boolean value that indicates whether a refresh that is in progress may be older than the
    /// shown rows.
    var isNewerThanObservation = false
    var owner: RelationOwner?
    /// A Boolean value that indicates whether the owner is an instance.
    var ownerIsModel = false
    var binding: QueryBinding?
    /// A Boolean value that indicates whether the shown rows were read with other arguments.
    var isOutdated = false
    var session: ModelSession?
    var observationTask: Task<Void, Never>?
    var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
    var subscriberCount = 0
  }

  init(_ plan: QueryPlan<Target>) { self.plan = plan }

  deinit {
    let (observationTask, subscribers) = state.withLock {
      ($0.observationTask, $0.subscribers.values)
    }
    observationTask?.cancel()
    for subscriber in subscribers { subscriber.finish() }
  }

  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  // MARK: Rows

  var items: [Target] {
    registrar.access(self, keyPath: \.items)
    let (items, rows, session, version) = with { ($0.items, $0.rows, $0.session, $0.version) }
    if let items { return items }
    guard let session else { return [] }
    // Created here, not when the commit was received: models are changed on the reader's actor.
    let newItems = rows.map { Target.instance(of: $0, in: session) }
    let owner = with { state in
      if state.version == version { state.items = newItems }
      return state.owner
    }
    owner?.relationDidLoad()
    return newItems
  }

  var hasMore: Bool {
    registrar.access(self, keyPath: \.hasMore)
    return with(\.hasMore)
  }

  var isLoaded: Bool {
    registrar.access(self, keyPath: \.isLoaded)
    return with(\.isLoaded)
  }

  var failure: (any Error)? {
    registrar.access(self, keyPath: \.failure)
    return with(\.failure)
  }

  // MARK: Showing results

  /// Shows rows that were read.
  ///
  /// - Parameters:
  ///   - version: The version of the shown rows when the read began; `nil` to show the rows
  ///     unconditionally.
  ///   - requestedCount: The number of requested rows; `nil` for a refresh.
  /// - Returns: `false` if other rows were shown since the read began.
  func show(
    _ result: QueryPlan<Target>.ReadResult, since version: Int?, requestedCount: Int?
  ) -> Bool {
    let (isCurrent, isSame, isFirst, failed) = with { state -> (Bool, Bool, Bool, Bool) in
      (
        version == nil || state.version == version,
        state.hasMore == result.hasMore && state.rows.map(\.row) == result.rows.map(\.row),
        !state.isLoaded, state.failure != nil
      )
    }
    guard isCurrent else { return false }
    if isSame, !isFirst, !failed {
      return with { state in
        guard version == nil || state.version == version else { return false }
        state.recordResult(requestedCount: requestedCount)
        return true
      }
    }
    let isShown = mutate {
      self.with { state in
        guard version == nil || state.version == version else { return false }
        state.recordResult(requestedCount: requestedCount)
        if !isSame || isFirst {
          state.rows = result.rows
          state.items = nil
          state.hasMore = result.hasMore
          state.isLoaded = true
        }
        state.failure = nil
        return true
      }
    }
    if isShown { notifySubscribers() }
    return isShown
  }

  /// Records the error of a refresh.
  func show(_ error: any Error) {
    registrar.withMutation(of: self, keyPath: \.failure) { with { $0.failure = error } }
    notifySubscribers()
  }

  private func mutate(_ body: () -> Bool) -> Bool {
    registrar.withMutation(of: self, keyPath: \.items) {
      registrar.withMutation(of: self, keyPath: \.hasMore) {
        registrar.withMutation(of: self, keyPath: \.isLoaded) {
          registrar.withMutation(of: self, keyPath: \.failure) { body() }
        }
      }
    }
  }

  // MARK: Change notifications

  /// Returns a stream that has an element for each change of the shown rows.
  func updates() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = with { state -> Int in
        state.subscriberCount += 1
        state.subscribers[state.subscriberCount] = continuation
        return state.subscriberCount
      }
      // Called when the stream's iterator is released, or the iterating task is cancelled.
      continuation.onTermination = { [weak self] _ in
        _ = self?.with { $0.subscribers.removeValue(forKey: number) }
      }
    }
  }

  private func notifySubscribers() {
    for subscriber in with({ Array($0.subscribers.values) }) { subscriber.yield() }
  }
}

extension QueryCore.State {
  /// Records that rows are shown.
  ///
  /// - Parameter requestedCount: The number of requested rows; `nil` for a refresh.
  fileprivate mutating func recordResult(requestedCount: Int?) {
    version += 1
    isOutdated = false
    guard let requestedCount else { return }
    self.requestedCount = requestedCount
    isNewerThanObservation = observationTask != nil
  }
}

extension QueryCore {
  /// Performs a fetch, or joins a running fetch of the same kind.
  func fetch(_ kind: CoalescedFetches.Kind) async throws {
    try plan.check()
    let session = try currentSession()
    try await session.prepare(Target.Row.self)
    try bind()
    try await fetches.run(kind) { [self] in try await load(kind, session) }
  }

  /// Returns the number of rows that the query selects.
  func totalCount() async throws -> Int {
    try plan.check()
    let session = try currentSession()
    try await session.prepare(Target.Row.self)
    let (plan, binding) = (self.plan, try bind())
    return try await session.database.read { try plan.count($0, binding) }
  }

  private func currentSession() throws -> ModelSession {
    try with { $0.owner?.session ?? $0.session }
      ?? ModelSession.current(for: Target.Row.autoDBSettings)
  }

  private func load(_ kind: CoalescedFetches.Kind, _ session: ModelSession) async throws {
    var attempts = 0
    while true {
      attempts += 1
      let (version, requestedCount, binding) = with {
        ($0.version, $0.count(kind, self.plan), $0.binding)
      }
      let (plan, values) = (self.plan, binding ?? .values(self.plan.arguments))
      let revision = session.clock.now
      let result = try await session.database.read { connection in
        try plan.read(connection, values, .first(requestedCount)).read(at: revision)
      }
      // Rows shown during the read may be newer. After several attempts, the rows are shown and the
      // subscription refreshes them.
      let isLast = attempts > 3
      with { $0.session = session }
      if show(result, since: isLast ? nil : version, requestedCount: requestedCount) {
        if isLast { session.database.notifyChanges(in: refreshRegion) }
        break
      }
    }
    try await startObserving(session)
  }

  // MARK: Owner

  /// Returns the current arguments, read on the caller's actor.
  @discardableResult
  func bind() throws -> QueryBinding {
    let (owner, ownerIsModel, current) = with { ($0.owner, $0.ownerIsModel, $0.binding) }
    if ownerIsModel || current == nil {
      guard owner?.model != nil || current == nil else { return current ?? .noRow }
      return set(try plan.bind(owner?.row, isUnsaved: owner?.isUnsaved ?? false))
    }
    return current ?? .noRow
  }

  private func set(_ binding: QueryBinding) -> QueryBinding {
    with { state in
      if let existing = state.binding, existing.isSame(as: binding) { return existing }
      if state.binding != nil {
        state.isOutdated = true
        // A read that is in progress uses the former arguments.
        state.version += 1
      }
      state.binding = binding
      return binding
    }
  }

  /// Updates the arguments from the owner's current row.
  ///
  /// - Parameter row: The row, as read by the code that changed it.
  func updateOwnerRow(_ row: any Table, isUnsaved: Bool) {
    // If the arguments can't be resolved, the next fetch throws the error.
    guard let binding = try? plan.bind(row, isUnsaved: isUnsaved) else { return }
    _ = set(binding)
    let (isOutdated, session) = with { ($0.isOutdated && $0.isLoaded, $0.session) }
    if isOutdated { session?.database.notifyChanges(in: refreshRegion) }
  }
}

extension QueryCore.State {
  fileprivate func count(_ kind: CoalescedFetches.Kind, _ plan: QueryPlan<Target>) -> Int {
    switch kind {
    case .again: Swift.max(plan.initial, requestedCount, rows.count)
    case .more: isLoaded ? rows.count + plan.limit : plan.initial
    case .restart: plan.initial
    }
  }
}
