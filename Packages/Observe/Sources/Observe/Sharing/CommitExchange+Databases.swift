@_spi(Observing) internal import SQLiteCore
internal import Primitives

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
