internal import SQLiteCore

/// Follows one connection's transactions, and makes one change set of each that is committed.
///
/// Inside the engine's callbacks it only takes notes. What they mean, which needs the schema, is
/// found when the commit is done and the connection is free.
final class CommitRecorder: TransactionObserver {
  /// The connection keeps its observers, so that they must not keep it.
  private weak let connection: Connection?
  private var pending: PendingChanges
  private var layouts = LayoutCache()
  private let follower: any TransactionFollower

  init(
    _ connection: Connection, limits: PendingChanges.Limits = PendingChanges.Limits(),
    follower: any TransactionFollower
  ) throws {
    self.connection = connection
    self.follower = follower
    pending = PendingChanges(limits: limits)
    _ = try layouts.noteSchema(of: connection)
  }

  func willChange(_ change: borrowing RowChange) {
    // `VACUUM` copies everything into a database of its own, of this name.
    if change.table.isInternal || change.table.schema == "vacuum_db" { return }
    pending.record(change)
  }

  func statementDidFail() { pending.statementDidFail() }

  func savepointDidChange(_ event: SavepointEvent) { pending.savepointDidChange(event) }

  func schemaDidChange() { pending.schemaDidChange() }

  func willCommit() {
    if let connection { follower.willCommit(on: connection) }
  }

  func didRollback() {
    let frame = pending.takeAll()
    var tables: Set<TableName> = []
    for table in frame.tables {
      tables.insert(table.name)
      guard let connection else { continue }
      if let owner = try? layouts.owner(of: table.name, in: connection) { tables.insert(owner) }
    }
    follower.didRollback(tables)
  }

  func didCommit() {
    let frame = pending.takeAll()
    let changes = describe(frame)
    if let connection { follower.didCommit(changes, on: connection) }
  }

  private func describe(_ frame: PendingFrame) -> ChangeSet {
    do {
      guard let connection else { return ChangeSet(isUnbounded: !frame.isEmpty) }
      var changes = ChangeSet(schemaChanged: frame.schemaChanged)
      if try layouts.noteSchema(of: connection) { changes.schemaChanged = true }
      if changes.schemaChanged { layouts.forget() }
      for table in frame.tables {
        if changes.schemaChanged {
          // The rows are of columns that may be gone.
          changes.tables[table.name] = .unknown
          continue
        }
        let layout = try layouts.layout(of: table.name, in: connection)
        guard let change = TableChange(table, layout: layout) else { continue }
        changes.tables[table.name] = change
        if let owner = try layouts.owner(of: table.name, in: connection) {
          changes.tables[owner] = .unknown
        }
      }
      return changes
    } catch {
      // The schema can't be read: the database is being closed, or the access was cancelled.
      return ChangeSet(
        tables: Dictionary(uniqueKeysWithValues: frame.tables.map { ($0.name, .unknown) }),
        schemaChanged: frame.schemaChanged, isUnbounded: true)
    }
  }
}

/// Who follows a connection's transactions, as a ``CommitRecorder`` tells of them.
protocol TransactionFollower: AnyObject {
  /// A transaction is about to commit. This is in the midst of SQLite's work.
  func willCommit(on connection: Connection)

  /// It is committed, and may have changed nothing.
  func didCommit(_ changes: ChangeSet, on connection: Connection)

  /// A transaction was rolled back that had changed these tables, if any.
  func didRollback(_ tables: Set<TableName>)
}
