internal import Primitives

/// A database of another engine than SQLite, whose commits another component reports, and whose values asynchronous
/// functions read.
///
/// A source has a ``ChangePublisher``, to which it passes the changes of each commit, in the order of the commits. In
/// return, its values are observed like a `Database`'s values: see ``observe(trackingRegion:)``. The commits are reported
/// while there are consumers, between ``beginObserving()`` and ``endObserving()``.
///
/// PostgreSQL's is `PostgreSQLChangeSource`.
public protocol ChangeSource: AnyObject, Sendable {
  /// A consistent state of the database, from which values are read.
  associatedtype Snapshot: Sendable

  /// The publisher of the source's commits, always the same.
  var publisher: ChangePublisher { get }

  /// Begins to report commits, and returns when all later commits are reported.
  ///
  /// Called before each element that a consumer requests, and must return quickly if commits are reported already.
  ///
  /// - Throws: An error if commits can't be reported. It ends the consumer's iteration.
  func beginObserving() async throws

  /// Called when the last consumer has ended. The source stops reporting commits, unless
  /// ``ChangePublisher/isObserved`` has become true again in the meantime.
  func endObserving()

  /// Passes a snapshot to `body`, which reads values.
  ///
  /// - Parameter body: Receives the snapshot, and a function that returns whether a transaction with a number that was
  ///   passed to ``ChangePublisher/publish(_:of:)`` is visible in it. It reads several values one after another, and
  ///   never throws: failures belong to the values.
  /// - Throws: An error if there is no snapshot.
  func withSnapshot(
    _ body: @Sendable (Snapshot, _ isVisible: @Sendable (UInt64) -> Bool) async -> Void
  ) async throws

  /// Returns whether a value that could not be read should be read again from another snapshot, for example because the
  /// connection ended.
  func isTemporary(_ error: any Error) -> Bool
}

/// Publishes the commits of a ``ChangeSource`` to the observers of its values.
public final class ChangePublisher: Sendable {
  let hub = ChangeHub()

  public init() {}

  /// Indicates whether the source has consumers.
  public var isObserved: Bool { hub.inspect { $0.hasConsumers } }

  /// The number of the last published commit; 0 before the first.
  public var latest: UInt64 { hub.inspect { $0.log.latest } }

  /// Publishes the changes of a commit. A value that may have changed is read again.
  ///
  /// - Parameters:
  ///   - changes: The changes. An empty change set is not published.
  ///   - transaction: A number by which a snapshot determines whether it shows the commit, because an engine may report
  ///     a commit before it is visible; `nil` if every snapshot that begins from now on shows it.
  public func publish(_ changes: ChangeSet, of transaction: UInt64? = nil) {
    if changes.isEmpty { return }
    hub.publish(changes, of: transaction)
  }

  /// Publishes that anything may have changed, because commits were possibly not reported. Transactions that were
  /// published earlier count as visible.
  public func publishGap() {
    hub.publish(ChangeSet(isUnbounded: true), of: nil, isGap: true)
  }

  /// Ends all iterations with an error, because commits can no longer be reported. Later iterations are not affected.
  public func end(throwing error: any Error) { hub.endAll(throwing: error) }
}

/// The commits that a snapshot may not show, although they were published.
///
/// A commit that one snapshot shows is also shown by every snapshot that begins later, but not by one that began before
/// and is still in use.
struct UnconfirmedCommits {
  private var commits: [(sequence: UInt64, transaction: UInt64?)] = []
  /// The last commit for which a snapshot has shown all commits up to it.
  private var confirmed: UInt64 = 0
  /// The requested snapshots, with the value of `confirmed` at that time.
  private var requests: [UInt64: UInt64] = [:]
  private var lastRequest: UInt64 = 0
  /// Indicates whether a snapshot is awaited only to confirm commits.
  var isConfirming = false

  var count: Int { commits.count }

