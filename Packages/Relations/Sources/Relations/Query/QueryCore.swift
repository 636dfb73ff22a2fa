internal import Observation
internal import Observe
internal import Primitives
internal import SQLiteCore

/// What a query has found, and what follows the commits for it.
///
/// Queries that take one another's place as a property of a row share one.
final class QueryCore<Target: TableModel>: Sendable, Observable {
  let plan: QueryPlan<Target>
  private let state = Mutex(State())
  private let registrar = ObservationRegistrar()
  let fetches = SharedFetches<FetchKind>()
  /// A table that there is not: who changes it has this query read anew, and nothing else.
  let wakeRegion: Region

  struct State: Sendable {
    /// The rows that are shown, as they were read last.
    var rows: [ModelSession.FetchedRow<Target.Row>] = []
    /// What stands for them; `nil` where they are newer.
    var items: [Target]?
    var isLoaded = false
    var hasMore = false
    /// How many were asked for.
    var wanted = 0
    var failure: (any Error)?
    /// Counts what was shown.
    var version = 0
    /// Whether what the follower has read by now may be older than what is shown.
    var isNewerThanFollower = false
    var owner: RelationOwner?
    /// Whether the owner is an instance.
    var isOfModel = false
    var binding: QueryBinding?
    /// Whether the rows that are shown are of other values of the parameters.
    var isOutdated = false
    var session: ModelSession?
    var follower: Task<Void, Never>?
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var listenerCount = 0
  }

  enum FetchKind: Hashable, Sendable {
    case again, more, restart
  }

  init(_ plan: QueryPlan<Target>) {
    self.plan = plan
    wakeRegion = .table(TableName("holt query \(QueryNumber.next())"))
  }

  deinit {
    let (follower, listeners) = state.withLock { ($0.follower, $0.listeners.values) }
    follower?.cancel()
    for listener in listeners { listener.finish() }
  }

  func with<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  // MARK: What is there

