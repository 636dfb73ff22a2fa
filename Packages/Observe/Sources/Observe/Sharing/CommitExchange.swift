@_spi(Observing) internal import SQLiteCore
internal import Synchronization

/// Who wants to know of commits to a file that its own database has not made.
protocol CommitReceiver: AnyObject, Sendable {
  func receive(_ changes: ChangeSet)
  /// Has the commits of its database told to the exchange, before this returns.
  func recordNow(in database: Database)
  func record(in database: Database) async throws
}

/// Where the databases of this process that are open on one file tell each other of their commits, and learn
/// of those of other processes.
///
/// It keeps no database, and is kept by the file that they have in common.
final class CommitExchange: DatabaseFileFollower {
  private struct Member {
    weak let receiver: (any CommitReceiver)?
  }

  private struct State {
    var members: [Member] = []
    /// Whether every database's commits are recorded.
    var isRecording = false
    var others: OtherProcesses?
    var chain: CommitChain?
    var watch: FileWatch?
    var shared: SharedText?
    /// The version that a file without a shared log had last.
    var version: Int?
    /// The look at the file that goes on, or was the last, and the one that has not begun.
    var check: Task<Void, Never>?
    var nextCheck: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private weak let file: DatabaseFile?
  private let receiver: @Sendable (Database) -> any CommitReceiver

  init(_ file: DatabaseFile, receiver: @escaping @Sendable (Database) -> any CommitReceiver) {
    self.file = file
    self.receiver = receiver
  }

  // MARK: Databases of this process

  /// Has all databases on the file tell of their commits, those that are opened later too.
  func record(for receiver: any CommitReceiver) async throws {
    let isFirst = state.withLock { state in
      state.members.removeAll { $0.receiver == nil || $0.receiver === receiver }
      state.members.append(Member(receiver: receiver))
      defer { state.isRecording = true }
      return !state.isRecording
    }
    guard isFirst, let file else { return }
    do {
      for database in file.openDatabases {
        let other = self.receiver(database)
        if other === receiver { continue }
        do {
          try await other.record(in: database)
        } catch let error as SQLiteError where error.code == .closed {
          // Whoever is closed commits nothing.
        }
      }
    } catch {
      state.withLock { $0.isRecording = false }
      throw error
    }
  }

  func databaseDidOpen(_ database: Database) {
    if state.withLock({ $0.isRecording }) { receiver(database).recordNow(in: database) }
  }

  /// Tells the others of what a database has committed, or says of the file.
  func tell(_ changes: ChangeSet, from sender: any CommitReceiver) {
    let others = state.withLock { state -> [any CommitReceiver] in
      if state.members.count == 1, state.members.first?.receiver === sender { return [] }
      return state.members.compactMap(\.receiver).filter { $0 !== sender }
    }
    if others.isEmpty { return }
    let changes = changes.ofMainFile
    if changes.isEmpty { return }
    for other in others { other.receive(changes) }
  }

  // MARK: Other processes

  /// Begins to learn of other processes' commits, and to tell them of ours, where that is asked for.
  func observe(_ others: OtherProcesses, with database: Database) async throws {
    guard let path = file?.path else { return }
    // Who exchanges watches as well.
    if state.withLock({ $0.others == others || $0.others == .exchanged }) { return }
    let shared = others == .exchanged ? try SharedText(path: path + Self.suffix, like: path) : nil
    let watch = try FileWatch(path: path, suffix: Self.suffix) { [weak self] in
      self?.startCheck()
    }
    state.withLock { state in
      state.others = others
      state.watch = watch
      state.shared = shared
    }
    // What was committed until now is no news; what is from now on, is.
    let news = try await database.read { try self.advance(with: $0, .none) }
    if news == nil {
      let version = try await Self.version(of: database)
      state.withLock { $0.version = version }
    }
    // Who has observed before may have missed something.
    for receiver in receivers { receiver.receive(ChangeSet(isUnbounded: true)) }
  }

  /// What the name of the file has, after the database's, by which processes tell each other.
  static let suffix = "-changes"

  /// A commit of this process begins: nobody else can commit before it ends.
  ///
  /// - Returns: The state on which it follows; `nil` where nobody asks.
  func willCommit(on connection: Connection) -> LogState? {
    guard state.withLock({ $0.chain != nil }), let before = try? connection.logState() else {
      return nil
    }
    state.withLock { $0.chain?.begin(on: before) }
    return before
  }

  func didRollback(on before: LogState) { state.withLock { $0.chain?.rollBack(on: before) } }

  func didCommit(_ changes: ChangeSet, on before: LogState, connection: Connection) {
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
  private func checkOnce(_ patience: CommitChain.Patience) async -> LogState? {
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
          for receiver in receivers { receiver.receive(changes) }
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

  private var receivers: [any CommitReceiver] {
    state.withLock { $0.members.compactMap(\.receiver) }
  }

  /// Without a log that processes share, SQLite tells a connection that another one has committed.
  private func checkVersion(of database: Database) async throws {
    let version = try await Self.version(of: database)
    let receivers = state.withLock { state -> [any CommitReceiver] in
      state.chain = nil
      defer { state.version = version }
      let isNews = version == nil || state.version != version
      return isNews ? state.members.compactMap(\.receiver) : []
    }
    for receiver in receivers { receiver.receive(ChangeSet(isUnbounded: true)) }
  }

  /// A number that every commit changes which is not the writer's own; `nil` where there is no writer.
  private static func version(of database: Database) async throws -> Int? {
    if database.configuration.isReadOnly { return nil }
    return try await database.writeWithoutTransaction { connection in
      try connection.value(Int.self, "PRAGMA main.data_version")
    }
  }
}