  mutating func add(_ sequence: UInt64, _ transaction: UInt64?) {
    commits.append((sequence, transaction))
  }

  mutating func removeAll() { commits = [] }

  /// A snapshot that was requested.
  struct Request {
    fileprivate let id: UInt64
    /// The last commit at the time of the request.
    fileprivate let latest: UInt64
  }

  /// Called before a snapshot is requested.
  mutating func request(latest: UInt64) -> Request {
    lastRequest += 1
    requests[lastRequest] = confirmed
    return Request(id: lastRequest, latest: latest)
  }

  /// Called when there is a snapshot.
  ///
  /// - Parameters:
  ///   - request: The request for the snapshot.
  ///   - latest: The last commit.
  ///   - isVisible: Returns whether the snapshot shows a transaction.
  /// - Returns: The number of the last commit for which the snapshot shows all commits up to it.
  mutating func finish(
    _ request: Request, latest: UInt64, _ isVisible: (UInt64) -> Bool
  ) -> UInt64 {
    let known = requests[request.id] ?? 0
    defer { remove(request) }
    let hidden = commits.first { commit in
      commit.sequence > known
        && !(commit.transaction.map(isVisible) ?? (commit.sequence <= request.latest))
    }
    let position = hidden.map { $0.sequence - 1 } ?? latest
    confirmed = max(confirmed, position)
    return position
  }

  /// Called when there is no snapshot. Has no effect after ``finish(_:latest:_:)``.
  mutating func remove(_ request: Request) {
    requests[request.id] = nil
    let limit = requests.values.reduce(confirmed, min)
    commits.removeFirst(commits.prefix { $0.sequence <= limit }.count)
  }
}

/// The flushes of a ``ChangeSource`` that fetched nothing, after which the next one is delayed.
struct FlushRetries {
  /// The number of consecutive flushes whose commits were not visible, or whose fetches failed for the moment.
  private(set) var count = 0
  /// The number of consecutive temporary failures.
  private var failures = 0

  private static let maximumFailures = 100

  /// The time to wait before the next flush. A commit is usually visible within a millisecond after it was reported.
  var delay: Duration? { count == 0 ? nil : .microseconds(min(125 << min(count, 9), 50_000)) }

  mutating func didWait() { count += 1 }

  mutating func didFetch() {
    count = 0
    failures = 0
  }

  /// Returns whether a fetch that has failed for the moment is repeated.
  mutating func shouldRepeat() -> Bool {
    failures += 1
    count += 1
    return failures < Self.maximumFailures
  }
}

extension ChangeHub {
  /// The maximum number of commits that are not known to be visible, after which a snapshot is used to confirm them.
  private static let maximumUnconfirmed = 1_000

  var sourceIfAny: (any ChangeSource)? { weakSource.withLock { $0.source } }

  func publish(_ changes: ChangeSet, of transaction: UInt64?, isGap: Bool = false) {
    let (actions, mustConfirm) = state.withLock { state in
      let actions = state.schedule.commit(changes)
      if isGap { state.unconfirmed.removeAll() }
      state.unconfirmed.add(state.schedule.log.latest, transaction)
      let mustConfirm =
        state.unconfirmed.count > Self.maximumUnconfirmed && !state.unconfirmed.isConfirming
      if mustConfirm { state.unconfirmed.isConfirming = true }
      return (actions, mustConfirm)
    }
    perform(actions)
    guard mustConfirm, let source = sourceIfAny else { return }
    Task.detached { await self.confirm(with: source) }
  }

  private func requestSnapshot() -> UnconfirmedCommits.Request {
    state.withLock { $0.unconfirmed.request(latest: $0.schedule.log.latest) }
  }

  private func confirm(with source: some ChangeSource) async {
    let request = requestSnapshot()
    try? await source.withSnapshot { _, isVisible in
      self.state.withLock { state in
        _ = state.unconfirmed.finish(request, latest: state.schedule.log.latest, isVisible)
      }
    }
    state.withLock { state in
      state.unconfirmed.remove(request)
      state.unconfirmed.isConfirming = false
    }
  }