  var items: [Target] {
    registrar.access(self, keyPath: \.items)
    let (known, rows, session, version) = with { ($0.items, $0.rows, $0.session, $0.version) }
    if let known { return known }
    guard let session else { return [] }
    // Here, and not where the commit was heard of: models are changed on the actor of whoever asks.
    let items = rows.map { Target.instance(of: $0, in: session) }
    let owner = with { state in
      if state.version == version { state.items = items }
      return state.owner
    }
    owner?.noteLoaded()
    return items
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

  // MARK: Showing

  /// Takes what was read.
  ///
  /// - Parameters:
  ///   - version: What was shown when that was begun; `nil` where it does not matter.
  ///   - wanted: How many rows were asked for; `nil` where nobody has asked.
  /// - Returns: Whether it was taken: it is not where something else was shown meanwhile.
  func show(
    _ answer: QueryPlan<Target>.Answer, since version: Int?, wanted: Int?
  ) -> Bool {
    let (isTaken, isSame, isFirst, failed) = with { state -> (Bool, Bool, Bool, Bool) in
      (
        version == nil || state.version == version,
        state.hasMore == answer.hasMore && state.rows.map(\.row) == answer.rows.map(\.row),
        !state.isLoaded, state.failure != nil
      )
    }
    guard isTaken else { return false }
    if isSame, !isFirst, !failed {
      return with { state in
        guard version == nil || state.version == version else { return false }
        state.note(wanted)
        return true
      }
    }
    let taken = mutate {
      self.with { state in
        guard version == nil || state.version == version else { return false }
        state.note(wanted)
        if !isSame || isFirst {
          state.rows = answer.rows
          state.items = nil
          state.hasMore = answer.hasMore
          state.isLoaded = true
        }
        state.failure = nil
        return true
      }
    }
    if taken { tell() }
    return taken
  }

  /// Takes note of what the follower has failed with.
  func show(_ error: any Error) {
    registrar.withMutation(of: self, keyPath: \.failure) { with { $0.failure = error } }
    tell()
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

  // MARK: Listening

  /// Has a sequence told of what is shown from now on.
  func listen() -> (number: Int, told: AsyncStream<Void>) {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = with { state -> Int in
      state.listenerCount += 1
      state.listeners[state.listenerCount] = continuation
      return state.listenerCount
    }
    return (number, stream)
  }

  func endListening(_ number: Int) {
    with { $0.listeners.removeValue(forKey: number) }?.finish()
  }

  private func tell() {
    for listener in with({ Array($0.listeners.values) }) { listener.yield() }
  }
}

extension QueryCore.State {
  fileprivate mutating func note(_ wanted: Int?) {
    version += 1
    isOutdated = false
    guard let wanted else { return }
    self.wanted = wanted
    isNewerThanFollower = follower != nil
  }
}

/// Numbers of queries.
private enum QueryNumber {
  private static let last = Atomic<Int>(0)
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

extension QueryCore {
  /// Fetches what was asked for, together with whoever asks for the same.
  func fetch(_ kind: FetchKind) async throws {
    try plan.check()
    let session = try currentSession()
    try await session.prepare(Target.Row.self)
    try bind()
    try await fetches.run(kind) { [self] in try await load(kind, session) }
  }

  /// How many rows the query finds.
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

  private func load(_ kind: FetchKind, _ session: ModelSession) async throws {
    var attempts = 0
    while true {
      attempts += 1
      let (version, wanted, binding) = with { ($0.version, $0.wanted(kind, self.plan), $0.binding) }
      let (plan, values) = (self.plan, binding ?? .values(self.plan.arguments))
      let moment = session.clock.now
      let answer = try await session.database.read { connection in
        try plan.read(connection, values, .first(wanted)).read(at: moment)
      }
      // What was shown meanwhile may be newer. Where that goes on and on, the follower has the last word.
      let isLast = attempts > 3
      with { $0.session = session }
      if show(answer, since: isLast ? nil : version, wanted: wanted) {
        if isLast { session.database.notifyChanges(in: wakeRegion) }
        break
      }
    }
    try await follow(session)
  }

  // MARK: The owner

  /// The values of the parameters by now, as whoever asks has them before them.
  @discardableResult
  func bind() throws -> QueryBinding {
    let (owner, isOfModel, known) = with { ($0.owner, $0.isOfModel, $0.binding) }
    if isOfModel || known == nil {
      guard owner?.model != nil || known == nil else { return known ?? .noRow }
      return set(try plan.bind(owner?.row, isUnsaved: owner?.isUnsaved ?? false))
    }
    return known ?? .noRow
  }

  private func set(_ binding: QueryBinding) -> QueryBinding {
    with { state in
      if let known = state.binding, known.isSame(as: binding) { return known }
      if state.binding != nil {
        state.isOutdated = true
        // What is being read is of the former values.
        state.version += 1
      }
      state.binding = binding
      return binding
    }
  }

  /// Takes note of what the owner's row is by now.
  ///
  /// - Parameter row: The row, as whoever has changed it has it before them.
  func noteOwner(_ row: any Table, isUnsaved: Bool) {
    // A query that can't be bound tells when it is fetched.
    guard let binding = try? plan.bind(row, isUnsaved: isUnsaved) else { return }
    _ = set(binding)
    let (isOutdated, session) = with { ($0.isOutdated && $0.isLoaded, $0.session) }
    if isOutdated { session?.database.notifyChanges(in: wakeRegion) }
  }
}

extension QueryCore.State {
  fileprivate func wanted(_ kind: QueryCore.FetchKind, _ plan: QueryPlan<Target>) -> Int {
    switch kind {
    case .again: Swift.max(plan.initial, wanted, rows.count)
    case .more: isLoaded ? rows.count + plan.limit : plan.initial
    case .restart: plan.initial
    }
  }
}
