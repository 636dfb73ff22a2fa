@_spi(Observing) internal import SQLiteCore

/// Observes one connection's transactions and creates a change set for each committed one.
///
/// The engine's callbacks only record events. Interpreting them requires the schema, and happens
/// after the commit, when the connection is free.
final class CommitRecorder: TransactionObserver {
  /// Weak, because the connection retains its observers.
  private weak var connection: Connection?
  private var pending: PendingChanges
  private var layouts = LayoutCache()
  private var decisions = UnobservedWriteCache()
  /// Indicates whether the transaction has written to a virtual table, which may flush its pending
  /// writes during any later statement.
  private var hasWrittenVirtual = false
  /// Indicates whether a schema change was detected during the transaction.
  private var schemaChangeDetected = false
  /// Indicates whether a commit has started and its outcome has not been reported.
  private var isCommitting = false
  /// The changes made by `PRAGMA`s and `ANALYZE`, by table, so that each is recorded once per
  /// transaction.
  private var administrativeWrites: [TableName: UnobservedWrite] = [:]
  /// The changes of the current transaction that a rollback does not undo.
  private var nonTransactional = ChangeSet()
  private let delegate: any CommitRecorderDelegate

  init(
    _ connection: Connection, delegate: any CommitRecorderDelegate
  ) throws {
    self.connection = connection
    self.delegate = delegate
    pending = PendingChanges { delegate.wantsRows(of: $0) }
    _ = try layouts.updateSchemaVersions(of: connection)
  }

  var interests: Hooks.ChangeInterests? { delegate.interests }

  func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool {
    // Read before the tables' observers are queried.
    guard let interest = delegate.interest, !hasWrittenVirtual else { return true }
    if let write = decisions.decision(on: statement, at: interest) {
      if write == nil, decisions.isVirtual(statement) { didWriteVirtual() }
      return shouldReport(write)
    }
    let write = unobservedWrite(access(), at: interest)
    decisions.decide(on: statement, write, isVirtual: hasWrittenVirtual)
    return shouldReport(write)
  }

  /// Records a write whose changes are not observed, and returns whether the engine must report the
  /// changes.
  private func shouldReport(_ write: UnobservedWrite?) -> Bool {
    guard let write else { return true }
    pending.record(write)
    return false
  }

  private func didWriteVirtual() { hasWrittenVirtual = true }

  /// - Returns: `nil` if the statement's changes may be observed, or its effect is unknown.
  private func unobservedWrite(_ access: Statement.Access, at interest: UInt64) -> UnobservedWrite?
  {
    guard !access.changesSchema, let connection else { return nil }
    var tables: [(TableName, ChangeSet.TableChange)] = []
    do {
      if try layouts.updateSchemaVersions(of: connection) { schemaChangeDetected = true }
      for (table, writes) in access.writes {
        // A virtual table writes to its shadow tables; only the engine's reports show which.
        guard try table.isInternal || layouts.isOrdinary(table, in: connection) else {
          didWriteVirtual()
          return nil
        }
        if delegate.wantsRows(of: table) { return nil }
        tables.append((table, ChangeSet.TableChange(writes)))
      }
    } catch {
      return nil
    }
    // If no written table is known, the engine must report the changes.
    return tables.isEmpty ? nil : UnobservedWrite(tables, at: interest)
  }

  func didRunRecompiled() {
    // Any table may have been written.
    invalidateSchema()
    pending.schemaDidChange()
  }

  func willChange(_ change: borrowing Hooks.RowChange) { pending.record(change) }

  func statementDidRun(_ access: Statement.Access) {
    // Otherwise a fetch that changes a setting would trigger itself again each time.
    let isNonTransactional =
      access.outlastsRollback && !isOutsideTransaction && connection?.isReadAccess == false
    for table in access.administrativeChanges {
      let write = administrativeWrites[table] ?? UnobservedWrite([(table, .unknown)], at: 0)
      administrativeWrites[table] = write
      let isPublished = publishOutsideTransaction(ChangeSet(tables: [table: .unknown]))
      if !isPublished || !pending.isEmpty { pending.record(write) }
      if isNonTransactional { nonTransactional.merge(.unknown, into: table) }
    }
    if access.changesSchemaVersion { schemaDidChange() }
    if isNonTransactional, access.changesSchema { nonTransactional.schemaChanged = true }
  }

  func statementDidFail() { pending.statementDidFail() }

  func savepointDidChange(_ event: Hooks.SavepointEvent) {
    pending.savepointDidChange(event)
  }

  func schemaDidChange() {
    invalidateSchema()
    // Records the current versions, so that only later changes by other connections count as new.
    if isOutsideTransaction, let connection {
      _ = try? layouts.updateSchemaVersions(of: connection)
    }
    let isPublished = publishOutsideTransaction(ChangeSet(schemaChanged: true))
    if !isPublished || !pending.isEmpty { pending.schemaDidChange() }
  }

  private func invalidateSchema() {
    decisions.invalidate()
    layouts.invalidateAttachments()
  }

