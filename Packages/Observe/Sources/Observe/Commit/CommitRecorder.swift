@_spi(Observing) internal import SQLiteCore

/// Follows one connection's transactions, and makes one change set of each that is committed.
///
/// Inside the engine's callbacks it only takes notes. What they mean, which needs the schema, is
/// found when the commit is done and the connection is free.
final class CommitRecorder: TransactionObserver {
  /// The connection keeps its observers, so that they must not keep it.
  private weak var connection: Connection?
  private var pending: PendingChanges
  private var layouts = LayoutCache()
  private var runs = UnwatchedRuns()
  /// Whether the transaction has written a table that is not an ordinary one: a virtual one may write what it has
  /// kept back in the midst of whatever statement comes next.
  private var hasWrittenVirtual = false
  /// Whether the schema was found to be another while the transaction ran.
  private var sawOtherSchema = false
  /// Whether a commit has begun whose outcome has not been reported.
  private var isCommitting = false
  /// The changes that `PRAGMA`s and `ANALYZE` make, by table, so that each is recorded once per
  /// transaction.
  private var administrativeRuns: [TableName: UnwatchedRun] = [:]
  /// The changes of the running transaction that a rollback does not undo.
  private var lasting = ChangeSet()
  private let follower: any TransactionFollower

  init(
    _ connection: Connection, limits: PendingChanges.Limits = PendingChanges.Limits(),
    follower: any TransactionFollower
  ) throws {
    self.connection = connection
    self.follower = follower
    pending = PendingChanges(limits: limits) { follower.wantsRows(of: $0) }
    _ = try layouts.noteSchema(of: connection)
  }

  var interests: Hooks.ChangeInterests? { follower.interests }

  func willRun(_ statement: Statement.ID, _ access: () -> Statement.Access) -> Bool {
    // Before it is asked who wants what.
    guard let interest = follower.interest, !hasWrittenVirtual else { return true }
    if let run = runs.decision(on: statement, at: interest) {
      if run == nil, runs.isVirtual(statement) { didWriteVirtual() }
      return isToBeTold(run)
    }
    let run = unwatchedRun(access(), at: interest)
    runs.decide(on: statement, run, isVirtual: hasWrittenVirtual)
    return isToBeTold(run)
  }

  /// Notes a run whose changes are not asked for.
  private func isToBeTold(_ run: UnwatchedRun?) -> Bool {
    guard let run else { return true }
    pending.record(run)
    return false
  }

  private func didWriteVirtual() { hasWrittenVirtual = true }

  /// - Returns: `nil` where someone may ask for the statement's changes, or what it writes can't be told.
  private func unwatchedRun(_ access: Statement.Access, at interest: UInt64) -> UnwatchedRun? {
    guard !access.changesSchema, let connection else { return nil }
    var tables: [(TableName, ChangeSet.TableChange)] = []
    do {
      if try layouts.noteSchema(of: connection) { sawOtherSchema = true }
      for (table, writes) in access.writes {
        // A virtual table writes others, of which only the engine's reports tell.
        guard try table.isInternal || layouts.isOrdinary(table, in: connection) else {
          didWriteVirtual()
          return nil
        }
        if follower.wantsRows(of: table) { return nil }
        tables.append((table, ChangeSet.TableChange(writes)))
      }
    } catch {
      return nil
    }
    // Where it writes nothing that is known, what it does is for the engine to report.
    return tables.isEmpty ? nil : UnwatchedRun(tables, at: interest)
  }

  func didRunOtherwise() {
    // Anything may have been written.
    forgetSchema()
    pending.schemaDidChange()
  }

  func willChange(_ change: borrowing Hooks.RowChange) { pending.record(change) }

  func statementDidRun(_ access: Statement.Access) {
    // A fetch that changes a setting would be due again for that each time.
    let isLasting =
      access.outlastsRollback && !isOutsideTransaction && connection?.isReadAccess == false
    for table in access.administrativeChanges {
      let run = administrativeRuns[table] ?? UnwatchedRun([(table, .unknown)], at: 0)
      administrativeRuns[table] = run
      let isPublished = publishOutsideTransaction(ChangeSet(tables: [table: .unknown]))
      if !isPublished || !pending.isEmpty { pending.record(run) }
      if isLasting { lasting.merge(.unknown, into: table) }
    }
    if access.changesSchemaVersion { schemaDidChange() }
    if isLasting, access.changesSchema { lasting.schemaChanged = true }
  }

  func statementDidFail() { pending.statementDidFail() }

  func savepointDidChange(_ event: Hooks.SavepointEvent) {
    pending.savepointDidChange(event)
  }

  func schemaDidChange() {
    forgetSchema()
    // What others change from now on is news.
    if isOutsideTransaction, let connection { _ = try? layouts.noteSchema(of: connection) }
    let isPublished = publishOutsideTransaction(ChangeSet(schemaChanged: true))
    if !isPublished || !pending.isEmpty { pending.schemaDidChange() }
  }

