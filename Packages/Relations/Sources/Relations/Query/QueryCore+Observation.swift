internal import Observe
internal import Primitives
internal import SQLiteCore

extension QueryCore {
  /// The result of a refresh after a commit, and the version of the shown rows when the read began;
  /// `nil` if the query is no longer used, so that the observation ends.
  typealias RefreshResult = (rows: QueryPlan<Target>.ReadResult, version: Int)?

  /// Begins to observe commits.
  func startObserving(_ session: ModelSession) async throws {
    guard with({ $0.observationTask == nil }) else { return }
    try await session.database.startObserving()
    let results = session.database.observe(trackingRegion: {
      [weak self] connection, region -> RefreshResult in
      guard let self else { return nil }
      return try self.read(connection, &region)
    }).named("RelationQuery<\(Target.self)>").results
    // See ``ListSubscription/start()``.
    let iterator = results.makeAsyncIterator()
    let task = Task.detached { [weak self] in
      var results = iterator
      while let result = await results.next() {
        guard let self, await self.show(result) else { break }
      }
      if !Task.isCancelled { self?.with { $0.observationTask = nil } }
    }
    let isFirst = with { state in
      if state.observationTask == nil { state.observationTask = task }
      return state.observationTask == task
    }
    if !isFirst { task.cancel() }
  }

  private func read(_ connection: Connection, _ region: inout Region) throws -> RefreshResult {
    let (version, binding, selection) = with { ($0.version, $0.binding, $0.selection(plan)) }
    if isOrphaned { return nil }
    let values = binding ?? .values(plan.arguments)
    // The revision at which the transaction's first read begins.
    let revision = with { $0.session?.clock.now } ?? .max
    let (result, access) = connection.recordingAccess {
      Result { try plan.read(connection, values, selection) }
    }
    region = Region(access)
    if let predicate = plan.predicate(values) {
      region = region.narrowed(to: predicate, of: TableName(Target.Row.tableName))
    }
    region = region.union(refreshRegion)
    return (try result.get().read(at: revision), version)
  }

  /// A Boolean value that indicates whether the instance that has this query as a property was
  /// released. A copy of its row may still hold the query.
  private var isOrphaned: Bool { with { $0.ownerIsModel && $0.owner?.model == nil } }

  /// Shows the rows that the query currently returns.
  ///
  /// - Returns: Whether to continue.
  private func show(_ result: Result<RefreshResult, any Error>) async -> Bool {
    do {
      guard let refreshed = try result.get() else { return false }
      let isCertain = with { state in
        defer { state.isNewerThanObservation = false }
        return !state.isNewerThanObservation
      }
      if isCertain, show(refreshed.rows, since: refreshed.version, requestedCount: nil) {
        return true
      }
      try await refetchUntilCurrent()
    } catch {
      if !Task.isCancelled { show(error) }
    }
    return !Task.isCancelled
  }

  /// Reads rows until they are newer than the shown rows.
  private func refetchUntilCurrent() async throws {
    while !Task.isCancelled {
      let (version, session, binding, selection) = with {
        ($0.version, $0.session, $0.binding, $0.selection(self.plan))
      }
      guard let session else { return }
      let (plan, values) = (self.plan, binding ?? .values(self.plan.arguments))
      let revision = session.clock.now
      let readResult = try await session.database.read { connection in
        try plan.read(connection, values, selection).read(at: revision)
      }
      if show(readResult, since: version, requestedCount: nil) { return }
    }
  }
}

extension QueryCore.State {
  /// Returns the rows to show after a commit.
  fileprivate func selection(_ plan: QueryPlan<Target>) -> QueryPlan<Target>.Selection {
    let all = Swift.max(plan.initial, requestedCount)
    if isOutdated || plan.showsNewRows { return .first(all) }
    return .shown(Dictionary(rows.map { (StoredKey($0.row.id), 1) }, uniquingKeysWith: +))
  }
}

/// Coalesces concurrent fetches: callers that request the same fetch wait for the running one.
final class CoalescedFetches: Sendable {
  enum Kind: Hashable, Sendable {
    case again, more, restart
  }

  private struct Running {
    let number: Int
    let task: Task<Void, any Error>
    var waiters: Int
  }

  private let running = Mutex<[Kind: Running]>([:])
  private let count = Atomic<Int>(0)

  /// Runs `body`, or waits for the running fetch of the same kind.
  ///
  /// The fetch is cancelled when all its callers are cancelled.
  func run(_ kind: Kind, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try Task.checkCancellation()
    let (task, number) = running.withLock { running -> (Task<Void, any Error>, Int) in
      if var entry = running[kind] {
        entry.waiters += 1
        running[kind] = entry
        return (entry.task, entry.number)
      }
      let number = count.add(1, ordering: .relaxed).newValue
      let task = Task { [weak self] in
        defer { self?.end(kind, number) }
        try await body()
      }
      running[kind] = Running(number: number, task: task, waiters: 1)
      return (task, number)
    }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      removeWaiter(kind, number)
    }
  }

  private func end(_ kind: Kind, _ number: Int) {
    running.withLock { running in
      if running[kind]?.number == number { running[kind] = nil }
    }
  }

  private func removeWaiter(_ kind: Kind, _ number: Int) {
    let task = running.withLock { running -> Task<Void, any Error>? in
      guard var entry = running[kind], entry.number == number else { return nil }
      entry.waiters -= 1
      running[kind] = entry.waiters == 0 ? nil : entry
      return entry.waiters == 0 ? entry.task : nil
    }
    task?.cancel()
  }
}