  /// Publishes a change that is not part of a transaction: `ATTACH`, `VACUUM` and connection
  /// settings take effect without a commit.
  ///
  /// Pending rows stay pending, because a statement that returns rows may not have committed yet.
  ///
  /// - Returns: `false` if a commit will follow.
  private func publishOutsideTransaction(_ changes: ChangeSet) -> Bool {
    guard isOutsideTransaction, let connection else { return false }
    delegate.didCommit(changes, on: connection)
    return true
  }

  private var isOutsideTransaction: Bool { connection?.isInTransaction == false && !isCommitting }

  func willCommit() {
    isCommitting = true
    if delegate.needsCommitNotice, let connection { delegate.willCommit(on: connection) }
  }

  func didRollback() {
    let frame = takeAll()
    var tables = Set(frame.unobservedWrites.flatMap { $0.tables.map(\.name) })
    for table in frame.tables {
      tables.insert(table.name)
      guard let connection else { continue }
      if let owner = try? layouts.owner(of: table.name, in: connection) { tables.insert(owner) }
    }
    delegate.didRollback(tables)
    let nonTransactional = takeNonTransactional()
    if !nonTransactional.isEmpty, let connection {
      delegate.didCommit(nonTransactional, on: connection)
    }
  }

  func didCommit() {
    if !schemaChangeDetected, nonTransactional.isEmpty, let interest = pending.interestOfUnobserved,
      delegate.didCommitUnobserved(at: interest)
    {
      pending.discardUnobserved()
      isCommitting = false
      return
    }
    let frame = takeAll()
    guard let connection else { return }
    var changes = (schemaChangeDetected ? nil : ChangeSet(withoutRows: frame)) ?? describe(frame)
    changes.add(frame.unobservedWrites)
    let nonTransactional = takeNonTransactional()
    if !nonTransactional.isEmpty { changes.merge(nonTransactional) }
    delegate.didCommit(changes, on: connection)
  }

  private func takeAll() -> PendingFrame {
    hasWrittenVirtual = false
    isCommitting = false
    return pending.takeAll()
  }

  private func takeNonTransactional() -> ChangeSet {
    defer { nonTransactional = ChangeSet() }
    return nonTransactional
  }

  private func describe(_ frame: PendingFrame) -> ChangeSet {
    do {
      guard let connection else { return ChangeSet(isUnbounded: !frame.isEmpty) }
      var changes = ChangeSet(schemaChanged: frame.schemaChanged)
      if try layouts.updateSchemaVersions(of: connection) || schemaChangeDetected {
        changes.schemaChanged = true
      }
      schemaChangeDetected = false
      if changes.schemaChanged { layouts.invalidate() }
      for table in frame.tables {
        if changes.schemaChanged {
          // The rows may have columns that no longer exist. `VACUUM` reports rows of a temporary
          // database that no longer exists.
          if try layouts.isAttached(table.name.schema, to: connection) {
            changes.tables[table.name] = .unknown
          }
          continue
        }
        let layout = try layouts.layout(of: table.name, in: connection)
        guard let change = ChangeSet.TableChange(table, layout: layout) else { continue }
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

/// Receives a connection's transactions from a ``CommitRecorder``.
protocol CommitRecorderDelegate: AnyObject {
  /// Returns whether the changed rows of a table may be needed; otherwise only the table is
  /// reported.
  func wantsRows(of table: TableName) -> Bool

  /// A generation number that changes when the result of ``wantsRows(of:)`` may change; `nil` if
  /// all rows are needed.
  var interest: UInt64? { get }
  /// The sources of ``interest``.
  var interests: Hooks.ChangeInterests { get }

  /// Called after the commit of a transaction whose rows were not needed, at this interest
  /// generation.
  ///
  /// - Returns: Whether the commit was handled completely.
  func didCommitUnobserved(at interest: UInt64) -> Bool

  /// Indicates whether ``willCommit(on:)`` must be called before each commit.
  var needsCommitNotice: Bool { get }

  /// Called before a transaction commits, from within SQLite's commit hook.
  func willCommit(on connection: Connection)

  /// Called when a transaction was committed. The changes may be empty.
  func didCommit(_ changes: ChangeSet, on connection: Connection)

  /// Called when a transaction was rolled back that had changed the given tables, if any.
  func didRollback(_ tables: Set<TableName>)
}

extension ChangeSet {
  /// Creates the change set of a transaction whose rows are not needed, without reading the schema;
  /// fails for any other transaction.
  fileprivate init?(withoutRows frame: PendingFrame) {
    if frame.schemaChanged || frame.isEmpty { return nil }
    self.init()
    for table in frame.tables {
      if table.capturesRows { return nil }
      // The table may be a shadow table of a virtual table.
      for owner in table.name.possibleOwners { tables[owner] = .unknown }
      if tables[table.name] != nil { continue }
      tables[table.name] =
        table.kinds.contains(.update) ? .unknown : TableChange(kinds: table.kinds)
    }
  }
}

extension TableName {
  /// The virtual tables that a table of this name may be a shadow table of: each prefix before an
  /// underscore.
  var possibleOwners: [TableName] {
    guard name.utf8.contains(UInt8(ascii: "_")) else { return [] }
    return name.indices.filter { name[$0] == "_" }.map {
      TableName(schema: schema, String(name[..<$0]))
    }
  }
}
