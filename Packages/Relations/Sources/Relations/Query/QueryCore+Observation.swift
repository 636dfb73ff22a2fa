internal import Observe
internal import Primitives
internal import SQLiteCore

extension QueryCore {
  /// The result of a refresh after a commit.
  struct Reading: Sendable {
    var answer = QueryPlan<Target>.ReadResult()
    /// The version of the shown rows when the read began.
    var version = 0
    /// A Boolean value that indicates whether the query is no longer used, so that the observation
    /// ends.
    var isOver = false
  }

  /// Begins to observe commits.
  func follow(_ session: ModelSession) async throws {
    guard with({ $0.observationTask == nil }) else { return }
    try await session.database.startObserving()
    let results = session.database.observe(trackingRegion: {
      [weak self] connection, region -> Reading in
      guard let self else { return Reading(isOver: true) }
      return try self.read(connection, &region)
    }).named("RelationQuery<\(Target.self)>").results
    // See ``ListSubscription/start()``.
    let iterator = results.makeAsyncIterator()
    let task = Task.detached { [weak self] in
      var results = iterator
      while let result = await results.next() {
        guard let self, await self.take(result) else { break }
      }
      if !Task.isCancelled { self?.with { $0.observationTask = nil } }
    }
    let isFirst = with { state in
      if state.observationTask == nil { state.observationTask = task }
      return state.observationTask == task
    }
    if !isFirst { task.cancel() }
  }

  private func read(_ connection: Connection, _ region: inout Region) throws -> Reading {
    let (version, binding, choice) = with { ($0.version, $0.binding, $0.choice(plan)) }
    if isOrphaned { return Reading(isOver: true) }
    let values = binding ?? .values(plan.arguments)
    // The revision at which the transaction's first read begins.
    let revision = with { $0.session?.clock.now } ?? .max
    let (result, access) = connection.recordingAccess {
      Result { try plan.read(connection, values, choice) }
    }
    region = Region(access)
    if let predicate = plan.predicate(values) {
      region = region.narrowed(to: predicate, of: TableName(Target.Row.tableName))
    }
    region = region.union(wakeUpRegion)
    return Reading(answer: try result.get().read(at: revision), version: version)
  }

  /// A Boolean value that indicates whether the instance that has this query as a property was
  /// released. A copy of its row may still hold the query.
  private var isOrphaned: Bool { with { $0.ownerIsModel && $0.owner?.model == nil } }

  /// Shows the rows that the query currently returns.
  ///
  /// - Returns: Whether to continue.
  private func take(_ result: Result<Reading, any Error>) async -> Bool {
    do {
      let reading = try result.get()
      if reading.isOver { return false }
      let isCertain = with { state in
        defer { state.isNewerThanObservation = false }
        return !state.isNewerThanObservation
      }
      if isCertain, show(reading.answer, since: reading.version, wanted: nil) { return true }
      try await refetchUntilCurrent()
    } catch {
      if !Task.isCancelled { show(error) }
    }
    return !Task.isCancelled
  }

  /// Reads rows until they are newer than the shown rows.
  private func refetchUntilCurrent() async throws {
    while !Task.isCancelled {
      let (version, session, binding, choice) = with {
        ($0.version, $0.session, $0.binding, $0.choice(self.plan))
      }
      guard let session else { return }
      let (plan, values) = (self.plan, binding ?? .values(self.plan.arguments))
      let revision = session.clock.now
      let readResult = try await session.database.read { connection in
        try plan.read(connection, values, choice).read(at: revision)
      }
      if show(readResult, since: version, wanted: nil) { return }
    }
  }
}

extension QueryCore.State {
  /// Returns the rows to show after a commit.
  fileprivate func choice(_ plan: QueryPlan<Target>) -> QueryPlan<Target>.Choice {
    let all = Swift.max(plan.initial, wanted)
    if isOutdated || plan.showsNewRows { return .first(all) }
    return .kept(Dictionary(rows.map { (StoredKey($0.row.id), 1) }, uniquingKeysWith: +))
  }
}

/// Coalesces concurrent fetches: callers that request the same fetch wait for the running one.
final class CoalescedFetches<Kind: Hashable & Sendable>: Sendable {
  private struct Running {
    let number: Int
    let task: Task<Void, any Error>
    var waiters: Int
  }

  private struct State {
    var running: [Kind: Running] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  /// Runs `body`, or waits for the running fetch of the same kind.
  ///
  /// The fetch is cancelled when all its callers are cancelled.
  func run(_ kind: Kind, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let (task, number) = state.withLock { state -> (Task<Void, any Error>, Int) in
      if var running = state.running[kind] {
        running.waiters += 1
        state.running[kind] = running
        return (running.task, running.number)
      }
      state.count += 1
      let number = state.count
      let task = Task { [weak self] in
        defer { self?.end(kind, number) }
        try await body()
      }
      state.running[kind] = Running(number: number, task: task, waiters: 1)
      return (task, number)
    }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      removeWaiter(kind, number)
    }
  }

  private func end(_ kind: Kind, _ number: Int) {
    state.withLock { state in
      if state.running[kind]?.number == number { state.running[kind] = nil }
    }
  }

  private func removeWaiter(_ kind: Kind, _ number: Int) {
    let task = state.withLock { state -> Task<Void, any Error>? in
      guard var running = state.running[kind], running.number == number else { return nil }
      running.waiters -= 1
      state.running[kind] = running.waiters == 0 ? nil : running
      return running.waiters == 0 ? running.task : nil
    }
    task?.cancel()
  }
}
