internal import Observe
internal import Primitives
internal import SQLiteCore

extension QueryCore {
  /// What a follower has read.
  struct Reading: Sendable {
    var answer = QueryPlan<Target>.Answer()
    /// What was shown when it was begun.
    var version = 0
    /// Whether there is nobody to show it to.
    var isOver = false
  }

  /// Follows the commits from now on.
  func follow(_ session: ModelSession) async throws {
    guard with({ $0.follower == nil }) else { return }
    try await session.database.startObserving()
    let results = session.database.observe(trackingRegion: {
      [weak self] connection, region -> Reading in
      guard let self else { return Reading(isOver: true) }
      return try self.read(connection, &region)
    }).named("RelationQuery<\(Target.self)>").results
    // As in ``ListFollower/start()``.
    let iterator = results.makeAsyncIterator()
    let task = Task.detached { [weak self] in
      var results = iterator
      while let result = await results.next() {
        guard let self, await self.take(result) else { break }
      }
      if !Task.isCancelled { self?.with { $0.follower = nil } }
    }
    let isFirst = with { state in
      if state.follower == nil { state.follower = task }
      return state.follower == task
    }
    if !isFirst { task.cancel() }
  }

  private func read(_ connection: Connection, _ region: inout Region) throws -> Reading {
    let (version, binding, choice) = with { ($0.version, $0.binding, $0.choice(plan)) }
    if isOrphaned { return Reading(isOver: true) }
    let values = binding ?? .values(plan.arguments)
    // Nothing was read yet, where this is the first that is read in its transaction.
    let moment = with { $0.session?.clock.now } ?? .max
    let (result, access) = connection.recordingAccess {
      Result { try plan.read(connection, values, choice) }
    }
    region = Region(access)
    if let predicate = plan.predicate(values) {
      region = region.narrowed(to: predicate, of: TableName(Target.Row.tableName))
    }
    region = region.union(wakeRegion)
    return Reading(answer: try result.get().read(at: moment), version: version)
  }

  /// Whether the instance is gone whose property this is: who holds a copy of its row, may hold the query.
  private var isOrphaned: Bool { with { $0.isOfModel && $0.owner?.model == nil } }

  /// Takes what the query finds by now.
  ///
  /// - Returns: Whether to go on.
  private func take(_ result: Result<Reading, any Error>) async -> Bool {
    do {
      let reading = try result.get()
      if reading.isOver { return false }
      let isCertain = with { state in
        defer { state.isNewerThanFollower = false }
        return !state.isNewerThanFollower
      }
      if isCertain, show(reading.answer, since: reading.version, wanted: nil) { return true }
      try await readAgain()
    } catch {
      if !Task.isCancelled { show(error) }
    }
    return !Task.isCancelled
  }

  /// Reads what is newer than whatever was shown.
  private func readAgain() async throws {
    while !Task.isCancelled {
      let (version, session, binding, choice) = with {
        ($0.version, $0.session, $0.binding, $0.choice(self.plan))
      }
      guard let session else { return }
      let (plan, values) = (self.plan, binding ?? .values(self.plan.arguments))
      let moment = session.clock.now
      let answer = try await session.database.read { connection in
        try plan.read(connection, values, choice).read(at: moment)
      }
      if show(answer, since: version, wanted: nil) { return }
    }
  }
}

extension QueryCore.State {
  /// The rows that are to be shown without anyone's asking.
  fileprivate func choice(_ plan: QueryPlan<Target>) -> QueryPlan<Target>.Choice {
    let all = Swift.max(plan.initial, wanted)
    if isOutdated || plan.showsNewRows { return .first(all) }
    return .kept(Dictionary(rows.map { (StoredKey($0.row.id), 1) }, uniquingKeysWith: +))
  }
}

/// Fetches that whoever asks for the same meanwhile waits for too.
final class SharedFetches<Kind: Hashable & Sendable>: Sendable {
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

  /// Runs `body`, or waits for the one that runs.
  ///
  /// It is cancelled when everyone who waits for it is.
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
      leave(kind, number)
    }
  }

  private func end(_ kind: Kind, _ number: Int) {
    state.withLock { state in
      if state.running[kind]?.number == number { state.running[kind] = nil }
    }
  }

  private func leave(_ kind: Kind, _ number: Int) {
    let task = state.withLock { state -> Task<Void, any Error>? in
      guard var running = state.running[kind], running.number == number else { return nil }
      running.waiters -= 1
      state.running[kind] = running.waiters == 0 ? nil : running
      return running.waiters == 0 ? running.task : nil
    }
    task?.cancel()
  }
}