  private func forgetSchema() {
    runs.forget()
    layouts.forgetAttachments()
  }

  /// Publishes a change that is not part of a transaction: `ATTACH`, `VACUUM` and the settings of a
  /// connection take effect without a commit.
  ///
  /// Pending rows stay pending, since a statement that returns rows may not have committed yet.
  ///
  /// - Returns: `false` if a commit is to follow.
  private func publishOutsideTransaction(_ changes: ChangeSet) -> Bool {
    guard isOutsideTransaction, let connection else { return false }
    follower.didCommit(changes, on: connection)
    return true
  }

  private var isOutsideTransaction: Bool { connection?.isInTransaction == false && !isCommitting }

  func willCommit() {
    isCommitting = true
    if follower.followsCommits, let connection { follower.willCommit(on: connection) }
  }

  func didRollback() {
    let frame = takeAll()
    var tables = Set(frame.unwatched.flatMap { $0.tables.map(\.name) })
    for table in frame.tables {
      tables.insert(table.name)
      guard let connection else { continue }
      if let owner = try? layouts.owner(of: table.name, in: connection) { tables.insert(owner) }
    }
    follower.didRollback(tables)
    let lasting = takeLasting()
    if !lasting.isEmpty, let connection { follower.didCommit(lasting, on: connection) }
  }

  func didCommit() {
    if !sawOtherSchema, lasting.isEmpty, let interest = pending.interestOfUnwatched,
      follower.didCommitUnwatched(at: interest)
    {
      pending.forgetUnwatched()
      isCommitting = false
      return
    }
    let frame = takeAll()
    guard let connection else { return }
    var changes = (sawOtherSchema ? nil : ChangeSet(unwanted: frame)) ?? describe(frame)
    changes.add(frame.unwatched)
    let lasting = takeLasting()
    if !lasting.isEmpty { changes.merge(lasting) }
    follower.didCommit(changes, on: connection)
  }

  private func takeAll() -> PendingFrame {
    hasWrittenVirtual = false
    isCommitting = false
    return pending.takeAll()
  }

  private func takeLasting() -> ChangeSet {
    defer { lasting = ChangeSet() }
    return lasting
  }

  private func describe(_ frame: PendingFrame) -> ChangeSet {
    do {
      guard let connection else { return ChangeSet(isUnbounded: !frame.isEmpty) }
      var changes = ChangeSet(schemaChanged: frame.schemaChanged)
      if try layouts.noteSchema(of: connection) || sawOtherSchema { changes.schemaChanged = true }
      sawOtherSchema = false
      if changes.schemaChanged { layouts.forget() }
      for table in frame.tables {
        if changes.schemaChanged {
          // The rows are of columns that may be gone. `VACUUM` reports rows of a database that is
          // gone.
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

/// Who follows a connection's transactions, as a ``CommitRecorder`` tells of them.
protocol TransactionFollower: AnyObject {
  /// Whether anyone may ask for the rows of a table, as they change: otherwise, only the table is told.
  func wantsRows(of table: TableName) -> Bool

  /// Another number whenever ``wantsRows(of:)`` may have another answer; `nil` where all rows are wanted.
  var interest: UInt64? { get }
  /// What that number rests on.
  var interests: Hooks.ChangeInterests { get }

  /// A transaction is committed of whose rows nobody wanted any, when interest was this.
  ///
  /// - Returns: Whether that is all there is to be told of it.
  func didCommitUnwatched(at interest: UInt64) -> Bool

  /// Whether it wants to know of each commit before it happens.
  var followsCommits: Bool { get }

  /// A transaction is about to commit. This is in the midst of SQLite's work.
  func willCommit(on connection: Connection)

  /// It is committed, and may have changed nothing.
  func didCommit(_ changes: ChangeSet, on connection: Connection)

  /// A transaction was rolled back that had changed these tables, if any.
  func didRollback(_ tables: Set<TableName>)
}

extension ChangeSet {
  /// What is told of a transaction of which nobody asked for a row, without a look at the schema;
  /// `nil` for any other.
  fileprivate init?(unwanted frame: PendingFrame) {
    if frame.schemaChanged || frame.isEmpty { return nil }
    self.init()
    for table in frame.tables {
      if table.isWanted { return nil }
      // The table may be one in which a virtual one keeps its data.
      for owner in table.name.possibleOwners { tables[owner] = .unknown }
      if tables[table.name] != nil { continue }
      let kinds = table.residue.kinds
      tables[table.name] = kinds.contains(.update) ? .unknown : TableChange(kinds: kinds)
    }
  }
}

extension TableName {
  /// The virtual tables whose data a table of this name may hold: what comes before an underscore.
  var possibleOwners: [TableName] {
    guard name.utf8.contains(UInt8(ascii: "_")) else { return [] }
    return name.indices.filter { name[$0] == "_" }.map {
      TableName(schema: schema, String(name[..<$0]))
    }
  }
}
