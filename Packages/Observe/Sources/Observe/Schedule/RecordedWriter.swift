@_spi(Observing) internal import SQLiteCore
internal import Primitives

/// The writer connection of a hub's database. Its commits are delivered to the hub, and to the
/// other databases that have opened the file.
final class RecordedWriter: CommitRecorderDelegate {
  private let hub: ChangeHub
  private let broadcaster: CommitBroadcaster?
  /// The log state before the current commit.
  private var before: Connection.WALState?
  /// The ticket of the current commit in the order of all databases' commits to the file.
  private var ticket: UInt64?

  init(hub: ChangeHub, broadcaster: CommitBroadcaster?) {
    self.hub = hub
    self.broadcaster = broadcaster
    broadcaster?.countWriters(1)
  }

  func wantsRows(of table: TableName) -> Bool {
    hub.wantsRows(of: table) || broadcaster?.wantsRows(of: table, from: hub) == true
  }

  var interests: Hooks.ChangeInterests {
    Hooks.ChangeInterests(hub.interest, broadcaster?.interest)
  }

  var interest: UInt64? {
    if let broadcaster,
      broadcaster.receiverCount.load(ordering: .acquiring) > (hub.isInstalled ? 1 : 0)
    {
      return nil
    }
    return hub.interest.current
  }

  func didCommitUnobserved(at interest: UInt64) -> Bool {
    // New observers may have appeared since the statements ran.
    before == nil && ticket == nil && self.interest == interest && hub.skipCommit(at: interest)
  }

  var needsCommitNotice: Bool {
    guard let broadcaster else { return false }
    return broadcaster.tracksLog || broadcaster.hasSeveralWriters
  }

  func willCommit(on connection: Connection) {
    before = broadcaster?.willCommit(on: connection)
    releaseTicket()
    ticket = broadcaster?.takeTicket()
  }

  deinit {
    releaseTicket()
    broadcaster?.countWriters(-1)
  }

  private func releaseTicket() {
    if let ticket = ticket.take() { broadcaster?.withdraw(ticket) }
  }

  func didCommit(_ changes: ChangeSet, on connection: Connection) {
    if let broadcaster, let ticket = ticket.take() {
      broadcaster.notify(changes, from: hub, at: ticket)
    } else if !changes.isEmpty {
      hub.publish(changes)
      broadcaster?.notify(changes, from: hub)
    }
    if let before { broadcaster?.didCommit(changes, on: before, connection: connection) }
    before = nil
  }

  func didRollback(_ tables: Set<TableName>) {
    if let before { broadcaster?.didRollback(on: before) }
    before = nil
    releaseTicket()
    if !tables.isEmpty { hub.rollback(tables) }
  }
}

extension ChangeHub: CommitReceiver {
  func skipCommit(at interest: UInt64) -> Bool {
    state.withLock { $0.schedule.skipCommit(at: interest) }
  }

  func wantsRows(of table: TableName) -> Bool {
    state.withLock { $0.schedule.wantsRows(of: table) }
  }

  func record(in database: Database) async throws {
    // A database that was opened read-only can't write.
    if database.configuration.isReadOnly { return }
    try await database.writeWithoutTransaction { try self.attach(to: $0) }
  }

  func recordNow(in database: Database) throws {
    if database.configuration.isReadOnly { return }
    try database.writeWithoutTransaction { try attach(to: $0) }
  }
}
