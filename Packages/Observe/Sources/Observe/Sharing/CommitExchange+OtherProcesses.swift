internal import Primitives
@_spi(Observing) internal import SQLiteCore

extension DatabaseObservation {
  /// How the commits of other processes to a database's file are observed.
  public enum CrossProcess: Hashable, Sendable {
    /// The file is watched. Which tables another process has changed is not known, so that all that is
    /// observed is fetched anew after each of its commits.
    case watched
    /// The file is watched, and processes that do this tell each other which tables and columns their commits have
    /// changed, in a small file beside the database whose name has `-changes` after the database's. What a
    /// process commits that does not tell is noticed, as with ``watched``.
    case exchanged
  }
}

/// Other processes.
extension CommitExchange {
  /// Begins to learn of other processes' commits, and to tell them of ours, where that is asked for.
  func observe(_ others: DatabaseObservation.CrossProcess, with database: Database) async throws {
    guard let path = file?.path else { return }
    // Who exchanges watches as well.
    if state.withLock({ $0.others == others || $0.others == .exchanged }) { return }
    let shared =
      others == .exchanged ? try AppendOnlyFile(path: path + Self.suffix, like: path) : nil
    let watch = try FileWatch(path: path, suffix: Self.suffix) { [weak self] in
      self?.fileDidChange()
    }
    state.withLock { state in
      state.others = others
      state.watch = watch
      state.shared = shared
      audience.store(state.audience, ordering: .releasing)
      interest.change()
    }
    // What was committed until now is no news; what is from now on, is.
    let news = try await database.read { try self.advance(with: $0, .none) }
    if news == nil {
      let number = try await Self.version(of: database)
      state.withLock { $0.version = (ObjectIdentifier(database), number) }
    }
    // Who has observed before may have missed something.
    for receiver in receivers { receiver.publish(ChangeSet(isUnbounded: true)) }
  }

  /// What the name of the file has, after the database's, by which processes tell each other.
  static let suffix = "-changes"

  /// Whether the states of the log are followed.
  var followsLog: Bool { hasChain.load(ordering: .acquiring) }

  /// A commit of this process begins: nobody else can commit before it ends.
  ///
  /// - Returns: The state on which it follows; `nil` where nobody asks.
  func willCommit(on connection: Connection) -> Connection.LogState? {
    guard followsLog, let before = try? connection.logState() else { return nil }
    state.withLock { $0.chain?.begin(on: before) }
    return before
  }

  func didRollback(on before: Connection.LogState) {
    state.withLock { $0.chain?.rollBack(on: before) }
  }

  func didCommit(_ changes: ChangeSet, on before: Connection.LogState, connection: Connection) {
    guard let now = try? connection.logState() else {
      state.withLock { $0.chain?.rollBack(on: before) }
      return
    }
    if now == before {
      state.withLock { $0.chain?.rollBack(on: before) }
      return
    }
    let (isBehind, shared) = state.withLock { state in
      (state.chain?.commit(on: before, now: now) == true, state.shared)
    }
    let after = now.number == before.number &+ 1 ? now : nil
    shared?.append(
      ChangeSetLine(before: before, after: after, changes: changes.ofMainFile).text)
    if isBehind { startCheck() }
  }

  /// Looks whether another process has committed, and tells everyone of it.
  ///
  /// A commit that someone is about to tell of is waited for, not long: then anything may have changed.
  func check() async { await startCheck().value }

  /// Looks at once, and some times more.
  ///
  /// A process writes its log, may wait until that is on the disk, and only then says that it has committed: of
  /// which the system tells nobody.
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

  /// Has someone look, once those who look already have done so: what happens from now on is seen.
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
        var patience = CommitChain.Patience.endless
        while let gap = await checkOnce(patience) {
          // A commit is told of after it was made, and is seen at once.
          try? await Task.sleep(for: .milliseconds(20))
          patience = .endsAt(gap)
        }
      }
      state.nextCheck = next
      return next
    }
  }

  /// - Returns: The state on which a commit followed of which someone is about to tell.
  private func checkOnce(_ patience: CommitChain.Patience) async -> Connection.LogState? {
    guard state.withLock({ $0.others != nil }) else { return nil }
    for database in file?.openDatabases ?? [] {
      do {
        let news = try await database.read { connection in
          try self.advance(with: connection, patience)
        }
        guard let news else {
          try await checkVersion(of: database)
          return nil
        }
        let receivers = receivers
        for changes in news.changes where !changes.isEmpty {
          for receiver in receivers { receiver.publish(changes) }
        }
        return news.gap
      } catch {
        // It is being closed, say: another one may do.
      }
    }
    return nil
  }

  /// - Returns: `nil` where there is no log that processes share.
  private func advance(
    with connection: Connection, _ patience: CommitChain.Patience
  ) throws -> CommitChain.News? {
    // So that the connection has its log open.
    _ = try connection.value(Int.self, "PRAGMA main.schema_version")
    return try state.withLock { state in
      // Under the lock, so that no commit of ours is taken up after its state was read and before it counts.
      guard let current = try connection.logState() else { return nil }
      guard state.chain != nil else {
        // The log has come into being since.
        state.chain = CommitChain(at: current)
        hasChain.store(true, ordering: .releasing)
        state.version = nil
        return CommitChain.News(changes: [ChangeSet(isUnbounded: true)])
      }
      for line in (state.shared?.newLines() ?? []).compactMap({ ChangeSetLine($0) }) {
        state.chain?.add(.init(before: line.before, after: line.after, changes: line.changes))
      }
      let canWait = state.shared != nil || state.chain?.isExpecting == true
      return state.chain?.advance(to: current, canWait ? patience : .none)
    }
  }

  /// Without a log that processes share, SQLite tells a connection that another one has committed.
  private func checkVersion(of database: Database) async throws {
    let version = (
      database: ObjectIdentifier(database), number: try await Self.version(of: database)
    )
    let receivers = state.withLock { state -> [any CommitReceiver] in
      state.chain = nil
      hasChain.store(false, ordering: .releasing)
      defer { state.version = version }
      let last = state.version
      let isNews =
        version.number == nil || last?.database != version.database
        || last?.number != version.number
      return isNews ? state.members.compactMap(\.receiver) : []
    }
    for receiver in receivers { receiver.publish(ChangeSet(isUnbounded: true)) }
  }

  /// A number that every commit changes which is not the writer's own; `nil` where there is no writer.
  private static func version(of database: Database) async throws -> Int? {
    if database.configuration.isReadOnly { return nil }
    return try await database.writeWithoutTransaction { connection in
      try connection.value(Int.self, "PRAGMA main.data_version")
    }
  }
}
