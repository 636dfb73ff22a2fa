internal import Primitives
@_spi(Observing) internal import SQLiteCore

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
final class CommitExchange: Database.FileObserver {
  struct Member {
    weak var receiver: (any CommitReceiver)?
  }

  /// A commit that one of the databases has made.
  struct Commit {
    let changes: ChangeSet
    let sender: any CommitReceiver
  }

  struct State {
    var members: [Member] = []
    /// Has every database's commits recorded; `nil` where nobody has asked for it.
    var recording: Task<Void, any Error>?
    var others: DatabaseObservation.CrossProcess?
    var chain: CommitChain?
    var watch: FileWatch?
    var shared: AppendOnlyFile?
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

  private struct WeakFile {
    weak var file: Database.File?
  }

  let state = Mutex(State())
  let audience = Atomic<Int>(0)
  /// Changes with the audience.
  let interest = Hooks.ChangeInterest()
  /// Held while commits are told, one after another; none waits for it.
  let isTelling = Atomic<Bool>(false)
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

/// Databases of this process.
extension CommitExchange {
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
    writerCount.add(difference, ordering: .acquiringAndReleasing)
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
}
