internal import Observe
internal import SQLiteCore

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
