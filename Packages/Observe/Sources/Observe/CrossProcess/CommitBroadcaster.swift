internal import Primitives
@_spi(Observing) internal import SQLiteCore

/// Receives commits to a file that its own database has not made.
protocol CommitReceiver: AnyObject, Sendable {
  /// Delivers changes to its observers.
  func publish(_ changes: ChangeSet)
  /// Resumes tasks that wait until all commits are delivered.
  func resumeIdleWaiters()
  /// Returns whether the changed rows of a table may be needed.
  func wantsRows(of table: TableName) -> Bool
  /// Starts delivering the commits of its database to the broadcaster, before this method returns.
  func recordNow(in database: Database) throws
  func record(in database: Database) async throws
}

/// Shares the commits of this process's databases on one file among them, and detects commits of
/// other processes.
///
/// It retains no database, and is retained by the file object that the databases share.
final class CommitBroadcaster: Database.FileObserver {
  struct Member {
    weak var receiver: (any CommitReceiver)?
  }

  struct State {
    var members: [Member] = []
    /// Records the commits of all databases; `nil` if no database is observed.
    var recording: Task<Void, any Error>?
    var mode: DatabaseObservation.CrossProcess?
    var chain: CommitChain?
    var watcher: FileWatcher?
    var sharedLog: AppendOnlyFile?
    /// The last known data version of a file without a shared log, which is specific to a database.
    var version: (database: ObjectIdentifier, number: Int?)?
    /// The number of change notifications from the system.
    var eventCount = 0
    /// The running or last check of the file, and the next one if it has not begun.
    var check: Task<Void, Never>?
    var nextCheck: Task<Void, Never>?
    var queue = CommitQueue<(changes: ChangeSet, sender: any CommitReceiver)>()

    /// The number of receivers of commits; unlimited if commits are published to other processes.
    var receiverCount: Int { sharedLog == nil ? members.count : .max }

    func receivers(except sender: any CommitReceiver) -> [any CommitReceiver] {
      // Most files are opened once.
      if members.count == 1, members.first?.receiver === sender { return [] }
      return members.compactMap(\.receiver).filter { $0 !== sender }
    }
  }

  private struct WeakFile {
    weak var file: Database.File?
  }

  let state = Mutex(State())
  let receiverCount = Atomic<Int>(0)
  /// Changes with the number of receivers.
  let interest = Hooks.ChangeInterest()
  /// Set while commits are delivered, one after another; no thread waits for it.
  let isNotifying = Atomic<Bool>(false)
  let writerCount = Atomic<Int>(0)
  let hasChain = Atomic<Bool>(false)
  var file: Database.File? { weakFile.file }
  private let weakFile: WeakFile
  let receiver: @Sendable (Database) -> any CommitReceiver

  init(_ file: Database.File, receiver: @escaping @Sendable (Database) -> any CommitReceiver) {
    weakFile = WeakFile(file: file)
    self.receiver = receiver
  }

  var receivers: [any CommitReceiver] {
    state.withLock { $0.members.compactMap(\.receiver) }
  }
}

/// The databases of this process.
extension CommitBroadcaster {
  /// Starts recording the commits of all databases on the file, including databases that are opened
  /// later.
  func record(for receiver: any CommitReceiver) async throws {
    let recording = state.withLock { state in
      state.members.removeAll { $0.receiver == nil || $0.receiver === receiver }
      state.members.append(Member(receiver: receiver))
      receiverCount.store(state.receiverCount, ordering: .releasing)
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
        // A closed database has no commits.
      }
    }
  }

  func databaseDidOpen(_ database: Database) {
    guard state.withLock({ $0.recording != nil }) else { return }
    let opened = receiver(database)
    do {
      try opened.recordNow(in: database)
    } catch {
      // The file may be locked.
      Task.detached { [weak database] in
        if let database { try? await opened.record(in: database) }
      }
    }
  }

  /// Returns whether receivers other than the sender may need the changed rows of a table. Other
  /// processes receive the columns.
  func wantsRows(of table: TableName, from sender: any CommitReceiver) -> Bool {
    let (isPublished, receivers) = state.withLock { state in
      (state.sharedLog != nil, state.receivers(except: sender))
    }
    return isPublished || receivers.contains { $0.wantsRows(of: table) }
  }

  /// Takes a ticket for an upcoming commit; `nil` if no other database commits to the file.
  func takeTicket() -> UInt64? { hasSeveralWriters ? state.withLock { $0.queue.take() } : nil }

  /// Called when a connection's commits start or stop being recorded.
  func countWriters(_ difference: Int) {
    writerCount.add(difference, ordering: .acquiringAndReleasing)
  }

  var hasSeveralWriters: Bool { writerCount.load(ordering: .acquiring) > 1 }

  /// Delivers a commit to all receivers after all earlier ones.
  func notify(_ changes: ChangeSet, from sender: any CommitReceiver, at ticket: UInt64) {
    state.withLock { $0.queue.finish(ticket, (changes, sender)) }
    notifyNext()
  }

  /// Removes the ticket of a commit that was not made.
  func withdraw(_ ticket: UInt64) {
    state.withLock { $0.queue.withdraw(ticket) }
    notifyNext()
  }

  /// Indicates whether all commits have been delivered.
  var isIdle: Bool {
    state.withLock { $0.queue.isEmpty } && !isNotifying.load(ordering: .acquiring)
  }

  private func notifyNext() {
    // Only one thread delivers at a time, to keep the order; it checks again after it has finished.
    while !isNotifying.exchange(true, ordering: .acquiringAndReleasing) {
      while let commit = state.withLock({ $0.queue.next() }) {
        if !commit.changes.isEmpty { commit.sender.publish(commit.changes) }
        notify(commit.changes, from: commit.sender)
      }
      isNotifying.store(false, ordering: .releasing)
      if !state.withLock({ $0.queue.hasNext }) { break }
    }
    for receiver in receivers { receiver.resumeIdleWaiters() }
  }

  /// Delivers a database's commit, or a notification about the file, to all other receivers.
  func notify(_ changes: ChangeSet, from sender: any CommitReceiver) {
    let receivers = state.withLock { $0.receivers(except: sender) }
    if receivers.isEmpty { return }
    let changes = changes.inMainSchema
    if changes.isEmpty { return }
    for receiver in receivers { receiver.publish(changes) }
  }
}
