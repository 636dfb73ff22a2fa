internal import Primitives
@_spi(Observing) internal import SQLiteCore

extension DatabaseObservation {
  /// Defines how the commits of other processes to a database's file are observed.
  public enum CrossProcess: Hashable, Sendable {
    /// The file is watched. The tables changed by another process are unknown, so everything
    /// observed is fetched again after each of its commits.
    case watched
    /// The file is watched, and processes that use this mode publish the tables and columns that
    /// their commits change, in a small file next to the database, named after it with the suffix
    /// `-changes`. Commits that are not published are detected as with ``watched``.
    case exchanged
  }
}

/// Commits of other processes.
extension CommitBroadcaster {
  /// Starts observing other processes' commits, and publishing this process's commits if requested.
  func observe(_ mode: DatabaseObservation.CrossProcess, with database: Database) async throws {
    guard let path = file?.path else { return }
    // Exchanging includes watching.
    if state.withLock({ $0.mode == mode || $0.mode == .exchanged }) { return }
    let sharedLog =
      mode == .exchanged ? try AppendOnlyFile(path: path + Self.suffix, like: path) : nil
    let watcher = try FileWatcher(path: path, suffix: Self.suffix) { [weak self] in
      self?.fileDidChange()
    }
    state.withLock { state in
      state.mode = mode
      state.watcher = watcher
      state.sharedLog = sharedLog
      receiverCount.store(state.receiverCount, ordering: .releasing)
      interest.change()
    }
    // Only commits from now on are new.
    let progress = try await database.read { try self.advance(with: $0, .none) }
    if progress == nil {
      let number = try await Self.version(of: database)
      state.withLock { $0.version = (ObjectIdentifier(database), number) }
    }
    // Earlier observers may have missed commits.
    for receiver in receivers { receiver.publish(ChangeSet(isUnbounded: true)) }
  }

  /// The suffix of the file in which processes publish their commits.
  static let suffix = "-changes"

  /// Indicates whether the states of the log are tracked.
  var tracksLog: Bool { hasChain.load(ordering: .acquiring) }

  /// Called when a commit of this process begins. No other process can commit before it ends.
  ///
  /// - Returns: The state before the commit; `nil` if states are not tracked.
  func willCommit(on connection: Connection) -> Connection.WALState? {
    guard tracksLog, let before = try? connection.walState() else { return nil }
    state.withLock { $0.chain?.begin(on: before) }
    return before
  }

  func didRollback(on before: Connection.WALState) {
    state.withLock { $0.chain?.rollBack(on: before) }
  }

  func didCommit(_ changes: ChangeSet, on before: Connection.WALState, connection: Connection) {
    guard let now = try? connection.walState() else {
      state.withLock { $0.chain?.rollBack(on: before) }
      return
    }
    if now == before {
      state.withLock { $0.chain?.rollBack(on: before) }
      return
    }
    let (isBehind, sharedLog) = state.withLock { state in
      (state.chain?.commit(on: before, now: now) == true, state.sharedLog)
    }
    let after = now.number == before.number &+ 1 ? now : nil
    sharedLog?.append(
      CommitChain.Link(before: before, after: after, changes: changes.inMainSchema).line)
    if isBehind { startCheck() }
  }

  /// Checks whether another process has committed, and delivers its commits.
  ///
  /// If a commit is unknown but may soon be published, the check waits for a short time; then the
  /// commit counts as a change of everything.
  func check() async { await startCheck().value }

  /// Checks immediately, and several more times.
  ///
  /// A process writes its log, possibly waits until the log is on disk, and only then marks the
  /// commit as done, without a notification by the system.
  private func fileDidChange() {
    let count = state.withLock { state in
      state.eventCount += 1
      return state.eventCount
    }
    Task.detached { [weak self] in
      await self?.check()
      for milliseconds in [2, 10, 50, 250, 1_000] {
        try? await Task.sleep(for: .milliseconds(milliseconds))
        guard let self, state.withLock({ $0.eventCount == count }) else { return }
        await check()
      }
    }
  }

  /// Schedules a check after the running one, so that every commit from now on is detected.
  @discardableResult private func startCheck() -> Task<Void, Never> {
    state.withLock { state in
      if let next = state.nextCheck { return next }
      let last = state.check
      let next = Task.detached { [self] in
        await last?.value
        self.state.withLock { state in
          state.check = state.nextCheck
          state.nextCheck = nil
        }
        var gapTimeout = CommitChain.GapTimeout.indefinite
        while let gap = await checkOnce(gapTimeout) {
          // A commit is published shortly after it ends, and can be visible before.
          try? await Task.sleep(for: .milliseconds(20))
          gapTimeout = .expiredAt(gap)
        }
      }
      state.nextCheck = next
      return next
    }
  }

  /// - Returns: The state before a commit that may soon be published.
  private func checkOnce(_ gapTimeout: CommitChain.GapTimeout) async -> Connection.WALState? {
    guard state.withLock({ $0.mode != nil }) else { return nil }
    for database in file?.openDatabases ?? [] {
      do {
        let progress = try await database.read { connection in
          try self.advance(with: connection, gapTimeout)
        }
        guard let progress else {
          try await checkVersion(of: database)
          return nil
        }
        let receivers = receivers
        for changes in progress.changes where !changes.isEmpty {
          for receiver in receivers { receiver.publish(changes) }
        }
        return progress.gap
      } catch {
        // The database may be closing; another one may work.
      }
    }
    return nil
  }

  /// - Returns: `nil` if there is no log that processes share.
  private func advance(
    with connection: Connection, _ gapTimeout: CommitChain.GapTimeout
  ) throws -> CommitChain.Progress? {
    // Ensures that the connection has opened its log.
    _ = try connection.value(Int.self, "PRAGMA main.schema_version")
    return try state.withLock { state in
      // Under the lock, so that no commit of this process begins after the state was read and
      // before it is recorded.
      guard let current = try connection.walState() else { return nil }
      guard state.chain != nil else {
        // The log was created in the meantime.
        state.chain = CommitChain(at: current)
        hasChain.store(true, ordering: .releasing)
        state.version = nil
        return ([ChangeSet(isUnbounded: true)], nil)
      }
      for line in state.sharedLog?.readNewLines() ?? [] {
        if let link = CommitChain.Link(line: line) { state.chain?.add(link) }
      }
      let canWait = state.sharedLog != nil || state.chain?.hasCommitInProgress == true
      return state.chain?.advance(to: current, canWait ? gapTimeout : .none)
    }
  }

  /// Without a shared log, a connection's data version shows that another connection has committed.
  private func checkVersion(of database: Database) async throws {
    let version = (
      database: ObjectIdentifier(database), number: try await Self.version(of: database)
    )
    let receivers = state.withLock { state -> [any CommitReceiver] in
      state.chain = nil
      hasChain.store(false, ordering: .releasing)
      defer { state.version = version }
      let last = state.version
      let hasChanged =
        version.number == nil || last?.database != version.database
        || last?.number != version.number
      return hasChanged ? state.members.compactMap(\.receiver) : []
    }
    for receiver in receivers { receiver.publish(ChangeSet(isUnbounded: true)) }
  }

  /// Returns a number that changes with every commit of another connection; `nil` if there is no
  /// writer.
  private static func version(of database: Database) async throws -> Int? {
    if database.configuration.isReadOnly { return nil }
    return try await database.writeWithoutTransaction { connection in
      try connection.value(Int.self, "PRAGMA main.data_version")
    }
  }
}
