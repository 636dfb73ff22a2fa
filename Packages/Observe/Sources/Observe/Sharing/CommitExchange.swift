@_spi(Observing) internal import SQLiteCore
internal import Synchronization

/// Who wants to know of commits to a file that its own database has not made.
protocol CommitReceiver: AnyObject, Sendable {
  /// Tells its observers.
  func publish(_ changes: ChangeSet)
  /// Lets those go on who wait until all is told.
  func releaseSettled()
  /// Whether anyone may ask for the rows of a table, as they change.
  func wantsRows(of table: TableName) -> Bool
  /// Has the commits of its database told to the exchange, before this returns.
  func recordNow(in database: Database) throws
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

  /// A commit that one of the databases has made.
  private struct Commit {
    let changes: ChangeSet
    let sender: any CommitReceiver
  }

  private struct State {
    var members: [Member] = []
    /// Has every database's commits recorded; `nil` where nobody has asked for it.
    var recording: Task<Void, any Error>?
    var others: OtherProcesses?
    var chain: CommitChain?
    var watch: FileWatch?
    var shared: SharedText?
    /// The version that a file without a shared log had last, as a database has it: another has another.
    var version: (database: ObjectIdentifier, number: Int?)?
    /// How often the system has told of a change.
    var eventCount = 0
    /// The look at the file that goes on, or was the last, and the one that has not begun.
    var check: Task<Void, Never>?
    var nextCheck: Task<Void, Never>?
    var queue = CommitQueue<Commit>()

    var audience: Int { shared == nil ? members.count : .max }

    func receivers(besides sender: any CommitReceiver) -> [any CommitReceiver] {
      // Most files are opened once.
      if members.count == 1, members.first?.receiver === sender { return [] }
      return members.compactMap(\.receiver).filter { $0 !== sender }
    }
  }

  private let state = Mutex(State())
  private let audience = Atomic<Int>(0)
  /// Changes with the audience.
  let interest = ChangeInterest()
  /// Held while commits are told, one after another; none waits for it.
  private let isTelling = Atomic<Bool>(false)
  private let writerCount = Atomic<Int>(0)
  private let hasChain = Atomic<Bool>(false)
  private weak let file: DatabaseFile?
  private let receiver: @Sendable (Database) -> any CommitReceiver

  init(_ file: DatabaseFile, receiver: @escaping @Sendable (Database) -> any CommitReceiver) {
    self.file = file
    self.receiver = receiver
  }

  // MARK: Databases of this process

  /// Has all databases on the file tell of their commits, those that are opened later too.
  func record(for receiver: any CommitReceiver) async throws {
    let recording = state.withLock { state in
      state.members.removeAll { $0.receiver == nil || $0.receiver === receiver }
      state.members.append(Member(receiver: receiver))
      audience.store(state.audience, ordering: .releasing)
      interest.change()
      if let recording = state.recording { return recording }
      let recording = Task.detached { [self] in try await recordAll() }
      state.recording = recording
      return recording
    }
    do {
      try await recording.value
    } catch {
      state.withLock { state in
        if state.recording == recording { state.recording = nil }
      }
      throw error
    }
  }

  private func recordAll() async throws {
    for database in file?.openDatabases ?? [] {
      do {
        try await receiver(database).record(in: database)
      } catch let error as SQLiteError where error.code == .closed {
        // Whoever is closed commits nothing.
      }
    }
  }

  func databaseDidOpen(_ database: Database) {
    guard state.withLock({ $0.recording != nil }) else { return }
    let opened = receiver(database)
    do {
      try opened.recordNow(in: database)
    } catch {
      // The file is locked, say.
      Task.detached { [weak database] in
        if let database { try? await opened.record(in: database) }
      }
    }
  }

  /// How many may want to know of commits; without a limit where other processes are told.
  var audienceCount: Int { audience.load(ordering: .acquiring) }

  /// Whether anyone but the sender may ask for the rows of a table, as they change. Other processes are told the
  /// columns.
  func wantsRows(of table: TableName, from sender: any CommitReceiver) -> Bool {
    let (isTold, receivers) = state.withLock { state in
      (state.shared != nil, state.receivers(besides: sender))
    }
    return isTold || receivers.contains { $0.wantsRows(of: table) }
  }

  /// Takes a place for a commit that is about to be made; `nil` where no other database commits to the file.
  func takePlace() -> UInt64? { hasSeveralWriters ? state.withLock { $0.queue.take() } : nil }

  /// A connection's commits are told here from now on, or no more.
  func countWriters(_ difference: Int) {
    writerCount.wrappingAdd(difference, ordering: .acquiringAndReleasing)
  }

  var hasSeveralWriters: Bool { writerCount.load(ordering: .acquiring) > 1 }

  /// Tells everyone of a commit, when all before it are told.
  func tell(_ changes: ChangeSet, from sender: any CommitReceiver, at place: UInt64) {
    state.withLock { $0.queue.finish(place, Commit(changes: changes, sender: sender)) }
    tellNext()
  }

  /// The commit was not made.
  func leave(_ place: UInt64) {
    state.withLock { $0.queue.leave(place) }
    tellNext()
  }

  /// Whether commits are made that have not been told.
  var isSettled: Bool {
    state.withLock { $0.queue.isEmpty } && !isTelling.load(ordering: .acquiring)
  }

  private func tellNext() {
    // One thread at a time, so that the order stays: whoever it is looks again when it has finished.
    while !isTelling.exchange(true, ordering: .acquiringAndReleasing) {
      while let commit = state.withLock({ $0.queue.next() }) {
        if !commit.changes.isEmpty { commit.sender.publish(commit.changes) }
        tell(commit.changes, from: commit.sender)
      }
      isTelling.store(false, ordering: .releasing)
      if !state.withLock({ $0.queue.hasNext }) { break }
    }
    for receiver in receivers { receiver.releaseSettled() }
  }

  /// Tells the others of what a database has committed, or says of the file.
  func tell(_ changes: ChangeSet, from sender: any CommitReceiver) {
    let receivers = state.withLock { $0.receivers(besides: sender) }
    if receivers.isEmpty { return }
    let changes = changes.ofMainFile
    if changes.isEmpty { return }
    for receiver in receivers { receiver.publish(changes) }
  }

  // MARK: Other processes

  /// Begins to learn of other processes' commits, and to tell them of ours, where that is asked for.
  func observe(_ others: OtherProcesses, with database: Database) async throws {
    guard let path = file?.path else { return }
    // Who exchanges watches as well.
    if state.withLock({ $0.others == others || $0.others == .exchanged }) { return }
    let shared = others == .exchanged ? try SharedText(path: path + Self.suffix, like: path) : nil
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
  func willCommit(on connection: Connection) -> LogState? {
    guard followsLog, let before = try? connection.logState() else { return nil }
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

  private var receivers: [any CommitReceiver] {
    state.withLock { $0.members.compactMap(\.receiver) }
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
