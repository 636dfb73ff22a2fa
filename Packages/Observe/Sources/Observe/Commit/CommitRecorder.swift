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
  private let publish: (ChangeSet) -> Void
  private let rollback: (Set<TableName>) -> Void

  /// - Parameters:
  ///   - publish: Takes each change set that is not empty, after its commit.
  ///   - rollback: Takes the tables that a transaction had changed which was rolled back, if any.
  init(
    _ connection: Connection, limits: PendingChanges.Limits = PendingChanges.Limits(),
    publish: @escaping (ChangeSet) -> Void,
    rollback: @escaping (Set<TableName>) -> Void = { _ in }
  ) throws {
    self.connection = connection
    self.publish = publish
    self.rollback = rollback
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

  func didRollback() {
    let frame = pending.takeAll()
    if frame.isEmpty { return }
    var tables: Set<TableName> = []
    for table in frame.tables {
      tables.insert(table.name)
      guard let connection else { continue }
      if let owner = try? layouts.owner(of: table.name, in: connection) { tables.insert(owner) }
    }
    rollback(tables)
  }

  func didCommit() {
    let frame = pending.takeAll()
    let changes = describe(frame)
    if !changes.isEmpty { publish(changes) }
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