  func endAll(throwing error: any Error) {
    let ended = state.withLock { state in
      let ids = state.schedule.endAll()
      let ended = ids.map { id in
        state.runningFetches[id]?.cancel()
        return (
          id, state.observers.removeValue(forKey: id), state.listeners.removeValue(forKey: id),
          state.eventInboxes.removeValue(forKey: id)
        )
      }
      state.unconfirmed.removeAll()
      return ended
    }
    for (id, observer, listener, events) in ended {
      inspector.didFail(id, error, isLast: true)
      observer?.end(throwing: error)
      listener?.fail(error)
      events?.fail(error)
    }
    resumeIdleWaiters()
  }

  /// Fetches all stale values in one snapshot.
  func flush(from source: some ChangeSource) {
    Task.detached { [self] in
      if let delay = state.withLock({ $0.flushRetries.delay }) { try? await Task.sleep(for: delay) }
      let request = requestSnapshot()
      let hasBegun = Atomic(false)
      do {
        try await source.withSnapshot { snapshot, isVisible in
          hasBegun.store(true, ordering: .relaxed)
          await self.refresh(from: snapshot, of: source, request, isVisible)
        }
      } catch  where !hasBegun.load(ordering: .relaxed) {
        let failed = state.withLock { state in
          state.unconfirmed.remove(request)
          return state.schedule.flushDidFail()
        }
        for id in failed { fail(id, error) }
        return resumeIdleWaiters()
      } catch {
        // The values were read, or have failed by themselves.
      }
      perform(state.withLock { $0.schedule.endFlush() })
    }
  }

  private func refresh<Source: ChangeSource>(
    from snapshot: Source.Snapshot, of source: Source, _ request: UnconfirmedCommits.Request,
    _ isVisible: @Sendable (UInt64) -> Bool
  ) async {
    let (batch, seen) = state.withLock { state in
      let seen = state.unconfirmed.finish(
        request, latest: state.schedule.log.latest, isVisible)
      let batch = state.schedule.beginFlush(showing: seen)
      if batch.isEmpty, state.schedule.hasQueue { state.flushRetries.didWait() }
      return (batch, seen)
    }
    var shared: [SharingKey: LoadedValue] = [:]
    for (index, id) in batch.enumerated() {
      guard let observer = state.withLock({ $0.observers[id] }) else { continue }
      let start = ContinuousClock.now
      let known = observer.sharingKey.flatMap { shared[$0] }
      let load =
        known.map { known in Task { known } } ?? Task { await observer.load(from: snapshot) }
      let scheduled = beginFetch(id, .task(load))?.1
      if scheduled == nil { load.cancel() }
      // A load that is cancelled must also end before the next one.
      let loaded = await load.value
      let hasFailed: Bool = if case .failure = loaded.result { true } else { false }
      if let scheduled {
        if case .failure(let error) = loaded.result, source.isTemporary(error),
          state.withLock({ $0.observers[id] != nil && $0.flushRetries.shouldRepeat() })
        {
          return requeue(batch[index...])
        }
        state.withLock { $0.flushRetries.didFetch() }
        if !hasFailed, let key = observer.sharingKey { shared[key] = loaded }
        let cause =
          inspector.hasListeners ? inspect { $0.log }.cause(of: scheduled, upTo: seen) : nil
        let fetched = observer.fetch(.loaded(loaded), in: RefreshCache())
        finishFetch(id, scheduled, fetched, cause, start.duration(to: .now), seen: seen)
      }
      // The failure may have ended the snapshot.
      if hasFailed { return requeue(batch[(index + 1)...]) }
    }
  }

  private func requeue(_ ids: ArraySlice<ID>) {
    state.withLock { state in
      for id in ids { state.runningFetches[id] = nil }
      state.schedule.requeue(ids)
    }
  }
}
